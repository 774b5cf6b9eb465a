import { randomUUID } from 'node:crypto';
import { eventually } from '@decola/testing';
import { BillingBench } from './support.js';

describe('buying a plan', () => {
  let bench: BillingBench;

  beforeAll(async () => {
    bench = await BillingBench.start();
  });
  afterAll(() => bench.stop());

  it('shows the catalogue to everybody, with the prices that Stripe sells', async () => {
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
    expect(await bench.call(userId, 'change-plan', { new_price_id: await bench.priceOf('pro') })).toMatchObject({
      status: 400,
      body: { code: 'no_active_subscription' },
    });
    expect(await bench.call(userId, 'create-checkout', { price_id: 'price_other' })).toMatchObject({
      status: 400,
      body: { code: 'unknown_price' },
    });
    expect(await bench.call(userId, 'create-checkout', {})).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  });

  it('gives the trial of the starter plan, and tells everybody once', async () => {
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

  it('knows a purchase when the browser returns before the webhook, and again nothing new after it', async () => {
    await bench.control('webhooks/policy', { paused: true });
    try {
      const userId = randomUUID();
      const { location } = await bench.pay(await bench.openCheckout(userId, 'pro'));
      expect(location).toBe(`${bench.url}/adm?success=true`);
      expect(await bench.check(userId)).toMatchObject({ subscribed: true, plan_name: 'Pro', max_slots: 3, is_trial: false });
      await eventually(() => expect(bench.statesOf(userId).at(-1)).toMatchObject({ subscribed: true }));
      const told = bench.messagesOf(userId).length;
      await bench.control('webhooks/release', { order: 'lifo' });
      await bench.settled();
      expect(bench.messagesOf(userId)).toHaveLength(told);
    } finally {
      await bench.control('webhooks/policy', { paused: false });
    }
  });

  it('ends in one state whatever the order and number of deliveries, with a sequence without gaps', async () => {
    await bench.control('webhooks/policy', { duplicate: 3, shuffle: true, delay_ms: 400, seed: 7 });
    try {
      const { userId, subscriptionId } = await bench.customer('starter', '5555555555554444');
      expect(await bench.call(userId, 'change-plan', { new_price_id: await bench.priceOf('premium') })).toEqual({
        status: 200,
        body: { success: true, subscription: { plan_name: 'Premium' } },
      });
      await bench.stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: true });
      await eventually(async () => expect(await bench.check(userId)).toMatchObject({ is_canceled: true, plan_name: 'Premium' }));
      await bench.settled();
      const messages = bench.messagesOf(userId);
      expect(messages.map(({ sequence }) => sequence)).toEqual(messages.map((_, index) => index + 1));
      expect(messages.map(({ cause }) => cause)).toEqual(expect.arrayContaining(['trial_started', 'plan_changed', 'cancel_scheduled']));
      expect(messages.at(-1)).toMatchObject({ state: { subscribed: true, plan_key: 'premium', is_canceled: true, will_renew: false } });
    } finally {
      await bench.control('webhooks/policy', { duplicate: 1, shuffle: false, delay_ms: 0 });
    }
  });

  it('gives a double click one page, and a subscriber none', async () => {
    const userId = randomUUID();
    const [first, second] = await Promise.all([bench.openCheckout(userId, 'pro'), bench.openCheckout(userId, 'pro')]);
    expect(second).toBe(first);
    const [account] = await bench.dataSource.query<{ stripe_customer_id: string }[]>(
      'select stripe_customer_id from billing_accounts where user_id = $1',
      [userId],
    );
    expect((await bench.stripe.checkout.sessions.list({ customer: account!.stripe_customer_id })).data).toHaveLength(1);
    const other = await bench.openCheckout(userId, 'premium');
    expect(other).not.toBe(first);
    expect((await bench.stripe.checkout.sessions.list({ customer: account!.stripe_customer_id, status: 'open' })).data).toHaveLength(1);
    await bench.pay(other);
    expect(await bench.call(userId, 'create-checkout', { price_id: await bench.priceOf('pro') })).toMatchObject({
      status: 409,
      body: { code: 'already_subscribed', error: 'Você já tem uma assinatura ativa.' },
    });
  });

  it('sells nothing while Stripe cannot be read', async () => {
    const { userId } = await bench.customer('pro');
    await bench.stripe.subscriptions.cancel(
      (
        await bench.dataSource.query<{ id: string }[]>(
          'select stripe_subscription_id as id from billing_subscriptions where user_id = $1',
          [userId],
        )
      )[0]!.id,
    );
    await eventually(async () => expect(await bench.check(userId)).toMatchObject({ subscribed: false }));
    await bench.settled();
    for (const fault of [
      { status: 503, body: '{}' },
      { status: 500, body: '{"message":"x"}' },
      { status: 502, body: '<html></html>' },
    ]) {
      await bench.control('faults', { method: 'GET', path: '/v1/subscriptions', times: 50, when: 'before', ...fault });
      expect(await bench.call(userId, 'create-checkout', { price_id: await bench.priceOf('pro') })).toMatchObject({
        status: 502,
        body: { error: '', code: 'provider_unavailable' },
      });
      await fetch(`${bench.sandboxUrl}/_emulator/api/faults`, { method: 'DELETE' });
    }
  });

  it('makes one customer and one session when the answers are lost', async () => {
    const userId = randomUUID();
    await bench.control('faults', { method: 'POST', path: '/v1/customers', when: 'after', cut: true });
    await bench.control('faults', { method: 'POST', path: '/v1/checkout/sessions', when: 'after', cut: true });
    await bench.openCheckout(userId, 'pro', 'lost@example.com');
    expect((await bench.stripe.customers.list({ email: 'lost@example.com' })).data).toHaveLength(1);
    const [customer] = (await bench.stripe.customers.list({ email: 'lost@example.com' })).data;
    expect((await bench.stripe.checkout.sessions.list({ customer: customer!.id })).data).toHaveLength(1);
  });

  it('gives one trial: not again to the person, to the mailbox, or to the card', async () => {
    const userId = randomUUID();
    await bench.pay(await bench.openCheckout(userId, 'starter', 'an.a+1@gmail.com'), '4242424242424242');
    await eventually(async () => expect(await bench.check(userId)).toMatchObject({ is_trial: true }));

    const sameMailbox = randomUUID();
    const page = await (await fetch(await bench.openCheckout(sameMailbox, 'starter', 'ana@gmail.com'))).text();
    expect(page).not.toContain('Teste grátis');

    const sameCard = randomUUID();
    await bench.pay(await bench.openCheckout(sameCard, 'starter', 'bia@example.com'), '4242424242424242');
    await eventually(async () => {
      const [row] = await bench.dataSource.query<{ status: string }[]>('select status from billing_subscriptions where user_id = $1', [
        sameCard,
      ]);
      expect(row).toEqual({ status: 'canceled' });
    });
    expect(await bench.check(sameCard)).toMatchObject({ subscribed: false });
    await eventually(() => expect(bench.messagesOf(sameCard).map(({ cause }) => cause)).toContain('trial_refused'));
    const [account] = await bench.dataSource.query<{ stripe_customer_id: string }[]>(
      'select stripe_customer_id from billing_accounts where user_id = $1',
      [sameCard],
    );
    expect((await bench.stripe.charges.list({ customer: account!.stripe_customer_id })).data).toEqual([]);
  });

  it('keeps the older of two live subscriptions and gives the other back', async () => {
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
