import { randomUUID } from 'node:crypto';
import { eventually } from '@decola/testing';
import { Reconciliation } from '../src/reconciliation/reconciliation.js';
import { SubscriptionComparison } from '../src/reconciliation/subscription-comparison.js';
import { BillingBench, rotatedSecret } from './support/billing-bench.js';
import { deliver as deliverTo, eventBody, signatureOf } from './support/webhook.js';

describe('the webhook endpoint', () => {
  let bench: BillingBench;

  beforeAll(async () => {
    bench = await BillingBench.start();
  });
  afterAll(() => bench?.stop());

  const sign = (body: string, { secret = bench.webhookSecret, age = 0 } = {}) => signatureOf(body, secret, age);
  const deliver = async (body: string, signature?: string) => {
    const { status, body: answer } = await deliverTo(bench.url, body, signature);
    return { status, body: answer };
  };

  const idOf = (body: string) => (JSON.parse(body) as { id: string }).id;
  /** Which of these events are stored. Events of the catalogue may still arrive. */
  const storedOf = (...bodies: string[]) => bench.rows('select event_id from stripe_events where event_id = any($1)', [bodies.map(idOf)]);

  it('refuses deliveries that it cannot verify, and stores nothing of them', async () => {
    const body = eventBody();
    expect((await deliver(body)).status).toBe(400);
    expect((await deliver(body, sign(body, { secret: 'whsec_wrong' }))).status).toBe(400);
    expect((await deliver(body, sign(body, { age: 301 }))).status).toBe(400);
    expect((await deliver(JSON.stringify(JSON.parse(body)), sign(body))).status).toBe(400);
    expect((await deliver(body.replace('sub_x', 'sub_y'), sign(body))).status).toBe(400);
    expect((await deliver('{', sign('{'))).status).toBe(400);
    const thin = JSON.stringify({ id: 'evt_thin', object: 'v2.core.event', type: 'v1.billing.meter.no_meter_found', livemode: false });
    expect((await deliver(thin, sign(thin))).status).toBe(400);
    const huge = eventBody({ data: { object: { id: 'sub_x', filler: 'x'.repeat(2 * 1024 * 1024) } } });
    expect((await deliver(huge, sign(huge))).status).toBe(413);
    expect(await storedOf(body, thin, huge)).toEqual([]);
  });

  it('accepts either secret while they are rotated', async () => {
    const body = eventBody({ type: 'product.created', data: { object: { id: 'prod_1', object: 'product' } } });
    expect((await deliver(body, sign(body, { secret: rotatedSecret }))).status).toBe(200);
  });

  it('answers 503 while it cannot store, and accepts the repeated delivery', async () => {
    await bench.settled();
    await bench.dataSource.query('alter table stripe_events rename to stripe_events_away');
    const body = eventBody({ type: 'product.created', data: { object: { id: 'prod_2', object: 'product' } } });
    try {
      expect((await deliver(body, sign(body))).status).toBe(503);
    } finally {
      await bench.dataSource.query('alter table stripe_events_away rename to stripe_events');
    }
    expect((await deliver(body, sign(body))).status).toBe(200);
  });

  it('drops events of the other mode with 200', async () => {
    const body = eventBody({ livemode: true });
    expect(await deliver(body, sign(body))).toEqual({ status: 200, body: { received: true } });
    expect(await storedOf(body)).toEqual([]);
  });

  it('stores an event once, however often it is delivered, and ignores types that billing does not handle', async () => {
    const id = `evt_${randomUUID().replaceAll('-', '')}`;
    const body = eventBody({ id, type: 'issuing_card.created', data: { object: { id: 'ic_1', object: 'issuing.card' } } });
    for (const answer of await Promise.all([deliver(body, sign(body)), deliver(body, sign(body)), deliver(body, sign(body))]))
      expect(answer).toEqual({ status: 200, body: { received: true } });
    await eventually(async () => {
      const rows = await bench.rows<object>('select status, body from stripe_events where event_id = $1', [id]);
      expect(rows).toEqual([{ status: 'ignored', body: null }]);
    });
  });

  it('reads nothing but the id from an event: the state is fetched from Stripe', async () => {
    const { userId, subscriptionId } = await bench.customer('pro');
    await bench.settled();
    const published = bench.messagesOf(userId).length;
    const body = eventBody({
      type: 'customer.subscription.deleted',
      data: { object: { id: subscriptionId, object: 'subscription', status: 'canceled' } },
    });
    expect((await deliver(body, sign(body))).status).toBe(200);
    await bench.settled();
    expect(bench.messagesOf(userId)).toHaveLength(published);
    expect(await bench.check(userId)).toMatchObject({ subscribed: true });
  });

  it('is backed by reconciliation, which finds events that were never delivered', async () => {
    const { userId, subscriptionId } = await bench.customer('pro');
    await bench.settled();
    await bench.sandbox.withoutDeliveries(() => bench.stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: true }));
    expect(await bench.check(userId)).toMatchObject({ is_canceled: false });
    expect(await bench.app.get(Reconciliation).fetchMissedEvents()).toBeGreaterThan(0);
    await bench.untilState(userId, { is_canceled: true });
    await bench.settled();
    expect(await bench.app.get(Reconciliation).fetchMissedEvents()).toBe(0);
  });

  it('is backed by the comparison, which repairs every difference from Stripe in both directions', async () => {
    const [canceled, forgotten] = [await bench.customer('pro'), await bench.customer('premium')];
    await bench.settled();
    await bench.sandbox.withoutDeliveries(() => bench.stripe.subscriptions.cancel(canceled.subscriptionId));
    await bench.dataSource.query('delete from billing_subscriptions where user_id = $1', [forgotten.userId]);
    const report = await bench.app.get(SubscriptionComparison).compareAll();
    expect([...report.repaired].sort()).toEqual([canceled.subscriptionId, forgotten.subscriptionId].sort());
    expect(await bench.check(canceled.userId)).toMatchObject({ subscribed: false });
    expect(await bench.check(forgotten.userId)).toMatchObject({ subscribed: true, plan_name: 'Premium' });
    await eventually(() =>
      expect(bench.messagesOf(canceled.userId).at(-1)).toMatchObject({ cause: 'reconciled', state: { subscribed: false } }),
    );
    expect((await bench.app.get(SubscriptionComparison).compareAll()).repaired).toEqual([]);
  });

  it('ends in Stripe’s state, whatever the order of deliveries', async () => {
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      await bench.sandbox.deliver({ paused: true });
      const userId = randomUUID();
      await bench.sandbox.pay(await bench.openCheckout(userId, 'pro'));
      await bench.check(userId); // the browser is back
      expect(await bench.changePlan(userId, 'premium')).toMatchObject({
        body: { success: true },
      });
      const row = await bench.row<{ id: string }>('select stripe_subscription_id as id from billing_subscriptions where user_id = $1', [
        userId,
      ]);
      await bench.stripe.subscriptions.cancel(row!.id);
      const held = await bench.sandbox.held();
      // Each event one to three times, in an order that the seed decides.
      const order = held
        .flatMap(({ id }, index) =>
          Array.from({ length: 1 + ((index + seed) % 3) }, (_, copy) => ({ id, place: (index * 7919 + seed * 104_729 + copy * 31) % 97 })),
        )
        .sort((a, b) => a.place - b.place)
        .map(({ id }) => id);
      await bench.sandbox.release(order);
      await bench.sandbox.deliver({ paused: false });
      await bench.settled();
      expect(await bench.check(userId)).toMatchObject({ subscribed: false, plan_name: null, is_canceled: true });
      await eventually(() => expect(bench.statesOf(userId).at(-1)).toMatchObject({ subscription_status: 'canceled' }));
      bench.expectNoGap(userId);
    }
  });
});
