import { type ErrorDetails, Refusal } from '@decola/service-kit';
import { changePlanRefusals, planRefusals } from '../texts/texts.js';

export const noActiveSubscription = () => new Refusal(400, 'no_active_subscription', changePlanRefusals.noActiveSubscription);

/** A refusal that the person can resolve: change-plan answers it with status 200 and `success: false`, and the web app shows its text. */
const resolvable = (code: string, message: string, details: ErrorDetails = {}) =>
  new Refusal(200, code, message, { details: { success: false, ...details } });

export const samePlan = () => resolvable('same_plan', changePlanRefusals.samePlan);
export const paymentPending = () => resolvable('payment_pending', changePlanRefusals.paymentPending);
export const changeInProgress = () => resolvable('change_in_progress', planRefusals.changeInProgress);
export const cardDeclined = (message: string) => resolvable('card_declined', message);
/** @param url page of the customer portal where the bank's question is answered; undefined when none could be created. */
export const authenticationRequired = (url: string | undefined) =>
  resolvable('authentication_required', changePlanRefusals.authenticationRequired, url ? { url } : {});
