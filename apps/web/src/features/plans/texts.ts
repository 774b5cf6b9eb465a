/** Sentences about plans and the subscription. */

export const portalTexts = {
  noUrl: 'URL do portal não retornada',
  notConfigured: {
    title: 'Portal não configurado',
    text: 'O portal de assinantes ainda não foi configurado. Entre em contato com o suporte.',
  },
  failed: 'Erro ao abrir portal do cliente',
};

export const planButtonTexts = {
  startTrial: 'Testar Grátis',
  subscribe: 'Assinar Plano',
  upgrade: 'Fazer Upgrade',
  downgrade: 'Fazer Downgrade',
  change: 'Alterar Plano',
  busy: 'Processando...',
  current: 'Plano Atual',
};

export const changeDialogTexts = {
  title: (plan: string) => `Mudar para ${plan}`,
  description: (currentPlan: string, newSlots: number) =>
    `Seu plano hoje: ${currentPlan}. No novo, ${newSlots === 1 ? '1 slot' : `${newSlots} slots`}.`,
  dueNow: 'Você paga agora',
  nothing: 'Nada',
  credit: (amount: string) => `Nada. Você fica com ${amount} de crédito.`,
  nextPayment: (date: string) => `Próxima cobrança, em ${date}`,
  noPreview:
    'Não foi possível calcular os valores agora. A diferença até o fim do período é cobrada ou devolvida em crédito, proporcionalmente.',
  busy: 'Processando...',
  confirm: 'Confirmar mudança',
  cancel: 'Cancelar',
};

export const plansPageTexts = {
  title: 'Planos',
  lead: 'Todas as ferramentas em todos os planos. Muda só quantas automações você pode ter ao mesmo tempo.',
  checking: 'Verificando sua assinatura',
  checkFailed: 'Não foi possível verificar sua assinatura.',
};

export const canceledPageTexts = {
  pageTitle: 'Assinatura cancelada',
  title: 'Sua assinatura terminou',
  lead: 'Suas automações e seus dados continuam guardados. Escolha um plano para voltar de onde parou.',
};

export const planPickerTexts = {
  loading: 'Carregando planos',
  failed: 'Não foi possível carregar os planos.',
  current: 'Plano Atual',
  popular: 'Mais Popular',
  trialBadge: (days: number) => `${days} Dias Grátis`,
  trialPrice: (days: number, price: string) => `${days} dias grátis, depois ${price} por mês`,
  perMonth: 'por mês',
  tooManyUsed: (automations: number) => `Você tem ${automations} automações criadas. Exclua algumas para escolher este plano.`,
};

export const subscriptionTexts = {
  label: 'Sua assinatura',
  pastDue: {
    badge: 'Pagamento pendente',
    text: (end: string) => `Houve um problema com o pagamento. Seu acesso vai até ${end}.`,
    action: 'Atualizar pagamento',
  },
  canceled: {
    badge: 'Cancelada',
    text: (end: string) => `Seu acesso vai até ${end}. A assinatura não será renovada.`,
    action: 'Reativar',
  },
  trial: { badge: 'Período de teste', text: (end: string) => `Seu teste grátis termina em ${end}.` },
  active: {
    badge: 'Ativa',
    renews: (end: string) => `Renova automaticamente em ${end}.`,
    ends: (end: string) => `Válida até ${end}.`,
  },
  slotsInUse: (used: number, total: number) => `${used} de ${total} slots em uso`,
  manage: 'Gerenciar assinatura',
};

export const upgradeDialogTexts = {
  title: 'Hora de Decolar!',
  description: 'Mais slots para mais automações ao mesmo tempo.',
  limit: 'Limite de slots atingido!',
  free: (slots: number) => (slots === 1 ? '1 slot livre' : `${slots} slots livres`),
  later: 'Talvez depois...',
};

export const planChoiceTexts = {
  failed: { title: 'Erro ao processar', text: 'Tente novamente em alguns instantes.', action: 'Continuar' },
  changed: { title: 'Plano alterado com sucesso!', text: (plan: string) => `Seu plano foi atualizado para ${plan}` },
  signInFirst: { title: 'Login necessário', text: 'Você precisa estar logado para assinar um plano.' },
};

export const keptTexts = {
  blogName: (keyword: string) => `Artigos: ${keyword}`,
};

/** Proposals for the owner. */
export const proposedTexts = {
  /** Label of the plan that was chosen on the landing page. */
  chosen: 'Sua escolha',
  /** For customers whose automations use more slots than there are automations. */
  tooManySlotsUsed: (automations: number, slots: number) =>
    `Você tem ${automations === 1 ? '1 automação criada, que usa' : `${automations} automações criadas, que usam`} ${slots} slots. Exclua algumas para escolher este plano.`,
  /** Shown before the confirmation of a change that ends the trial. */
  trialEnds: 'Seu teste grátis termina agora, e o novo plano é cobrado hoje.',
  /** Texts of the upgrade dialog for customers with the highest plan. */
  highest: {
    description: (plan: string) => `O ${plan} já é o nosso maior plano. Para criar outra automação, exclua uma: o slot volta na hora.`,
    manage: 'Minha assinatura',
  },
  ended: (date: string) => `Assinatura encerrada em ${date}`,
  kept: {
    title: 'O que espera por você',
    text: 'Nada roda enquanto a assinatura está parada, e nada foi apagado.',
    more: (count: number) => (count === 1 ? 'e mais 1 automação' : `e mais ${count} automações`),
  },
  /** A sentence in three parts, of which the middle one is the link to Minha Conta. */
  data: { before: 'Quer seus dados ou apagar a conta?', link: 'Minha Conta', after: 'continua aberta.' },
};
