import { planButton } from './plan-catalogue';

const plan = { name: 'Pro', max_slots: 3, trial_days: 0, price_id: 'price_pro' };
const subscription = { subscribed: true, plan_name: 'Plano Starter', max_slots: 1 };

describe('planButton', () => {
  it.each([
    ['Processando...', { plan, subscription, isBusy: true }],
    ['Plano Atual', { plan, subscription: { ...subscription, plan_name: 'Pro', max_slots: 3 }, isBusy: false }],
    ['Fazer Upgrade', { plan, subscription, isBusy: false }],
    ['Fazer Downgrade', { plan, subscription: { ...subscription, plan_name: 'Premium', max_slots: 6 }, isBusy: false }],
    ['Testar Grátis', { plan: { ...plan, trial_days: 7 }, subscription: null, isBusy: false }],
    ['Assinar Plano', { plan, subscription: null, isBusy: false }],
    ['Assinar Plano', { plan: { ...plan, trial_days: 7 }, subscription: null, hasHistory: true, isBusy: false }],
    ['Alterar Plano', { plan: { ...plan, name: 'Pro anual' }, subscription: { ...subscription, max_slots: 3 }, isBusy: false }],
  ])('is labelled %s', (label, facts) => {
    expect(planButton({ usedSlots: 1, ...facts }).label).toBe(label);
  });

  it('is disabled for a plan with fewer slots than are in use', () => {
    expect(planButton({ plan, subscription, usedSlots: 4, isBusy: false })).toMatchObject({
      isDisabled: true,
      tooManyUsed: 4,
    });
  });

  it('is disabled for a plan without a price', () => {
    expect(planButton({ plan: { ...plan, price_id: null }, subscription: null, usedSlots: 0, isBusy: false }).isDisabled).toBe(true);
  });
});
