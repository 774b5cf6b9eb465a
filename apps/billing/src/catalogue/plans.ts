import { planFeatures, type PlanKey, planTerms, type PlanTerms } from '@decola/contracts';
import { planTexts } from '../texts/texts.js';

/** One plan of the catalogue, with the ids of its objects at Stripe. Slots, price, trial and promises come from contracts. */
export interface Plan extends PlanTerms {
  id: string;
  key: PlanKey;
  name: string;
  description: string;
  features: readonly string[];
  stripeProductId: string;
  /** Finds the price at Stripe. A Stripe price cannot change its amount: a new amount needs a new key. */
  priceLookupKey: string;
}

/** The one catalogue, smallest plan first. Migrations copied it into `subscription_plans`; `provision` creates the matching objects at Stripe. */
export const plans: readonly Plan[] = [
  {
    id: '5b0f6c1e-3f4a-4b1c-9a54-0d1c6f1a0001',
    key: 'starter',
    ...planTerms.starter,
    ...planTexts.starter,
    features: planFeatures('starter'),
    stripeProductId: 'decola_starter',
    priceLookupKey: 'starter_brl_month_v1',
  },
  {
    id: '5b0f6c1e-3f4a-4b1c-9a54-0d1c6f1a0002',
    key: 'pro',
    ...planTerms.pro,
    ...planTexts.pro,
    features: planFeatures('pro'),
    stripeProductId: 'decola_pro',
    priceLookupKey: 'pro_brl_month_v1',
  },
  {
    id: '5b0f6c1e-3f4a-4b1c-9a54-0d1c6f1a0003',
    key: 'premium',
    ...planTerms.premium,
    ...planTexts.premium,
    features: planFeatures('premium'),
    stripeProductId: 'decola_premium',
    priceLookupKey: 'premium_brl_month_v1',
  },
];

export function planByKey(key: PlanKey): Plan {
  const plan = plans.find((each) => each.key === key);
  if (!plan) throw new Error(`no plan ${key}`);
  return plan;
}
