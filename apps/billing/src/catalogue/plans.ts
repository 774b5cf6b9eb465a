import { type PlanKey, planTerms, type PlanTerms } from '@decola/contracts';

/** One plan of the catalogue, and what Stripe must know of it. */
export interface Plan extends PlanTerms {
  id: string;
  key: PlanKey;
  name: string;
  description: string;
  features: readonly string[];
  stripeProductId: string;
  /** Found again by this key; a new amount is a new key. */
  priceLookupKey: string;
}

/** The one catalogue, smallest plan first. The database is the authority; Stripe holds the matching objects. */
export const plans: readonly Plan[] = [
  {
    id: '5b0f6c1e-3f4a-4b1c-9a54-0d1c6f1a0001',
    key: 'starter',
    ...planTerms.starter,
    name: 'Plano Starter',
    description: 'Para começar a crescer',
    features: ['1 slot ativo', 'Todas as ferramentas', 'Suporte básico'],
    stripeProductId: 'decola_starter',
    priceLookupKey: 'starter_brl_month_v1',
  },
  {
    id: '5b0f6c1e-3f4a-4b1c-9a54-0d1c6f1a0002',
    key: 'pro',
    ...planTerms.pro,
    name: 'Pro',
    description: 'Para quem quer crescer mais rápido',
    features: ['3 slots ativos', 'Todas as ferramentas', 'Suporte por e-mail'],
    stripeProductId: 'decola_pro',
    priceLookupKey: 'pro_brl_month_v1',
  },
  {
    id: '5b0f6c1e-3f4a-4b1c-9a54-0d1c6f1a0003',
    key: 'premium',
    ...planTerms.premium,
    name: 'Premium',
    description: 'Para quem quer o máximo',
    features: ['6 slots ativos', 'Todas as ferramentas', 'Suporte prioritário'],
    stripeProductId: 'decola_premium',
    priceLookupKey: 'premium_brl_month_v1',
  },
];

export function planByKey(key: PlanKey): Plan {
  const plan = plans.find((each) => each.key === key);
  if (!plan) throw new Error(`no plan ${key}`);
  return plan;
}
