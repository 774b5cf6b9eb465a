import { subscriptionSummary } from './subscription-summary';

const state = {
  subscribed: true,
  plan_name: 'Pro',
  max_slots: 3,
  used_slots: 1,
  // Late in the evening in São Paulo, already the next day in UTC.
  subscription_end: '2026-12-21T01:30:00Z',
  is_trial: false,
  trial_ends_at: null,
  is_canceled: false,
  is_past_due: false,
  will_renew: false,
};

it.each([
  [
    'trial',
    { is_trial: true, trial_ends_at: '2026-11-28T12:00:00Z' },
    'Período de teste',
    'Seu teste grátis termina em 28 de novembro de 2026.',
  ],
  ['canceled', { is_canceled: true }, 'Cancelada', 'Seu acesso vai até 20 de dezembro de 2026. A assinatura não será renovada.'],
  [
    'canceled within the trial',
    { is_canceled: true, is_trial: true },
    'Cancelada',
    'Seu acesso vai até 20 de dezembro de 2026. A assinatura não será renovada.',
  ],
  [
    'past due',
    { is_past_due: true, will_renew: true },
    'Pagamento pendente',
    'Houve um problema com o pagamento. Seu acesso vai até 20 de dezembro de 2026.',
  ],
  ['renewing', { will_renew: true }, 'Ativa', 'Renova automaticamente em 20 de dezembro de 2026.'],
  ['not renewing', {}, 'Ativa', 'Válida até 20 de dezembro de 2026.'],
])('sums up a subscription that is %s', (_, facts, badge, text) => {
  expect(subscriptionSummary({ ...state, ...facts })).toMatchObject({ badge, text });
});
