import { createHmac, randomUUID } from 'node:crypto';
import { eventually } from '@decola/testing';
import { Reconciliation } from '../src/events/reconciliation.js';
import { Sweep } from '../src/events/sweep.js';
import { BillingBench, rotatedSecret } from './support.js';

describe('the webhook ingress', () => {
  let bench: BillingBench;

  beforeAll(async () => {
    bench = await BillingBench.start();
  });
  afterAll(() => bench.stop());

  function eventBody(overrides: Record<string, unknown> = {}): string {
    const event = {
      id: `evt_${randomUUID().replaceAll('-', '')}`,
      object: 'event',
      api_version: '2026-10-28.endive',
      created: Math.floor(Date.now() / 1000),
      data: { object: { id: 'sub_x', object: 'subscription', description: 'ação' } },
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type: 'customer.subscription.updated',
      ...overrides,
    };
    return JSON.stringify(event, null, 2);
  }

  function sign(body: string, { secret = bench.webhookSecret, age = 0 } = {}): string {
    const moment = Math.floor(Date.now() / 1000) - age;
    return `t=${moment},v1=${createHmac('sha256', secret).update(`${moment}.${body}`).digest('hex')}`;
  }

  async function deliver(body: string, signature?: string): Promise<{ status: number; body: unknown }> {
    const answer = await fetch(`${bench.url}/webhooks/stripe`, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', ...(signature ? { 'stripe-signature': signature } : {}) },
      body,
    });
    return { status: answer.status, body: await answer.json() };
  }

  const stored = async () => Number((await bench.dataSource.query<{ count: string }[]>('select count(*) from stripe_events'))[0]!.count);

  it('refuses what it cannot verify, and stores nothing of it', async () => {
    await bench.settled();
    const before = await stored();
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
    expect(await stored()).toBe(before);
  });

  it('takes either secret while they are rotated', async () => {
    const body = eventBody({ type: 'product.created', data: { object: { id: 'prod_1', object: 'product' } } });
    expect((await deliver(body, sign(body, { secret: rotatedSecret }))).status).toBe(200);
  });

  it('answers 503 while it cannot store, and is told again', async () => {
    await bench.settled();
    await bench.dataSource.query('alter table stripe_events rename to stripe_events_away');
    const body = eventBody({ type: 'product.created', data: { object: { id: 'prod_2', object: 'product' } } });
    const refused = await deliver(body, sign(body)).finally(() =>
      bench.dataSource.query('alter table stripe_events_away rename to stripe_events'),
    );
    expect(refused.status).toBe(503);
    expect((await deliver(body, sign(body))).status).toBe(200);
  });

  it('drops events of the other mode with 200', async () => {
    const before = await stored();
    const body = eventBody({ livemode: true });
    expect(await deliver(body, sign(body))).toEqual({ status: 200, body: { received: true } });
    expect(await stored()).toBe(before);
  });

  it('stores an event once, however often it comes, and ignores types that do not concern it', async () => {
    const id = `evt_${randomUUID().replaceAll('-', '')}`;
    const body = eventBody({ id, type: 'issuing_card.created', data: { object: { id: 'ic_1', object: 'issuing.card' } } });
    for (const answer of await Promise.all([deliver(body, sign(body)), deliver(body, sign(body)), deliver(body, sign(body))]))
      expect(answer).toEqual({ status: 200, body: { received: true } });
    await eventually(async () => {
      const rows = await bench.dataSource.query<object[]>('select status, body from stripe_events where event_id = $1', [id]);
      expect(rows).toEqual([{ status: 'ignored', body: null }]);
    });
  });

  it('never believes what an event says: it looks at Stripe', async () => {
    const { userId, subscriptionId } = await bench.customer('pro');
    await bench.settled();
    const told = bench.messagesOf(userId).length;
    const body = eventBody({
      type: 'customer.subscription.deleted',
      data: { object: { id: subscriptionId, object: 'subscription', status: 'canceled' } },
    });
    expect((await deliver(body, sign(body))).status).toBe(200);
    await bench.settled();
    expect(bench.messagesOf(userId)).toHaveLength(told);
    expect(await bench.check(userId)).toMatchObject({ subscribed: true });
  });

  it('finds events that were never delivered', async () => {
    const { userId, subscriptionId } = await bench.customer('pro');
    await bench.settled();
    await bench.control('webhooks/policy', { drop_rate: 1 });
    await bench.stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: true });
    await bench.control('webhooks/policy', { drop_rate: 0 });
    expect(await bench.check(userId)).toMatchObject({ is_canceled: false });
    expect(await bench.app.get(Reconciliation).run()).toBeGreaterThan(0);
    await eventually(async () => expect(await bench.check(userId)).toMatchObject({ is_canceled: true }));
    await bench.settled();
    expect(await bench.app.get(Reconciliation).run()).toBe(0);
  });

  it('repairs every difference from Stripe, in both directions', async () => {
    const [cancelled, forgotten] = [await bench.customer('pro'), await bench.customer('premium')];
    await bench.settled();
    await bench.control('webhooks/policy', { drop_rate: 1 });
    await bench.stripe.subscriptions.cancel(cancelled.subscriptionId);
    await bench.control('webhooks/policy', { drop_rate: 0 });
    await bench.dataSource.query('delete from billing_subscriptions where user_id = $1', [forgotten.userId]);
    const report = await bench.app.get(Sweep).run();
    expect([...report.repaired].sort()).toEqual([cancelled.subscriptionId, forgotten.subscriptionId].sort());
    expect(await bench.check(cancelled.userId)).toMatchObject({ subscribed: false });
    expect(await bench.check(forgotten.userId)).toMatchObject({ subscribed: true, plan_name: 'Premium' });
    await eventually(() =>
      expect(bench.messagesOf(cancelled.userId).at(-1)).toMatchObject({ cause: 'reconciled', state: { subscribed: false } }),
    );
    expect((await bench.app.get(Sweep).run()).repaired).toEqual([]);
  });

  it('ends where Stripe is, whatever the order of a story’s events', async () => {
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      await bench.control('webhooks/policy', { paused: true });
      const userId = randomUUID();
      await bench.pay(await bench.openCheckout(userId, 'pro'));
      await bench.check(userId); // the browser is back
      expect(await bench.call(userId, 'change-plan', { new_price_id: await bench.priceOf('premium') })).toMatchObject({
        body: { success: true },
      });
      const [row] = await bench.dataSource.query<{ id: string }[]>(
        'select stripe_subscription_id as id from billing_subscriptions where user_id = $1',
        [userId],
      );
      await bench.stripe.subscriptions.cancel(row!.id);
      const held = (await (await fetch(`${bench.sandboxUrl}/_emulator/api/webhooks/held`)).json()) as { id: string }[];
      // Each event one to three times, in an order of its own.
      const order = held
        .flatMap(({ id }, index) =>
          Array.from({ length: 1 + ((index + seed) % 3) }, (_, copy) => ({ id, place: (index * 7919 + seed * 104_729 + copy * 31) % 97 })),
        )
        .sort((a, b) => a.place - b.place)
        .map(({ id }) => id);
      await bench.control('webhooks/release', { order });
      await bench.control('webhooks/policy', { paused: false });
      await bench.settled();
      expect(await bench.check(userId)).toMatchObject({ subscribed: false, plan_name: null, is_canceled: true });
      await eventually(() => expect(bench.statesOf(userId).at(-1)).toMatchObject({ subscription_status: 'canceled' }));
      const sequences = bench.messagesOf(userId).map(({ sequence }) => sequence);
      expect(sequences).toEqual(sequences.map((_, index) => index + 1));
    }
  });
});
