import { Refusal } from '@decola/service-kit';
import { planRefusals } from '../texts/texts.js';

/** No plan is on sale at this price. */
export const unknownPrice = () => new Refusal(400, 'unknown_price', planRefusals.unknownPrice);
/** @param used slots that the person's automations use now; more than the wanted plan has. */
export const slotsExceedPlan = (used: number) => new Refusal(409, 'slots_exceed_plan', planRefusals.slotsExceedPlan(used));
