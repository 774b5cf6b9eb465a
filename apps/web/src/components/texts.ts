/** Sentences of the pictures that the landing page shows too: the card of an automation and the prize wheel. */

export const automationCardTexts = {
  status: {
    draft: 'Rascunho',
    waiting: 'Ativo',
    running: 'Executando agora',
    paused: 'Parado',
    blocked: 'Parado',
    done: 'Concluído',
  },
  inactive: 'Inativo',
};

/** "obtidos X de Y · coletando" */
export const collectionProgressTexts = {
  collected: 'obtidos',
  of: 'de',
  running: '· coletando',
  progressBar: 'Pessoas coletadas',
  /** Proposal for the owner: of a list of comments. */
  commentsBar: 'Comentários coletados',
};

export const prizeWheelTexts = {
  soldOut: 'Esgotado',
};
