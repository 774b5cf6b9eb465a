import { type PlanKey, planTerms } from '@decola/contracts';

/** The public words of the landing page. Prices and slots are not here: they come from the one catalogue. */
export const heroWords = ['seu Instagram', 'seu marketing', 'seu engajamento'] as const;

export const claims = [
  { value: '10k+', label: 'usuários' },
  { value: '4.9/5', label: 'de avaliação' },
  { value: '100%', label: 'seguro' },
] as const;

export const anchors = [
  { id: 'inicio', label: 'Início' },
  { id: 'ferramentas', label: 'Ferramentas' },
  { id: 'planos', label: 'Planos' },
  { id: 'depoimentos', label: 'Depoimentos' },
] as const;

const planWords: Record<PlanKey, { name: string; support: string }> = {
  starter: { name: 'Gratuito', support: 'Suporte básico' },
  pro: { name: 'Básico', support: 'Suporte prioritário' },
  premium: { name: 'Pro', support: 'Suporte VIP' },
};

const slotsText = (slots: number) => (slots === 1 ? '1 slot ativo' : `${slots} slots`);

export const landingPlans = (Object.keys(planTerms) as PlanKey[]).map((key) => {
  const { name, support } = planWords[key];
  const { maxSlots, priceCents, trialDays, isPopular } = planTerms[key];
  return { key, name, priceCents, trialDays, isPopular, items: [slotsText(maxSlots), 'Todas as ferramentas', support] };
});

export interface Testimonial {
  /** As the customer wrote them. */
  words: string;
  name: string;
  /** What they do, and their profile when they want it shown. */
  role: string;
}

/** Words of real customers who allowed them to be shown. Empty until there are some: the page then says what we promise instead. */
export const testimonials: readonly Testimonial[] = [];
