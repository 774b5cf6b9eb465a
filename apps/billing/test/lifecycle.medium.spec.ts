import { randomUUID } from 'node:crypto';
import { userUpdated } from '@decola/contracts';
import { eventually } from '@decola/testing';
import { provision } from '../src/provisioning/provisioning.js';
import { BillingBench, day } from './support/billing-bench.js';

describe('the life of a subscription', () => {
  let bench: BillingBench;

  beforeAll(async () => {
    bench = await BillingBench.start();
  });
  afterAll(() => bench?.stop());

  it('is upgraded and charged at once, for the rest of the period', async () => {
    const { userId, subscriptionId, customerId } = await bench.customer('pro');
    expect(await bench.changePlan(userId, 'pro')).toMatchObject({
      status: 200,
      body: { success: false, code: 'same_plan', error: 'Este já é o seu plano.' },
    });
    expect(await bench.call(userId, 'change-plan', { new_price_id: 'price_none' })).toMatchObject({
      status: 400,
      body: { code: 'unknown_price' },
    });
    await bench.sandbox.useCard(customerId, 'chargeCustomerFail');
    expect(await bench.changePlan(userId, 'premium')).toMatchObject({
      status: 200,
      body: { success: false, code: 'card_declined', error: 'O cartão foi recusado. Use outro cartão.' },
    });
    expect(await bench.check(userId)).toMatchObject({ plan_name: 'Pro' });
    await bench.sandbox.useCard(customerId, 'authenticationRequired');
    expect(await bench.changePlan(userId, 'premium')).toMatchObject({
      status: 200,
      body: { success: false, code: 'authentication_required', url: expect.stringContaining('/p/session/') },
    });
    await bench.sandbox.useCard(customerId, 'visa');
    expect(await bench.changePlan(userId, 'premium')).toEqual({
      status: 200,
      body: { success: true, subscription: { plan_name: 'Premium' } },
    });
    expect(await bench.check(userId)).toMatchObject({ plan_name: 'Premium', max_slots: 6 });
    const { latest_invoice: invoice } = await bench.stripe.subscriptions.retrieve(subscriptionId, { expand: ['latest_invoice'] });
    expect(invoice).toMatchObject({ status: 'paid', billing_reason: 'subscription_update' });
    await eventually(() =>
      expect(bench.messagesOf(userId).at(-1)).toMatchObject({ cause: 'plan_changed', previous: { plan_key: 'pro', max_slots: 3 } }),
    );
  });

  it('reads from Stripe whether an upgrade took effect when its answer was lost', async () => {
    const { userId, subscriptionId } = await bench.customer('pro');
    await bench.settled();
    await bench.sandbox.fail({
      method: 'POST',
      path: `/v1/subscriptions/${subscriptionId}`,
      times: 3,
      when: 'after',
      status: 503,
      body: '{}',
    });
    expect(await bench.changePlan(userId, 'premium')).toMatchObject({
      status: 200,
      body: { success: true },
    });
    const upgrades = (await bench.stripe.invoices.list({ subscription: subscriptionId })).data.filter(
      ({ billing_reason: reason }) => reason === 'subscription_update',
    );
    expect(upgrades).toHaveLength(1);
    await bench.sandbox.clearFaults();
  });

  it('cannot be downgraded while too many slots are used, and a change undoes its cancellation', async () => {
    const { userId, subscriptionId } = await bench.customer('premium');
    await bench.publishSlots(userId, 4, 2);
    await bench.publishSlots(userId, 1, 1);
    await bench.untilState(userId, { used_slots: 4 });
    expect(await bench.changePlan(userId, 'pro')).toMatchObject({
      status: 409,
      body: { code: 'slots_exceed_plan', error: 'Suas automações usam 4 slots. Exclua algumas para escolher este plano.' },
    });
    await bench.publishSlots(userId, 2, 3);
    await bench.untilState(userId, { used_slots: 2 });
    await bench.stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: true });
    await bench.untilState(userId, { is_canceled: true });
    expect(await bench.changePlan(userId, 'pro')).toMatchObject({
      status: 200,
      body: { success: true },
    });
    expect(await bench.check(userId)).toMatchObject({ plan_name: 'Pro', is_canceled: false, will_renew: true });
  });

  it('is canceled and resumed in the portal, and ends on its date', async () => {
    const { userId, customerId } = await bench.customer('starter', '5555555555554444');
    const portal = await bench.call(userId, 'customer-portal');
    expect(portal.status).toBe(200);
    const url = String(portal.body['url']);
    const post = (path: string, fields: Record<string, string> = {}) =>
      fetch(`${url}${path}`, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
    await post('/cancel', { feedback: 'too_expensive' });
    await bench.untilState(userId, { subscribed: true, is_canceled: true, will_renew: false });
    await post('/renew');
    await bench.untilState(userId, { is_canceled: false, will_renew: true });
    await post('/cancel', {});
    await bench.untilState(userId, { is_canceled: true });
    await bench.sandbox.shift(customerId, 8 * day);
    await bench.untilState(userId, { subscribed: false, plan_name: null, max_slots: 0, is_canceled: true });
    await eventually(() =>
      expect(bench.messagesOf(userId).at(-1)).toMatchObject({ state: { subscribed: false, subscription_status: 'canceled' } }),
    );
    expect(bench.messagesOf(userId).map(({ cause }) => cause)).toEqual(
      expect.arrayContaining(['cancel_scheduled', 'cancel_undone', 'ended']),
    );
    expect(await bench.rest(userId, `subscriptions?select=id&user_id=eq.${userId}`)).toMatchObject({ body: [{ id: expect.any(String) }] });
  });

  it('offers no smaller plan in the portal', async () => {
    const { userId } = await bench.customer('pro');
    const html = await (await fetch(await bench.portalUrl(userId))).text();
    expect(html).toContain('Mudar para Premium');
    expect(html).not.toContain('Mudar para Plano Starter');
  });

  it('renews, has a grace period after a failed payment, and recovers with a new card', async () => {
    const { userId, customerId } = await bench.customer('pro');
    await bench.sandbox.shift(customerId, 32 * day);
    await eventually(() => expect(bench.messagesOf(userId).map(({ cause }) => cause)).toContain('renewed'));
    await bench.sandbox.useCard(customerId, 'chargeCustomerFail');
    await bench.sandbox.shift(customerId, 31 * day);
    await bench.untilState(userId, { subscribed: true, is_past_due: true });
    expect(await bench.changePlan(userId, 'premium')).toMatchObject({
      status: 200,
      body: { code: 'payment_pending' },
    });
    const [invoice] = (await bench.stripe.invoices.list({ customer: customerId, status: 'open' })).data;
    await fetch(invoice!.hosted_invoice_url!, {
      method: 'POST',
      body: new URLSearchParams({ card: 'new', cardNumber: '4242424242424242', cardExpiry: '12/34', cardCvc: '123' }),
      redirect: 'manual',
    });
    await bench.untilState(userId, { subscribed: true, is_past_due: false });
    await eventually(() =>
      expect(bench.messagesOf(userId).map(({ cause }) => cause)).toEqual(expect.arrayContaining(['payment_failed', 'payment_recovered'])),
    );
  });

  it('ends access with the grace period although Stripe still tries to charge', async () => {
    await bench.sandbox.control('settings', { dunning: [3, 5, 7, 20], final_action: 'cancel' });
    const { userId, customerId } = await bench.customer('pro');
    await bench.sandbox.useCard(customerId, 'chargeCustomerFail');
    await bench.sandbox.shift(customerId, 32 * day);
    await bench.untilState(userId, { subscribed: true, is_past_due: true });
    await bench.sandbox.shift(customerId, 8 * day);
    await bench.untilState(userId, { subscribed: false, is_past_due: true });
    await eventually(() =>
      expect(bench.messagesOf(userId).at(-1)).toMatchObject({
        cause: 'grace_ended',
        state: { subscribed: false, subscription_status: 'past_due' },
      }),
    );
    await bench.sandbox.control('settings', { dunning: [3, 5, 7] });
  });

  it('ends a trial without a grace period as soon as its first charge has failed', async () => {
    const { userId, customerId } = await bench.customer('starter', '4000000000000341');
    const { trial_ends_at: trialEnd } = await bench.check(userId);
    const moved = 7 * day + 60;
    await bench.sandbox.shift(customerId, moved);
    // For about an hour the invoice is a draft at Stripe: whether the charge will fail is unknown, and access must continue.
    await bench.untilState(userId, {
      subscribed: true,
      is_trial: false,
      trial_ends_at: null,
      is_past_due: false,
      max_slots: 1,
      will_renew: true,
    });
    const inTheHour = await bench.check(userId);
    expect(Date.parse(String(inTheHour['subscription_end']))).toBeGreaterThan(Date.now() + 27 * day * 1000);
    await eventually(() => expect(bench.statesOf(userId).at(-1)).toMatchObject({ subscribed: true, subscription_status: 'active' }));
    await bench.sandbox.shift(customerId, 7_200);
    await bench.untilState(userId, { subscribed: false, is_past_due: true, is_trial: false, plan_name: null, max_slots: 0 });
    // The customer reads the end of the trial, not the end of an unpaid month.
    const end = Date.parse(String((await bench.check(userId))['subscription_end']));
    expect(Math.abs(end - (Date.parse(String(trialEnd)) - (moved + 7_200) * 1000))).toBeLessThan(60_000);
    await eventually(() =>
      expect(bench.messagesOf(userId).at(-1)).toMatchObject({ cause: 'payment_failed', state: { subscribed: false } }),
    );
    await eventually(() => expect(bench.payloadsOf('payment.failed', userId)).toMatchObject([{ attempt: 1, access_until: null }]));
  });

  it('is deleted with the account, also when the event comes twice', async () => {
    const { userId, customerId } = await bench.customer('pro');
    await bench.publish(userUpdated, { userId, email: 'nova@example.com', fullName: 'Nova', updatedAt: new Date().toISOString() });
    await eventually(async () =>
      expect(await bench.stripe.customers.retrieve(customerId)).toMatchObject({ email: 'nova@example.com', name: 'Nova' }),
    );
    for (let time = 0; time < 2; time += 1) await bench.deleteAccount(userId);
    await eventually(async () => expect(await bench.stripe.customers.retrieve(customerId)).toMatchObject({ deleted: true }));
    await eventually(() =>
      expect(bench.messagesOf(userId).at(-1)).toMatchObject({ cause: 'account_deleted', state: { subscribed: false } }),
    );
    expect((await bench.stripe.subscriptions.list({ customer: customerId, status: 'all' })).data.map(({ status }) => status)).toEqual([
      'canceled',
    ]);
    expect(await bench.rest(userId, `subscriptions?select=id&user_id=eq.${userId}`)).toMatchObject({ body: [] });
    await bench.settled();
    expect(bench.messagesOf(userId).filter(({ cause }) => cause === 'account_deleted')).toHaveLength(1);
  });

  it('has a catalogue that is provisioned again without a change', async () => {
    expect(await provision({ dataSource: bench.dataSource, stripe: bench.stripe, siteUrl: bench.url })).toEqual([]);
    expect((await bench.stripe.prices.list({ limit: 100 })).data).toHaveLength(3);
    expect((await bench.stripe.billingPortal.configurations.list({ limit: 100 })).data).toHaveLength(3);
  });

  it('answers in Stripe’s own words that the portal is not configured', async () => {
    const { userId } = await bench.customer('pro');
    const rows = await bench.rows<{ app_key: string; configuration_id: string }>('select * from portal_configurations');
    await bench.dataSource.query('delete from portal_configurations');
    expect(await bench.call(userId, 'customer-portal')).toMatchObject({
      status: 400,
      body: { code: 'portal_not_configured', error: expect.stringContaining('No configuration provided') },
    });
    for (const row of rows)
      await bench.dataSource.query('insert into portal_configurations values ($1, $2)', [row.app_key, row.configuration_id]);
    expect(await bench.call(randomUUID(), 'customer-portal')).toMatchObject({ status: 404 });
  });
});
