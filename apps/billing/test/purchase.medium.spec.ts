import { randomUUID } from 'node:crypto';
import { eventually } from '@decola/testing';
import { BillingBench } from './support/billing-bench.js';

describe('buying a plan', () => {
  let bench: BillingBench;

  beforeAll(async () => {
    bench = await BillingBench.start();
  });
  afterAll(() => bench?.stop());

  it('shows everybody the catalogue, with the prices at Stripe', async () => {
    const { status, body } = await bench.rest(
      null,
      'subscription_plans?select=key,name,max_slots,price_cents,price_id,trial_days,is_popular,features&order=max_slots',
    );
    expect(status).toBe(200);
    expect(body).toMatchObject([
      { key: 'starter', name: 'Plano Starter', max_slots: 1, price_cents: 4900, trial_days: 7, is_popular: false },
      { key: 'pro', name: 'Pro', max_slots: 3, price_cents: 8900, trial_days: 0, is_popular: true },
      { key: 'premium', name: 'Premium', max_slots: 6, price_cents: 14900 },
    ]);
    expect((body as { features: string[] }[]).map(({ features }) => features.join(', '))).toEqual([
      '1 slot ativo, Todas as ferramentas, Suporte básico',
      '3 slots, Todas as ferramentas, Suporte prioritário',
      '6 slots, Todas as ferramentas, Suporte VIP',
    ]);
    for (const { price_id } of body as { price_id: string }[]) expect(price_id).toMatch(/^price_/);
  });

  it('refuses visitors, and answers a person without a plan', async () => {
    for (const name of ['check-subscription', 'create-checkout', 'change-plan', 'customer-portal'])
      expect(
        await bench.call(
          null,
          name,
          name === 'create-checkout' ? { price_id: 'x' } : name === 'change-plan' ? { new_price_id: 'x' } : undefined,
        ),
      ).toMatchObject({
        status: 401,
        body: { code: 'not_authenticated' },
      });
    const userId = randomUUID();
    expect(await bench.check(userId)).toMatchObject({
      subscribed: false,
      plan_name: null,
      max_slots: 0,
      used_slots: 0,
      subscription_end: null,
      is_trial: false,
    });
    expect(await bench.call(userId, 'customer-portal')).toMatchObject({ status: 404, body: { code: 'no_billing_account' } });
    expect(await bench.changePlan(userId, 'pro')).toMatchObject({
      status: 400,
      body: { code: 'no_active_subscription' },
    });
    expect(await bench.call(userId, 'create-checkout', { price_id: 'price_other' })).toMatchObject({
      status: 400,
      body: { code: 'unknown_price' },
    });
    expect(await bench.call(userId, 'create-checkout', {})).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  });

  it('starts the trial of the starter plan and publishes it once', async () => {
    const { userId } = await bench.customer('starter', '4000000760000002');
    await bench.settled();
    expect(await bench.check(userId)).toMatchObject({
      subscribed: true,
      plan_name: 'Plano Starter',
      max_slots: 1,
      is_trial: true,
      will_renew: true,
    });
    const messages = bench.messagesOf(userId).filter(({ cause }) => cause !== 'checked');
    expect(messages).toMatchObject([
      { cause: 'trial_started', state: { plan_key: 'starter', subscription_status: 'trialing', is_trial: true } },
    ]);
    expect(await bench.rest(userId, `subscriptions?select=id&user_id=eq.${userId}&limit=1`)).toMatchObject({
      status: 200,
      body: [{ id: expect.any(String) }],
    });
    expect(await bench.rest(randomUUID(), `subscriptions?select=id&user_id=eq.${userId}`)).toMatchObject({ body: [] });
  });

  it('is known when the browser returns before the webhook, which then changes nothing', async () => {
    await bench.sandbox.deliver({ paused: true });
    try {
      const userId = randomUUID();
      const { location } = await bench.sandbox.pay(await bench.openCheckout(userId, 'pro'));
      expect(location).toBe(`${bench.url}/adm?success=true`);
      expect(await bench.check(userId)).toMatchObject({ subscribed: true, plan_name: 'Pro', max_slots: 3, is_trial: false });
      await eventually(() => expect(bench.statesOf(userId).at(-1)).toMatchObject({ subscribed: true }));
      const published = bench.messagesOf(userId).length;
      await bench.sandbox.release('lifo');
      await bench.settled();
      expect(bench.messagesOf(userId)).toHaveLength(published);
    } finally {
      await bench.sandbox.deliver({ paused: false });
    }
  });

  it('ends in the same state whatever the order and number of deliveries, with a sequence without gaps', async () => {
    await bench.sandbox.deliver({ duplicate: 3, shuffle: true, delay_ms: 400, seed: 7 });
    try {
      const { userId, subscriptionId } = await bench.customer('starter', '5555555555554444');
      expect(await bench.changePlan(userId, 'premium')).toEqual({
        status: 200,
        body: { success: true, subscription: { plan_name: 'Premium' } },
      });
      await bench.stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: true });
      await bench.untilState(userId, { is_canceled: true, plan_name: 'Premium' });
      await bench.settled();
      const messages = bench.messagesOf(userId);
      bench.expectNoGap(userId);
      expect(messages.map(({ cause }) => cause)).toEqual(expect.arrayContaining(['trial_started', 'plan_changed', 'cancel_scheduled']));
      expect(messages.at(-1)).toMatchObject({ state: { subscribed: true, plan_key: 'premium', is_canceled: true, will_renew: false } });
    } finally {
      await bench.sandbox.deliverNormally();
    }
  });

  it('opens one page for a double click, and none for a subscriber', async () => {
    const userId = randomUUID();
    const [first, second] = await Promise.all([bench.openCheckout(userId, 'pro'), bench.openCheckout(userId, 'pro')]);
    expect(second).toBe(first);
    const customer = (await bench.customerIdOf(userId))!;
    expect((await bench.stripe.checkout.sessions.list({ customer })).data).toHaveLength(1);
    const other = await bench.openCheckout(userId, 'premium');
    expect(other).not.toBe(first);
    expect((await bench.stripe.checkout.sessions.list({ customer, status: 'open' })).data).toHaveLength(1);
    await bench.sandbox.pay(other);
    expect(await bench.call(userId, 'create-checkout', { price_id: await bench.priceOf('pro') })).toMatchObject({
      status: 409,
      body: { code: 'already_subscribed', error: 'Você já tem uma assinatura ativa.' },
    });
  });

  it('is refused while Stripe cannot be read', async () => {
    const { userId, subscriptionId } = await bench.customer('pro');
    await bench.stripe.subscriptions.cancel(subscriptionId);
    await bench.untilState(userId, { subscribed: false });
    await bench.settled();
    for (const fault of [
      { status: 503, body: '{}' },
      { status: 500, body: '{"message":"x"}' },
      { status: 502, body: '<html></html>' },
    ]) {
      await bench.sandbox.fail({ method: 'GET', path: '/v1/subscriptions', times: 50, when: 'before', ...fault });
      expect(await bench.call(userId, 'create-checkout', { price_id: await bench.priceOf('pro') })).toMatchObject({
        status: 502,
        body: { error: '', code: 'provider_unavailable' },
      });
      await bench.sandbox.clearFaults();
    }
  });

  it('creates one customer and one session when the answers are lost', async () => {
    const userId = randomUUID();
    await bench.sandbox.fail({ method: 'POST', path: '/v1/customers', times: 1, when: 'after', cut: true });
    await bench.sandbox.fail({ method: 'POST', path: '/v1/checkout/sessions', times: 1, when: 'after', cut: true });
    await bench.openCheckout(userId, 'pro', 'lost@example.com');
    expect((await bench.stripe.customers.list({ email: 'lost@example.com' })).data).toHaveLength(1);
    const [customer] = (await bench.stripe.customers.list({ email: 'lost@example.com' })).data;
    expect((await bench.stripe.checkout.sessions.list({ customer: customer!.id })).data).toHaveLength(1);
  });

  it('grants one trial: not again to the mailbox or to the card', async () => {
    const userId = randomUUID();
    await bench.sandbox.pay(await bench.openCheckout(userId, 'starter', 'an.a+1@gmail.com'), '4242424242424242');
    await bench.untilState(userId, { is_trial: true });

    const sameMailbox = randomUUID();
    const page = await (await fetch(await bench.openCheckout(sameMailbox, 'starter', 'ana@gmail.com'))).text();
    expect(page).not.toContain('Teste grátis');

    const sameCard = randomUUID();
    await bench.sandbox.pay(await bench.openCheckout(sameCard, 'starter', 'bia@example.com'), '4242424242424242');
    await eventually(async () => {
      const row = await bench.row<{ status: string }>('select status from billing_subscriptions where user_id = $1', [sameCard]);
      expect(row).toEqual({ status: 'canceled' });
    });
    expect(await bench.check(sameCard)).toMatchObject({ subscribed: false });
    await eventually(() => expect(bench.messagesOf(sameCard).map(({ cause }) => cause)).toContain('trial_refused'));
    const customer = (await bench.customerIdOf(sameCard))!;
    expect((await bench.stripe.charges.list({ customer })).data).toEqual([]);
  });

  it('keeps the older of two live subscriptions and refunds the other', async () => {
    const { userId, customerId, subscriptionId } = await bench.customer('pro');
    const [method] = (await bench.stripe.customers.listPaymentMethods(customerId)).data;
    const second = await bench.stripe.subscriptions.create({
      customer: customerId,
      items: [{ price: await bench.priceOf('premium') }],
      default_payment_method: method!.id,
      metadata: { user_id: userId },
    });
    const before = await Promise.all([subscriptionId, second.id].map((id) => bench.stripe.subscriptions.retrieve(id)));
    const [older] = before.sort((a, b) => a.created - b.created || (a.id < b.id ? -1 : 1));
    await eventually(async () => {
      const statuses = (await bench.stripe.subscriptions.list({ customer: customerId, status: 'all' })).data
        .map(({ status }) => status)
        .sort();
      expect(statuses).toEqual(['active', 'canceled']);
      expect((await bench.stripe.refunds.list({})).data.some(({ amount }) => amount === 14900 || amount === 8900)).toBe(true);
    });
    await bench.settled();
    expect(await bench.stripe.subscriptions.retrieve(older!.id)).toMatchObject({ status: 'active' });
    expect(await bench.check(userId)).toMatchObject({ subscribed: true, plan_name: older!.id === second.id ? 'Premium' : 'Pro' });
  });
});
