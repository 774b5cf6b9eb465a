import type { PlanKey } from './events.js';

/** What a plan gives and costs. Names and selling points belong to those who show it. */
export interface PlanTerms {
  maxSlots: number;
  /** Centavos a month. */
  priceCents: number;
  /** 0: no trial. */
  trialDays: number;
  isPopular: boolean;
}

/** The one source of prices and slots: billing sells by it, the landing page advertises by it. */
export const planTerms: Readonly<Record<PlanKey, PlanTerms>> = {
  starter: { maxSlots: 1, priceCents: 4_900, trialDays: 7, isPopular: false },
  pro: { maxSlots: 3, priceCents: 8_900, trialDays: 0, isPopular: true },
  premium: { maxSlots: 6, priceCents: 14_900, trialDays: 0, isPopular: false },
};
