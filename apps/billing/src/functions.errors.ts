import { type ErrorDetails, Refusal } from '@decola/service-kit';

export const unknownPrice = () => new Refusal(400, 'unknown_price', 'Plano não encontrado. Atualize a página.');
export const alreadySubscribed = () => new Refusal(409, 'already_subscribed', 'Você já tem uma assinatura ativa.');
export const slotsExceedPlan = (used: number) =>
  new Refusal(409, 'slots_exceed_plan', `Você tem ${used} automações criadas. Exclua algumas para escolher este plano.`);
export const noActiveSubscription = () => new Refusal(400, 'no_active_subscription', 'Você não tem uma assinatura ativa.');
export const noBillingAccount = () => new Refusal(404, 'no_billing_account', 'Você ainda não tem uma assinatura.');
/** @param sentence Stripe's own; the page looks for "No configuration provided" in it. */
export const portalNotConfigured = (sentence: string) => new Refusal(400, 'portal_not_configured', sentence);

/** What a person can mend: functions/v1 answers it 200 with `success: false`, and the page shows its text. */
const expected = (code: string, message: string, details: ErrorDetails = {}) =>
  new Refusal(200, code, message, { details: { success: false, ...details } });

export const samePlan = () => expected('same_plan', 'Este já é o seu plano.');
export const paymentPending = () => expected('payment_pending', 'Há um pagamento pendente. Regularize em Minha Assinatura.');
export const changeInProgress = () => expected('change_in_progress', 'Uma alteração já está em andamento. Aguarde um instante.');
export const cardDeclined = (message: string) => expected('card_declined', message);
export const authenticationRequired = (url: string | undefined) =>
  expected('authentication_required', 'Seu banco pediu uma confirmação. Continue em Minha Assinatura.', url ? { url } : {});
