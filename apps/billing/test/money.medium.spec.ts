import { randomUUID } from 'node:crypto';
import { eventually } from '@decola/testing';
import { Reconciliation } from '../src/reconciliation/reconciliation.js';
import { SubscriptionComparison } from '../src/reconciliation/subscription-comparison.js';
import { NothingToRefundError, TooLateToRefundError, withdrawContract } from '../src/subscriptions/withdrawal.js';
import { BillingBench, day } from './support/billing-bench.js';

describe('a payment', () => {
  let bench: BillingBench;

  beforeAll(async () => {
    bench = await BillingBench.start();
  });
  afterAll(() => bench?.stop());
  beforeEach(() => bench.forgetTrialCards());

  const everPaid = async (subscriptionId: string) => {
    const row = await bench.row<{ paid: boolean }>(
      'select ever_paid as paid from billing_subscriptions where stripe_subscription_id = $1',
      [subscriptionId],
    );
    return row?.paid;
  };

  it('is published once per invoice, with its period and plan, and never for a trial', async () => {
    const { userId, customerId, subscriptionId } = await bench.customer('starter');
    await bench.settled();
    expect(bench.payloadsOf('payment.received', userId)).toEqual([]);
    await bench.sandbox.shift(customerId, 7 * day + 7_200);
    await eventually(() => expect(bench.payloadsOf('payment.received', userId)).toHaveLength(1));
    await bench.untilState(userId, { subscribed: true, is_trial: false, is_past_due: false });
    await bench.sandbox.deliver({ duplicate: 3 });
    expect(await bench.changePlan(userId, 'premium')).toMatchObject({
      body: { success: true },
    });
    await bench.settled();
    await bench.sandbox.deliver({ duplicate: 1 });
    await eventually(() => expect(bench.payloadsOf('payment.received', userId)).toHaveLength(2));
    const invoices = (await bench.stripe.invoices.list({ subscription: subscriptionId, status: 'paid' })).data.filter(
      ({ amount_paid: amount }) => amount > 0,
    );
    expect(bench.payloadsOf('payment.received', userId)).toEqual(
      invoices.reverse().map((invoice, index) => ({
        user_id: userId,
        invoice_id: invoice.id,
        amount: invoice.amount_paid,
        currency: 'brl',
        plan_key: ['starter', 'premium'][index],
        period_start: expect.any(String),
        period_end: expect.any(String),
        paid_at: expect.any(String),
      })),
    );
    const [first] = bench.payloadsOf('payment.received', userId);
    const length = Date.parse(String(first!['period_end'])) - Date.parse(String(first!['period_start']));
    expect(length / 1000 / day).toBeGreaterThan(27);
  });

  it('is announced once, three days before the trial ends, and not when the trial was canceled', async () => {
    const { userId, customerId } = await bench.customer('starter');
    await bench.sandbox.deliver({ duplicate: 2 });
    await bench.sandbox.shift(customerId, 4 * day + 60);
    await eventually(() => expect(bench.payloadsOf('trial.ending', userId)).toHaveLength(1));
    const state = await bench.check(userId);
    expect(bench.payloadsOf('trial.ending', userId)).toEqual([
      { user_id: userId, plan_name: 'Plano Starter', amount: 4900, trial_ends_at: state['trial_ends_at'] },
    ]);
    await bench.forgetTrialCards();
    const leaving = await bench.customer('starter');
    await bench.stripe.subscriptions.update(leaving.subscriptionId, { cancel_at_period_end: true });
    await bench.sandbox.shift(leaving.customerId, 4 * day + 60);
    await bench.settled();
    await bench.sandbox.deliver({ duplicate: 1 });
    expect(bench.payloadsOf('trial.ending', leaving.userId)).toEqual([]);
    expect(bench.payloadsOf('trial.ending', userId)).toHaveLength(1);
  });

  it('that fails is published once per attempt, with the page to pay at and the end of access', async () => {
    const { userId, customerId } = await bench.customer('pro');
    await bench.sandbox.useCard(customerId, 'chargeCustomerFail');
    await bench.sandbox.deliver({ duplicate: 3, shuffle: true, delay_ms: 200 });
    await bench.sandbox.shift(customerId, 31 * day + 7_200);
    await bench.untilState(userId, { subscribed: true, is_past_due: true });
    await eventually(() => expect(bench.payloadsOf('payment.failed', userId)).toHaveLength(1));
    const { subscription_end: end } = await bench.check(userId);
    expect(bench.payloadsOf('payment.failed', userId)).toEqual([
      {
        user_id: userId,
        invoice_id: expect.stringMatching(/^in_/),
        attempt: 1,
        amount: 8900,
        action_required: false,
        invoice_url: expect.stringContaining('/i/in_'),
        access_until: end,
      },
    ]);
    await bench.sandbox.shift(customerId, 3 * day + 7_200);
    await eventually(() => expect(bench.payloadsOf('payment.failed', userId).map(({ attempt }) => attempt)).toEqual([1, 2]));
    await bench.settled();
    await bench.sandbox.deliver({ duplicate: 1, shuffle: false, delay_ms: 0 });
    expect(bench.payloadsOf('payment.failed', userId)).toHaveLength(2);
  });

  it('that needs authentication is made at the invoice’s page', async () => {
    const { userId, customerId } = await bench.customer('pro');
    await bench.sandbox.useCard(customerId, 'authenticationRequired');
    await bench.sandbox.shift(customerId, 31 * day + 7_200);
    await bench.untilState(userId, { subscribed: true, is_past_due: true });
    await eventually(() => expect(bench.payloadsOf('payment.failed', userId)).toMatchObject([{ action_required: true, attempt: 1 }]));
    const page = String(bench.payloadsOf('payment.failed', userId)[0]!['invoice_url']);
    const asked = await fetch(page, { method: 'POST', body: new URLSearchParams({ card: 'saved' }), redirect: 'manual' });
    expect(asked.headers.get('location')).toContain('/3ds/');
    const bank = new URL(String(asked.headers.get('location')), page);
    await fetch(bank, { method: 'POST', body: new URLSearchParams({ result: 'complete' }), redirect: 'manual' });
    await bench.untilState(userId, { subscribed: true, is_past_due: false, will_renew: true });
    await eventually(() => expect(bench.payloadsOf('payment.received', userId)).toHaveLength(2));
  });

  it('is refunded within the withdrawal period: everything, once, and the contract ends', async () => {
    const { userId, customerId, subscriptionId } = await bench.customer('pro');
    await bench.changePlan(userId, 'premium');
    await bench.settled();
    const order = { dataSource: bench.dataSource, stripe: bench.stripe, userId, now: new Date() };
    expect((await withdrawContract(order)).filter((line) => line.includes('refunded'))).toHaveLength(2);
    expect(await withdrawContract(order)).toEqual([]);
    await bench.untilState(userId, { subscribed: false, plan_name: null });
    await eventually(() => expect(bench.payloadsOf('payment.refunded', userId)).toHaveLength(2));
    const received = bench.payloadsOf('payment.received', userId).map(({ amount }) => Number(amount));
    const refunds = (await bench.stripe.refunds.list({ limit: 100 })).data;
    const charges = new Set((await bench.stripe.charges.list({ customer: customerId })).data.map(({ id }) => id));
    const back = refunds.filter(({ charge }) => typeof charge === 'string' && charges.has(charge)).map(({ amount }) => amount);
    expect(back.sort()).toEqual(received.sort());
    expect(await everPaid(subscriptionId)).toBe(false);
  });

  it('is not refunded too late, unless the operator insists, nor when none was made', async () => {
    const { userId } = await bench.customer('pro');
    const order = { dataSource: bench.dataSource, stripe: bench.stripe, userId, now: new Date(Date.now() + 8 * day * 1000) };
    await expect(withdrawContract(order)).rejects.toThrow(TooLateToRefundError);
    expect(await bench.check(userId)).toMatchObject({ subscribed: true });
    expect(await withdrawContract({ ...order, anyway: true })).toHaveLength(2);
    await expect(withdrawContract({ ...order, userId: randomUUID() })).rejects.toThrow(NothingToRefundError);
  });

  it('that was refunded gives no grace period', async () => {
    const { userId, customerId, subscriptionId } = await bench.customer('pro');
    await bench.settled();
    const [charge] = (await bench.stripe.charges.list({ customer: customerId })).data;
    await bench.stripe.refunds.create({ charge: charge!.id, amount: 100 });
    await bench.settled();
    expect(await everPaid(subscriptionId)).toBe(true);
    await bench.stripe.refunds.create({ charge: charge!.id });
    await eventually(async () => expect(await everPaid(subscriptionId)).toBe(false));
    // Another refresh of the same subscription does not undo it.
    await bench.stripe.subscriptions.update(subscriptionId, { metadata: { looked: 'again' } });
    await bench.settled();
    expect(await everPaid(subscriptionId)).toBe(false);
    await bench.sandbox.useCard(customerId, 'chargeCustomerFail');
    await bench.sandbox.shift(customerId, 31 * day + 7_200);
    await bench.untilState(userId, { subscribed: false, is_past_due: true });
  });

  it('of a plan change is shown to the centavo before it is charged', async () => {
    const { userId, customerId, subscriptionId } = await bench.customer('pro');
    await bench.sandbox.shift(customerId, 10 * day);
    const premium = { new_price_id: await bench.priceOf('premium') };
    const shown = await bench.call(userId, 'change-plan', { ...premium, preview: true });
    const { items } = await bench.stripe.subscriptions.retrieve(subscriptionId);
    const { current_period_start: start, current_period_end: end } = items.data[0]!;
    const preview = shown.body['preview'] as Record<string, number>;
    const rest = end - preview['proration_date']!;
    const due = Math.round((14_900 * rest) / (end - start)) - Math.round((8_900 * rest) / (end - start));
    expect(shown).toEqual({
      status: 200,
      body: {
        success: true,
        preview: {
          amount_due_now: due,
          currency: 'brl',
          next_amount: 14_900,
          next_date: new Date(end * 1000).toISOString(),
          proration_date: preview['proration_date'],
        },
      },
    });
    expect(await bench.check(userId)).toMatchObject({ plan_name: 'Pro' });
    expect(await bench.call(userId, 'change-plan', { ...premium, proration_date: preview['proration_date'] })).toMatchObject({
      body: { success: true },
    });
    const { latest_invoice: invoice } = await bench.stripe.subscriptions.retrieve(subscriptionId, { expand: ['latest_invoice'] });
    expect(invoice).toMatchObject({ amount_paid: due, status: 'paid' });

    const back = await bench.changePlan(userId, 'starter', { preview: true });
    const credit = back.body['preview'] as Record<string, number>;
    const left = end - credit['proration_date']!;
    const total = 4_900 - Math.round((14_900 * left) / (end - start)) + Math.round((4_900 * left) / (end - start));
    expect(credit).toMatchObject({ amount_due_now: 0, next_amount: Math.max(total, 0), next_date: new Date(end * 1000).toISOString() });
    expect(await bench.call(userId, 'change-plan', { ...premium, preview: true })).toMatchObject({
      body: { success: false, code: 'same_plan' },
    });
    expect(await bench.call(randomUUID(), 'change-plan', { ...premium, preview: true })).toMatchObject({
      status: 400,
      body: { code: 'no_active_subscription' },
    });
  });

  it('of a plan change is the amount shown last, also when an earlier try got no answer', async () => {
    const { userId, customerId, subscriptionId } = await bench.customer('pro');
    const premium = { new_price_id: await bench.priceOf('premium') };
    await bench.sandbox.shift(customerId, 5 * day);
    await bench.sandbox.fail({ method: 'POST', path: `/v1/subscriptions/${subscriptionId}`, times: 3, cut: true });
    expect(await bench.call(userId, 'change-plan', premium)).toMatchObject({ status: 502 });
    await bench.sandbox.shift(customerId, 20 * day);
    await bench.dataSource.query(
      `update change_intents set created_at = created_at - interval '20 days', proration_date = proration_date - $2::int where user_id = $1`,
      [userId, 20 * day],
    );
    const { preview } = (await bench.call(userId, 'change-plan', { ...premium, preview: true })).body as {
      preview: Record<string, number>;
    };
    expect(preview['amount_due_now']).toBeLessThan(1_200); // of a month, five days or six are left
    expect(await bench.call(userId, 'change-plan', { ...premium, proration_date: preview['proration_date'] })).toMatchObject({
      body: { success: true },
    });
    const { latest_invoice: invoice } = await bench.stripe.subscriptions.retrieve(subscriptionId, { expand: ['latest_invoice'] });
    expect(invoice).toMatchObject({ amount_paid: preview['amount_due_now'], status: 'paid' });
    const intents = await bench.rows('select status from change_intents where user_id = $1 order by created_at', [userId]);
    expect(intents).toEqual([{ status: 'refused' }, { status: 'applied' }]);
  });

  it('of an upgrade during the trial is the full price now, and a new period starts', async () => {
    const { userId } = await bench.customer('starter');
    const pro = { new_price_id: await bench.priceOf('pro') };
    const { body } = await bench.call(userId, 'change-plan', { ...pro, preview: true });
    expect(body).toMatchObject({ success: true, preview: { amount_due_now: 8_900, next_amount: 8_900 } });
    const next = Date.parse(String((body['preview'] as Record<string, unknown>)['next_date']));
    expect((next - Date.now()) / 1000 / day).toBeGreaterThan(27);
    expect(await bench.check(userId)).toMatchObject({ is_trial: true });
    expect(await bench.call(userId, 'change-plan', pro)).toMatchObject({ body: { success: true, subscription: { plan_name: 'Pro' } } });
    expect(await bench.check(userId)).toMatchObject({ is_trial: false, plan_name: 'Pro', max_slots: 3 });
    await bench.settled();
    expect(bench.payloadsOf('payment.received', userId)).toMatchObject([{ amount: 8_900, plan_key: 'pro' }]);
  });

  it('is found although the event of the renewal was lost', async () => {
    const { userId, customerId, subscriptionId } = await bench.customer('pro');
    await bench.settled();
    await bench.sandbox.withoutDeliveries(() => bench.sandbox.shift(customerId, 32 * day));
    const stale = `update billing_subscriptions set fetched_at = now() - interval '2 hours', period_end = now() - interval '2 hours' where stripe_subscription_id = $1`;
    await bench.dataSource.query(stale, [subscriptionId]);
    expect(await bench.app.get(SubscriptionComparison).refreshStale()).toBe(1);
    expect(await bench.app.get(SubscriptionComparison).refreshStale()).toBe(0);
    await eventually(() => expect(bench.messagesOf(userId).at(-1)).toMatchObject({ cause: 'reconciled', state: { subscribed: true } }));
    // It ran when the service started.
    expect(await bench.app.get(Reconciliation).compareAllDaily()).toBe(false);
    await bench.dataSource.query(`delete from reconciliation_cursors where name in ('stale', 'sweep')`);
    expect(await bench.app.get(Reconciliation).refreshStaleHourly()).toBe(true);
    expect(await bench.app.get(Reconciliation).refreshStaleHourly()).toBe(false);
    expect(await bench.app.get(Reconciliation).compareAllDaily()).toBe(true);
    expect(await bench.app.get(Reconciliation).compareAllDaily()).toBe(false);
  });
});
