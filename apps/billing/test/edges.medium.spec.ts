import { randomUUID } from 'node:crypto';
import { eventually } from '@decola/testing';
import { SubscriptionComparison } from '../src/reconciliation/subscription-comparison.js';
import { StripeClient } from '../src/stripe/stripe-client.js';
import { BillingBench, day, hour } from './support/billing-bench.js';

/** In which a late request takes effect, if it does. */
const lateRequestMs = 1_500;
/** Stripe counts whole seconds. */
const nextSecondMs = 1_100;

describe('a subscription in unusual situations', () => {
  let bench: BillingBench;

  beforeAll(async () => {
    bench = await BillingBench.start();
  });
  afterAll(() => bench?.stop());
  beforeEach(() => bench.forgetTrialCards());
  afterEach(async () => {
    await bench.sandbox.clearFaults();
    await bench.sandbox.control('settings', { dunning: [3, 5, 7], final_action: 'cancel' });
  });

  const post = (url: string, fields: Record<string, string> = {}) =>
    fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  const newCard = { cardNumber: '5555555555554444', cardExpiry: '12/34', cardCvc: '123' };

  it.each(['starter', 'pro'])('of %s gives nothing until it is paid, and everything as soon as the browser is back', async (plan) => {
    await bench.sandbox.deliver({ paused: true });
    try {
      const userId = randomUUID();
      const checkout = await bench.openCheckout(userId, plan);
      expect(await bench.check(userId)).toMatchObject({ subscribed: false, plan_name: null, max_slots: 0 });
      await bench.sandbox.pay(checkout);
      const before = await bench.check(userId);
      expect(before).toMatchObject({ subscribed: true, is_trial: plan === 'starter' });
      await bench.sandbox.release('fifo');
      await bench.settled();
      expect(await bench.check(userId)).toEqual(before);
    } finally {
      await bench.sandbox.deliver({ paused: false });
    }
  });

  it('recovers from an unpaid renewal by a new card in the portal', async () => {
    const { userId, customerId } = await bench.customer('pro');
    await bench.sandbox.useCard(customerId, 'chargeCustomerFail');
    await bench.sandbox.shift(customerId, 31 * day + 2 * hour);
    await bench.untilState(userId, { subscribed: true, is_past_due: true, plan_name: 'Pro' });
    const portal = await bench.portalUrl(userId);
    expect((await post(`${portal}/card`, newCard)).status).toBe(200);
    await bench.sandbox.shift(customerId, 3 * day + 2 * hour);
    await bench.untilState(userId, { subscribed: true, is_past_due: false, will_renew: true });
    await eventually(() => expect(bench.messagesOf(userId).at(-1)).toMatchObject({ cause: 'payment_recovered' }));
  });

  it('ends when every attempt to charge failed and the grace period is over', async () => {
    const { userId, customerId } = await bench.customer('pro');
    await bench.sandbox.useCard(customerId, 'chargeCustomerFail');
    await bench.sandbox.shift(customerId, 31 * day + 2 * hour);
    await bench.untilState(userId, { subscribed: true, is_past_due: true });
    await bench.sandbox.shift(customerId, 8 * day);
    await bench.untilState(userId, { subscribed: false, is_past_due: false, is_canceled: true, max_slots: 0 });
    await eventually(() =>
      expect(bench.messagesOf(userId).at(-1)).toMatchObject({ state: { subscription_status: 'canceled', subscribed: false } }),
    );
    // A former customer may buy again, without another trial.
    expect(await bench.sandbox.pay(await bench.openCheckout(userId, 'starter'))).toMatchObject({ status: 303 });
    await bench.untilState(userId, { subscribed: true, is_trial: false, plan_name: 'Plano Starter' });
  });

  it('looks the same whether it was canceled in the portal or by the API, and both can be undone', async () => {
    const [inPortal, byApi] = [await bench.customer('pro'), await bench.customer('pro')];
    await post(`${await bench.portalUrl(inPortal.userId)}/cancel`, { feedback: 'unused' });
    await bench.stripe.subscriptions.update(byApi.subscriptionId, { cancel_at_period_end: true });
    const encodings = await Promise.all(
      [inPortal, byApi].map(async ({ subscriptionId }) => (await bench.stripe.subscriptions.retrieve(subscriptionId)).cancel_at_period_end),
    );
    expect(encodings).toEqual([false, true]);
    const canceled = { subscribed: true, is_canceled: true, will_renew: false, plan_name: 'Pro', max_slots: 3 };
    for (const { userId, subscriptionId } of [inPortal, byApi]) {
      await bench.untilState(userId, canceled);
      const [item] = (await bench.stripe.subscriptions.retrieve(subscriptionId)).items.data;
      expect(await bench.check(userId)).toMatchObject({ subscription_end: new Date(item!.current_period_end * 1000).toISOString() });
      await post(`${await bench.portalUrl(userId)}/renew`);
      await bench.untilState(userId, { ...canceled, is_canceled: false, will_renew: true });
    }
  });

  it('continues after an upgrade although it was canceled', async () => {
    const { userId, subscriptionId } = await bench.customer('pro');
    await post(`${await bench.portalUrl(userId)}/cancel`);
    await bench.untilState(userId, { is_canceled: true });
    expect(await bench.changePlan(userId, 'premium')).toMatchObject({
      body: { success: true },
    });
    expect(await bench.check(userId)).toMatchObject({ plan_name: 'Premium', is_canceled: false, will_renew: true });
    expect(await bench.stripe.subscriptions.retrieve(subscriptionId)).toMatchObject({ cancel_at: null, cancel_at_period_end: false });
  });

  it('keeps the smaller plan when an automation was created during the downgrade', async () => {
    const { userId } = await bench.customer('premium');
    expect(await bench.changePlan(userId, 'pro')).toMatchObject({
      body: { success: true },
    });
    await bench.publishSlots(userId, 4, 1);
    await bench.untilState(userId, { plan_name: 'Pro', max_slots: 3, used_slots: 4 });
    await eventually(() => expect(bench.statesOf(userId).at(-1)).toMatchObject({ plan_key: 'pro', max_slots: 3 }));
  });

  it('changes once however often the button is pressed', async () => {
    const { userId, subscriptionId } = await bench.customer('pro');
    const premium = { new_price_id: await bench.priceOf('premium') };
    const answers = await Promise.all(Array.from({ length: 4 }, () => bench.call(userId, 'change-plan', premium)));
    expect(answers.filter(({ body }) => body['success'] === true)).toHaveLength(1);
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      if (body['success'] !== true) expect(['change_in_progress', 'same_plan']).toContain(body['code']);
    }
    const upgrades = (await bench.stripe.invoices.list({ subscription: subscriptionId })).data.filter(
      ({ billing_reason: reason }) => reason === 'subscription_update',
    );
    expect(upgrades).toHaveLength(1);
  });

  it('changes once although the first answer came after the request had timed out', async () => {
    const { userId, subscriptionId } = await bench.customer('pro');
    await bench.sandbox.fail({
      method: 'POST',
      path: `/v1/subscriptions/${subscriptionId}`,
      times: 1,
      when: 'after',
      latency_ms: 9_000,
      cut: true,
    });
    expect(await bench.changePlan(userId, 'premium')).toMatchObject({
      status: 200,
      body: { success: true },
    });
    await new Promise((resolve) => setTimeout(resolve, lateRequestMs));
    const invoices = (await bench.stripe.invoices.list({ subscription: subscriptionId })).data;
    expect(invoices.filter(({ billing_reason: reason }) => reason === 'subscription_update')).toHaveLength(1);
    expect(await bench.check(userId)).toMatchObject({ plan_name: 'Premium' });
  });

  /** A person who pays Pro and then Premium in two tabs. */
  const buyTwice = async (): Promise<{ userId: string; customer: string }> => {
    const userId = randomUUID();
    const first = await bench.openCheckout(userId, 'pro');
    const customer = (await bench.customerIdOf(userId))!;
    const second = await bench.stripe.checkout.sessions.create({
      mode: 'subscription',
      customer,
      line_items: [{ price: await bench.priceOf('premium'), quantity: 1 }],
      success_url: `${bench.url}/adm?success=true`,
      subscription_data: { metadata: { user_id: userId } },
    });
    await bench.sandbox.pay(first);
    await new Promise((resolve) => setTimeout(resolve, nextSecondMs));
    await bench.sandbox.pay(String(second.url));
    return { userId, customer };
  };
  const chargesOf = async (customer: string) =>
    (await bench.stripe.charges.list({ customer })).data.map(({ amount, refunded }) => [amount, refunded]);
  const statusesOf = async (customer: string) =>
    (await bench.stripe.subscriptions.list({ customer, status: 'all' })).data.map(({ status }) => status);
  const untilRefunded = (customer: string) =>
    eventually(
      async () => {
        expect(await statusesOf(customer)).toEqual(['canceled', 'active']);
        expect(await chargesOf(customer)).toEqual([
          [14_900, true],
          [8_900, false],
        ]);
      },
      { timeoutMs: 60_000 },
    );

  it('is the only one although two pages were paid in two tabs: the later payment is refunded', async () => {
    const { userId, customer } = await buyTwice();
    await untilRefunded(customer);
    await bench.settled();
    expect(await bench.check(userId)).toMatchObject({ subscribed: true, plan_name: 'Pro' });
    bench.expectNoGap(userId);
    expect(await bench.call(userId, 'create-checkout', { price_id: await bench.priceOf('pro') })).toMatchObject({
      status: 409,
      body: { code: 'already_subscribed' },
    });
  });

  it.each([
    ['the refund', 'POST', '/v1/refunds'],
    ['the cancellation', 'DELETE', '/v1/subscriptions/'],
  ])('refunds the later of two payments once, although %s failed the first time', async (_name, method, path) => {
    await bench.sandbox.fail({ method, path, times: 3, status: 503 }); // the package tries three times
    const { userId, customer } = await buyTwice();
    await untilRefunded(customer);
    await bench.settled({ timeoutMs: 60_000 });
    expect(await bench.check(userId)).toMatchObject({ subscribed: true, plan_name: 'Pro' });
    const [charge] = (await bench.stripe.charges.list({ customer })).data;
    expect(charge).toMatchObject({ amount_refunded: 14_900 });
  });

  it('alerts operators about a key that may not refund a second payment, and refunds it when it may', async () => {
    const alert = jest.spyOn(bench.app.get(StripeClient), 'alert');
    try {
      await bench.sandbox.fail({
        method: 'POST',
        path: '/v1/refunds',
        times: 1_000,
        status: 403,
        error: { type: 'invalid_request_error', message: "Having the 'rak_charge_write' permission would allow this request to continue." },
      });
      const { userId, customer } = await buyTwice();
      const [younger] = (await bench.stripe.subscriptions.list({ customer })).data;
      const expectAlert = (text: RegExp) =>
        expect(alert).toHaveBeenCalledWith(
          expect.stringMatching(text),
          expect.objectContaining({ user: userId, subscription: younger!.id }),
        );
      await eventually(() => expectAlert(/refuses to refund/), { timeoutMs: 30_000 });
      // Reported as refused, and the comparison continues with the others.
      expect((await bench.app.get(SubscriptionComparison).compareAll()).refused).toEqual([younger!.id]);
      expect(await statusesOf(customer)).toEqual(['active', 'active']);
      expect(await bench.check(userId)).toMatchObject({ subscribed: true, plan_name: 'Pro' });
      expect(() => expectAlert(/was refunded/)).toThrow();
      await bench.sandbox.clearFaults();
      await untilRefunded(customer);
      await eventually(() => expectAlert(/was refunded/));
    } finally {
      alert.mockRestore();
    }
    await bench.settled({ timeoutMs: 60_000 });
  });

  it.each([
    ['disputed', 'charge_disputed', /disputed/],
    ['refunded by somebody else', 'charge_already_refunded', /was refunded/],
  ])('cancels the later of two subscriptions although its charge was %s just now, and alerts operators', async (_name, code, text) => {
    const alert = jest.spyOn(bench.app.get(StripeClient), 'alert');
    try {
      await bench.sandbox.fail({
        method: 'POST',
        path: '/v1/refunds',
        times: 1_000,
        status: 400,
        error: { type: 'invalid_request_error', code },
      });
      const { userId, customer } = await buyTwice();
      await eventually(async () => expect(await statusesOf(customer)).toEqual(['canceled', 'active']), { timeoutMs: 30_000 });
      await bench.settled({ timeoutMs: 60_000 });
      const [younger] = (await bench.stripe.subscriptions.list({ customer, status: 'canceled' })).data;
      expect(alert).toHaveBeenCalledWith(expect.stringMatching(text), expect.objectContaining({ user: userId, subscription: younger!.id }));
      expect(alert).not.toHaveBeenCalledWith(expect.stringMatching(/refuses/), expect.anything());
      expect(await bench.check(userId)).toMatchObject({ subscribed: true, plan_name: 'Pro' });
    } finally {
      alert.mockRestore();
    }
  });

  it.each([
    ['an empty 503', { status: 503, body: '{}' }],
    ['a 500 without an error', { status: 500, body: '{"message":"x"}' }],
    ['a page of HTML', { status: 502, body: '<html></html>' }],
    ['a cut connection', { cut: true }],
    ['too many requests', { status: 429, error: { code: 'rate_limit' } }],
  ])('stays unchanged when Stripe answers with %s', async (_name, answer) => {
    const { userId, subscriptionId } = await bench.customer('pro');
    await bench.settled();
    const [state, published] = [await bench.check(userId), bench.messagesOf(userId).length];
    const premium = { new_price_id: await bench.priceOf('premium') };
    const unavailable = { status: 502, body: { error: '', code: 'provider_unavailable' } };
    for (const path of [`/v1/subscriptions/${subscriptionId}`, '/v1/billing_portal/sessions'])
      await bench.sandbox.fail({ path, ...answer });
    expect(await bench.call(userId, 'change-plan', premium)).toMatchObject(unavailable);
    expect(await bench.call(userId, 'customer-portal')).toMatchObject(unavailable);
    expect(await bench.check(userId)).toEqual(state);
    await bench.sandbox.clearFaults();
    // Only the change itself fails; everything before it can be read.
    await bench.sandbox.fail({ method: 'POST', path: `/v1/subscriptions/${subscriptionId}`, ...answer });
    expect(await bench.call(userId, 'change-plan', premium)).toMatchObject(unavailable);
    expect(await bench.check(userId)).toEqual(state);
    expect(bench.messagesOf(userId)).toHaveLength(published);
    const visitor = randomUUID();
    await bench.sandbox.fail({ path: '/v1/checkout/sessions', ...answer });
    expect(await bench.call(visitor, 'create-checkout', { price_id: await bench.priceOf('pro') })).toMatchObject(unavailable);
    await bench.sandbox.clearFaults();
    // The next try continues where the first one stopped.
    expect(await bench.sandbox.pay(await bench.openCheckout(visitor, 'pro'))).toMatchObject({ status: 303 });
  });

  // Stripe stores its answers under the idempotency key for 24 hours, its own failures too.
  const keptFailure = { method: 'POST', status: 500, times: 1, kept: true };

  it.each(['/v1/customers', '/v1/checkout/sessions'])(
    'can be bought by the next try after a failure at %s that Stripe stores',
    async (path) => {
      const visitor = randomUUID();
      await bench.sandbox.fail({ ...keptFailure, path });
      const { status } = await bench.call(visitor, 'create-checkout', { price_id: await bench.priceOf('pro') });
      expect([200, 502]).toContain(status);
      expect(await bench.sandbox.pay(await bench.openCheckout(visitor, 'pro'))).toMatchObject({ status: 303 });
      await bench.untilState(visitor, { subscribed: true });
      const customers = (await bench.stripe.customers.list({ limit: 100 })).data.filter(({ metadata }) => metadata['user_id'] === visitor);
      expect(customers).toHaveLength(1);
      const customer = customers[0]!.id;
      expect((await bench.stripe.checkout.sessions.list({ customer, status: 'open' })).data).toEqual([]);
    },
  );

  it('can be changed by the next try after a failure that Stripe stores', async () => {
    const { userId, subscriptionId } = await bench.customer('pro');
    const premium = { new_price_id: await bench.priceOf('premium') };
    await bench.sandbox.fail({ ...keptFailure, path: `/v1/subscriptions/${subscriptionId}` });
    expect(await bench.call(userId, 'change-plan', premium)).toMatchObject({ status: 502, body: { code: 'provider_unavailable' } });
    expect(await bench.call(userId, 'change-plan', premium)).toMatchObject({ status: 200, body: { success: true } });
    const invoices = (await bench.stripe.invoices.list({ subscription: subscriptionId })).data;
    expect(invoices.filter(({ billing_reason: reason }) => reason === 'subscription_update')).toHaveLength(1);
  });

  it('answers a check from the database while Stripe hangs, before the web app gives up', async () => {
    const { userId, subscriptionId } = await bench.customer('pro');
    await bench.settled();
    await bench.dataSource.query(
      `update billing_subscriptions set fetched_at = now() - interval '2 days' where stripe_subscription_id = $1`,
      [subscriptionId],
    );
    await bench.sandbox.fail({ path: '/v1/subscriptions', latency_ms: 20_000, cut: true });
    const began = Date.now();
    expect(await bench.check(userId)).toMatchObject({ subscribed: true, plan_name: 'Pro' });
    // oxlint-disable-next-line tests/measures-no-speed -- the deadline of the web app is what this is about; a long run, with nothing beside it
    expect(Date.now() - began).toBeLessThan(9_000);
  });

  it.each([
    ['starter', ['Pro', 'Premium'], []],
    ['pro', ['Premium'], ['Plano Starter']],
    ['premium', [], ['Plano Starter', 'Pro']],
  ])('of %s offers only larger plans in the portal', async (plan, larger, smaller) => {
    const { userId } = await bench.customer(plan);
    const html = await (await fetch(await bench.portalUrl(userId))).text();
    for (const name of larger) expect(html).toContain(`Mudar para ${name} `);
    for (const name of smaller) expect(html).not.toContain(`Mudar para ${name} `);
  });

  it.each(['none', 'trialing', 'active', 'canceled at period end', 'past_due', 'unpaid', 'canceled', 'open checkout'])(
    'is deleted with the account, in every status: %s',
    async (status) => {
      const userId = randomUUID();
      let customerId: string | undefined;
      if (status === 'open checkout') await bench.openCheckout(userId, 'pro');
      else if (status !== 'none') {
        await bench.sandbox.pay(await bench.openCheckout(userId, status === 'trialing' ? 'starter' : 'pro'));
        await bench.untilState(userId, { subscribed: true });
      }
      if (status !== 'none') {
        customerId = (await bench.customerIdOf(userId))!;
      }
      const [subscription] = customerId ? (await bench.stripe.subscriptions.list({ customer: customerId })).data : [];
      if (status === 'canceled at period end') await bench.stripe.subscriptions.update(subscription!.id, { cancel_at_period_end: true });
      if (status === 'canceled') await bench.stripe.subscriptions.cancel(subscription!.id);
      if (status === 'past_due' || status === 'unpaid') {
        await bench.sandbox.control('settings', { final_action: status });
        await bench.sandbox.useCard(customerId!, 'chargeCustomerFail');
        await bench.sandbox.shift(customerId!, 31 * day + 2 * hour);
        if (status === 'unpaid') await bench.sandbox.shift(customerId!, 8 * day);
        expect(await bench.stripe.subscriptions.retrieve(subscription!.id)).toMatchObject({ status });
      }
      await bench.settled();
      for (let time = 0; time < 2; time += 1) await bench.deleteAccount(userId);
      await eventually(() => expect(bench.messagesOf(userId).filter(({ cause }) => cause === 'account_deleted')).toHaveLength(1));
      await bench.settled();
      if (customerId) {
        expect(await bench.stripe.customers.retrieve(customerId)).toMatchObject({ deleted: true });
        const left = (await bench.stripe.subscriptions.list({ customer: customerId, status: 'all' })).data;
        expect(left.filter(({ status: each }) => each !== 'canceled')).toEqual([]);
        expect((await bench.stripe.checkout.sessions.list({ customer: customerId, status: 'open' })).data).toEqual([]);
      }
      const kept = await bench.row<object>(
        `select (select count(*)::int from checkout_intents where user_id = $1) as intents, (select count(*)::int from subscriptions where user_id = $1) as history,
           (select stripe_customer_id from billing_accounts where user_id = $1) as customer,
           (select count(*)::int from billing_subscriptions where user_id = $1 and status <> 'canceled') as live`,
        [userId],
      );
      expect(kept).toEqual({ intents: 0, history: 0, customer: null, live: 0 });
      expect(bench.messagesOf(userId).at(-1)).toMatchObject({ cause: 'account_deleted', state: { subscribed: false } });
      expect(await bench.check(userId)).toMatchObject({ subscribed: false });
    },
  );

  it('is deleted with the account although Stripe failed half-way the first time', async () => {
    const { userId, customerId } = await bench.customer('pro');
    await bench.settled();
    await bench.sandbox.fail({ method: 'POST', path: '/detach', times: 3, status: 503, body: '{}' });
    await bench.deleteAccount(userId);
    await eventually(async () => expect(await bench.stripe.customers.retrieve(customerId)).toMatchObject({ deleted: true }), {
      timeoutMs: 30_000,
    });
    await eventually(() => expect(bench.messagesOf(userId).filter(({ cause }) => cause === 'account_deleted')).toHaveLength(1));
  });
});
