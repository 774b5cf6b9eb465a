/** Sentences of the header, the breadcrumb and the pages that stand in for others. */

export const breadcrumbTexts = {
  label: 'Você está aqui',
  home: 'Início',
  dashboard: 'Dashboard',
  plans: 'Planos',
  account: 'Minha Conta',
  /** Proposal for the owner. */
  accounts: 'Contas do Instagram',
  /** Proposal for the owner. */
  articles: 'Artigos',
  automation: 'Automação',
};

export const headerTexts = {
  slotCounter: 'Slots usados',
  slots: 'slots',
  usedSlots: (used: number, total: number) => `${used} de ${total} slots usados`,
  upgrade: 'Upgrade',
  upgradePlan: 'Upgrade Plano',
  /** Replaces `upgrade` and `upgradePlan` for customers with the highest plan. */
  mySubscription: 'Minha assinatura',
  plans: 'Planos',
  menu: 'Menu da conta',
  account: 'Minha Conta',
  /** Proposal for the owner. */
  accounts: 'Contas do Instagram',
  /** Proposal for the owner. */
  articles: 'Artigos do seu site',
  subscription: 'Minha Assinatura',
  signOut: 'Sair',
  forceSignOut: 'Forçar Logout',
  signedOut: { title: 'Logout realizado com sucesso', text: 'Você foi desconectado.' },
};

export const layoutTexts = {
  skipToContent: 'Ir para o conteúdo',
};

export const frontPageTexts = {
  emailConfirmed: 'Email confirmado',
};

export const fallbackTexts = {
  loading: 'Carregando...',
  failed: 'Não foi possível abrir esta página. Verifique sua conexão.',
};
