/** Sentences of the notices and of the bell that opens them. */

export const bellTexts = {
  label: 'Avisos',
  labelWithUnread: (unread: number) => `Avisos, ${unread} ${unread === 1 ? 'novo' : 'novos'}`,
  empty: 'Nenhum aviso por enquanto. Se algo precisar de você, aparece aqui.',
  unread: '(novo)',
  actions: { account_created: 'Começar', account_expiring: 'Ver planos', automation_error: 'Ver automações' },
};

export const occasionTexts = {
  welcome: {
    title: (productName: string) => `Bem-vindo ao ${productName}`,
    message: 'Crie sua primeira automação em poucos minutos.',
  },
  expiring: {
    title: 'Sua assinatura expira em 3 dias',
    renews: (date: string) => `Ela renova automaticamente em ${date}. Você não precisa fazer nada.`,
    ends: (date: string) => `Depois de ${date} suas automações param. Escolha um plano para continuar.`,
  },
  stopped: 'Automação com erro',
  blogName: (keyword: string) => `Artigos: ${keyword}`,
};
