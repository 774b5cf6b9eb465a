/** Every sentence of billing that a customer reads, grouped by where it is shown. */
import type { PlanKey } from '@decola/contracts';

/** Plan cards of the app; the names also stand on Stripe's pages and invoices. What a plan promises is `planFeatures` of contracts. */
export const planTexts: Record<PlanKey, { name: string; description: string }> = {
  starter: {
    name: 'Plano Starter',
    description: 'Para começar a crescer',
  },
  pro: {
    name: 'Pro',
    description: 'Para quem quer crescer mais rápido',
  },
  premium: {
    name: 'Premium',
    description: 'Para quem quer o máximo',
  },
};

/** Refusals of create-checkout and change-plan alike. */
export const planRefusals = {
  unknownPrice: 'Plano não encontrado. Atualize a página.',
  /** A proposal for the owner: billing counts slots, of which an automation may use two. @param used always more than one */
  slotsExceedPlan: (used: number) => `Suas automações usam ${used} slots. Exclua algumas para escolher este plano.`,
  changeInProgress: 'Uma alteração já está em andamento. Aguarde um instante.',
};

/** Refusals of create-checkout. */
export const checkoutRefusals = {
  alreadySubscribed: 'Você já tem uma assinatura ativa.',
};

/** Refusals of change-plan. */
export const changePlanRefusals = {
  noActiveSubscription: 'Você não tem uma assinatura ativa.',
  samePlan: 'Este já é o seu plano.',
  paymentPending: 'Há um pagamento pendente. Regularize em Minha Assinatura.',
  authenticationRequired: 'Seu banco pediu uma confirmação. Continue em Minha Assinatura.',
};

/** Refusals of customer-portal. */
export const portalRefusals = {
  noBillingAccount: 'Você ainda não tem uma assinatura.',
};

/** Why a card was refused, by Stripe's decline code. Lost, stolen and fraudulent cards get the default, so that a thief learns nothing. */
export const cardRefusals: Readonly<Record<string, string>> & { readonly default: string } = {
  insufficient_funds: 'Saldo ou limite insuficiente no cartão.',
  expired_card: 'Cartão vencido.',
  incorrect_cvc: 'Código de segurança incorreto.',
  processing_error: 'O banco não respondeu. Tente novamente.',
  default: 'O cartão foi recusado. Use outro cartão.',
};

/** Description of each file in the READ ME of a person's data export. */
export const accountExportTexts = {
  billingAccount:
    'Sua conta de cobrança: o número de cliente na Stripe, o e-mail que recebe os recibos, o que o seu plano dá direito agora e quantas vagas estão em uso.',
  subscriptions: 'As suas assinaturas, de agora e de antes: plano, período, situação e cancelamento.',
  payments: 'Os pagamentos das suas assinaturas, em centavos de real.',
  orders: 'Os pedidos de assinatura e de troca de plano que você fez, e o que foi feito deles.',
  notices: 'Quando avisamos você sobre a assinatura.',
};
