/** Sentences of the tools' own steps. Titles, options and validation messages come from `@decola/contracts`. */

const inYourList = 'na sua lista';
const closedProfiles = 'Perfis privados que a sua conta não segue são pulados.';

export const followTexts = {
  action: 'O que fazer',
  method: 'Onde encontrar as pessoas',
  unfollow: 'Só deixamos de seguir quem esta conta seguiu por aqui há alguns dias. Quem você já seguia fica.',
  profileHint: 'Seguimos pessoas que seguem este perfil.',
  unit: { one: 'pessoa', many: 'pessoas' },
  sentence: {
    action: 'Seguir ou desseguir',
    people: ' pessoas',
    follow: 'Seguir até ',
    source: { hashtag: 'que usam', list: 'que seguem', slot: ['', 'da sua lista'] as const },
    unfollow: 'Deixar de seguir',
    most: ' até ',
    followedHere: ' que esta conta seguiu por aqui',
    and: ' e que estão ',
    inYourList,
  },
  /** Proposals for the owner. */
  proposals: {
    requestPrivate: 'Pedir para seguir contas privadas',
    requestPrivateHint: 'Sem isso, contas privadas são puladas.',
    whom: 'Quem deixar de seguir',
    everybody: { value: 'all', label: 'Todos que esta conta seguiu por aqui' },
    fromList: { value: 'slot', label: 'Só quem também está em uma lista extraída' },
  },
};

export const likeTexts = {
  unit: { one: 'curtida', many: 'curtidas' },
  sentence: { most: 'Até ', source: { hashtag: 'em', feed: 'no seu feed', slot: ['em posts de quem está', inYourList] as const } },
  /** Proposals for the owner. */
  proposals: {
    method: 'Onde encontrar os posts',
    notes: {
      hashtag: 'Curtimos posts que usam a hashtag. Anúncios e posts seus ficam de fora, e nenhum post é curtido duas vezes.',
      feed: 'Curtimos posts de quem a sua conta segue. Anúncios e sugestões ficam de fora.',
      slot: `Curtimos o post mais novo de cada pessoa da lista. ${closedProfiles}`,
    },
  },
};

export const commentTexts = {
  unit: { one: 'comentário', many: 'comentários' },
  sentence: {
    most: 'Até ',
    source: { hashtag: 'em', slot: ['em posts de quem está', inYourList] as const },
    turns: ', alternando os seus textos',
  },
  advice: (minimum: number) =>
    `Use # para hashtags e @ para mencionar pessoas. Textos variados protegem sua conta: escreva pelo menos ${minimum}.`,
  comment: (number: number) => `Comentário ${number}`,
  remove: (number: number) => `Remover comentário ${number}`,
  emojis: (number: number) => `Emojis para o comentário ${number}`,
  addEmoji: (emoji: string) => `Acrescentar ${emoji}`,
  add: 'Adicionar comentário',
  /** Proposals for the owner. */
  proposals: {
    method: 'Onde encontrar os posts',
    title: 'Comentários em rotação',
    written: (count: number, most: number, least: number) => `${count} de ${most}, mínimo ${least}`,
    writtenSpoken: (count: number, most: number, least: number) => `${count} de ${most} textos; o mínimo é ${least}`,
    notes: { slot: `Comentamos o post mais novo de cada pessoa da lista. ${closedProfiles}` },
    rotation:
      'Alternamos os textos na ordem. Um post recebe um só, e a mesma pessoa nenhum outro por 30 dias. Posts seus, anúncios e posts fechados a comentários são pulados.',
    next: 'Próximos comentários',
    nextEmpty: 'Aparecem aqui com três textos: cada post recebe o próximo da lista.',
    post: (number: number) => `${number}º post`,
  },
};

export const storyTexts = {
  unit: { one: 'story', many: 'stories' },
  sentence: { see: 'Ver até ', source: { hashtag: 'de', feed: 'do seu feed', slot: ['de quem está', inYourList] as const } },
  /** Proposals for the owner. */
  proposals: {
    method: 'De quem ver os stories',
    counted:
      'De cada pessoa vemos um story a cada 24 horas: o primeiro que a sua conta ainda não viu. Contamos um story só quando o Instagram confirma que foi visto. Os seus, os de amigos próximos e as transmissões ao vivo ficam de fora.',
  },
};

export const extractTexts = {
  extract: 'O que extrair',
  /** Proposals for the owner. */
  proposals: { expect: 'O que esperar' },
};

export const listTexts = {
  followers: { value: 'followers', label: 'Seguidores', description: 'Quem segue o perfil' },
  following: { value: 'following', label: 'Seguindo', description: 'Quem o perfil segue' },
  profileHint: 'O Instagram mostra a lista em páginas de 12 e às vezes não a mostra inteira: dizemos quantos foram obtidos.',
  sentence: {
    extract: 'Extrair ',
    followers: 'os seguidores',
    list: 'uma lista',
    of: ' de ',
    who: 'Extrair quem ',
    follows: ' segue',
    toFile: ' para um CSV.',
  },
  /** Proposals for the owner. */
  proposals: {
    cut: 'De perfis que não são seus, o Instagram às vezes mostra só cerca de 50 pessoas. A lista termina aí, e você fica com as que vieram.',
  },
};

export const interactionTexts = {
  likes: { value: 'likes', label: 'Curtidas' },
  comments: { value: 'comments', label: 'Comentários' },
  /** Shown before the slot is used. */
  likesCut: 'O Instagram mostra só uma amostra (cerca de 100) das curtidas',
  sentence: {
    who: 'Extrair quem ',
    liked: 'curtiu',
    commented: 'comentou',
    either: 'curtiu ou comentou',
    post: 'o post',
    toFile: ' para um CSV.',
  },
  /** Proposals for the owner. */
  proposals: {
    likes: 'Quem curtiu o post',
    comments: 'Quem comentou, e o quê',
    commentsGot:
      'Cada linha traz a pessoa, o texto e a hora, com as respostas. Se o autor escondeu os comentários, a lista fica vazia e dizemos por quê.',
  },
};

export const directTexts = {
  keyword: { label: 'Palavra-chave', hint: 'Quem comentar esta palavra recebe a mensagem.' },
  message: 'Mensagem por direct',
  replyToComment: 'Responder também ao comentário',
  reply: 'Comentário de resposta',
  unit: { one: 'pessoa', many: 'pessoas' },
  sentence: {
    send: 'Enviar um direct a quem comentar ',
    keyword: 'uma palavra-chave',
    onPost: (isAnswered: boolean) => ` no seu post${isAnswered ? ', e responder ao comentário' : ''}.`,
  },
  /** Proposals for the owner. */
  proposals: {
    postHint: 'Um post seu. Só recebe direct quem comentar nele.',
    keywordHint: 'Maiúsculas e acentos não importam; a palavra vale inteira.',
    once: 'Cada pessoa recebe uma vez só, mesmo que comente de novo.',
    replyHint:
      'Em público, só depois que o direct foi confirmado. Fica abaixo do comentário e começa com o @ da pessoa; o Instagram pode mostrá-la como um comentário à parte.',
    inbox: 'Vai para a caixa de entrada de quem segue você; para os outros, para as solicitações.',
    limit: (days: number) => `Comentários com mais de ${days} dias não recebem direct.`,
    checks: (minutes: number) => `Conferimos os comentários a cada ${minutes} minutos, fora do descanso da conta.`,
    preview: 'Como a pessoa vê',
    person: 'bia.roma',
    /** The network addresses an answer to the person. */
    mention: '@bia.roma',
    you: 'sua.conta',
    asks: (keyword: string) => `${keyword}!`,
    inDirect: 'No direct',
  },
};
