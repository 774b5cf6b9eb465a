import { Refusal } from '@decola/service-kit';
import { portalRefusals } from '../texts/texts.js';

export const noBillingAccount = () => new Refusal(404, 'no_billing_account', portalRefusals.noBillingAccount);
/** @param sentence Stripe's own; the web app looks for "No configuration provided" in it. */
export const portalNotConfigured = (sentence: string) => new Refusal(400, 'portal_not_configured', sentence);
