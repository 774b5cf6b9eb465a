import type { PlanKey } from './events.js';

/** What a plan includes and costs. Its name belongs to the page that shows it. */
export interface PlanTerms {
  maxSlots: number;
  /** Centavos a month. */
  priceCents: number;
  /** 0: no trial. */
  trialDays: number;
  isPopular: boolean;
}

/** The only source of prices and slots: billing charges these, and the landing page shows these. */
export const planTerms: Readonly<Record<PlanKey, PlanTerms>> = {
  starter: { maxSlots: 1, priceCents: 4_900, trialDays: 7, isPopular: false },
  pro: { maxSlots: 3, priceCents: 8_900, trialDays: 0, isPopular: true },
  premium: { maxSlots: 6, priceCents: 14_900, trialDays: 0, isPopular: false },
};

/** Customers read these: one promise for each plan, on the landing page and in the app. */
const supportTexts: Readonly<Record<PlanKey, string>> = {
  starter: 'Suporte básico',
  pro: 'Suporte prioritário',
  premium: 'Suporte VIP',
};

const slotsText = (slots: number) => (slots === 1 ? '1 slot ativo' : `${slots} slots`);

/** What a plan promises, in the order in which its card shows it. */
export const planFeatures = (key: PlanKey): readonly string[] => [
  slotsText(planTerms[key].maxSlots),
  'Todas as ferramentas',
  supportTexts[key],
];
