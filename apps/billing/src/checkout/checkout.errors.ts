import { Refusal } from '@decola/service-kit';
import { checkoutRefusals, planRefusals } from '../texts/texts.js';

export const alreadySubscribed = () => new Refusal(409, 'already_subscribed', checkoutRefusals.alreadySubscribed);
/** The person asked for another checkout page while this one was being created. */
export const checkoutSuperseded = () => new Refusal(409, 'change_in_progress', planRefusals.changeInProgress);
