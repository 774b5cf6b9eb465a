import { createHmac, randomUUID } from 'node:crypto';
import { eventually, ServiceProcess } from '@decola/testing';
import { BillingBench } from './support.js';

const patience = { timeoutMs: 60_000 };

interface Delivery {
  status: number | null;
}

interface Stored {
  status: string;
  stripe_price_id: string;
  cancel_at: Date | null;
}

describe('billing without its database', () => {
  let bench: BillingBench;
  let billing: ServiceProcess;

  beforeAll(async () => {
    bench = await BillingBench.start({ withoutService: true, environment: { LOG_LEVEL: 'warn' } });
    await bench.control('settings', { webhook_retries_ms: [300, 600, 1_000, 2_000, 4_000, 8_000, 16_000] });
    billing = await ServiceProcess.start('billing', bench.environment);
  });
  afterEach(() => bench.database.restore());
  afterAll(async () => {
    await billing.stop();
    await bench.stop();
  });

  const deliveries = async () => (await (await fetch(`${bench.sandboxUrl}/_emulator/api/deliveries`)).json()) as Delivery[];
  const storedEvents = async () =>
    Number((await bench.dataSource.query<{ count: string }[]>('select count(*) from stripe_events'))[0]!.count);

  /** One of our own making, so that its answer can be looked at. */
  async function deliver(): Promise<{ status: number; retryAfter: string | null; body: unknown; tookMs: number }> {
    const body = JSON.stringify({
      id: `evt_${randomUUID().replaceAll('-', '')}`,
      object: 'event',
      created: Math.floor(Date.now() / 1000),
      data: { object: { id: 'prod_x', object: 'product' } },
      livemode: false,
      type: 'product.created',
    });
    const moment = Math.floor(Date.now() / 1000);
    const signature = `t=${moment},v1=${createHmac('sha256', bench.webhookSecret).update(`${moment}.${body}`).digest('hex')}`;
    const begun = performance.now();
    const answer = await fetch(`${bench.url}/webhooks/stripe`, { method: 'POST', headers: { 'stripe-signature': signature }, body });
    return {
      status: answer.status,
      retryAfter: answer.headers.get('retry-after'),
      body: await answer.json(),
      tookMs: performance.now() - begun,
    };
  }

  async function upgrade(subscriptionId: string): Promise<void> {
    const subscription = await bench.stripe.subscriptions.retrieve(subscriptionId);
    await bench.stripe.subscriptions.update(subscriptionId, {
      items: [{ id: subscription.items.data[0]!.id, price: await premium() }],
      proration_behavior: 'always_invoice',
    });
  }
  const premium = async () =>
    (
      await bench.dataSource.query<{ id: string }[]>(`select stripe_price_id as id from plan_prices where plan_key = 'premium' and active`)
    )[0]!.id;

  /** What billing keeps is what Stripe says. */
  async function isAsAtStripe(subscriptionId: string): Promise<void> {
    const [row] = await bench.dataSource.query<Stored[]>(
      'select status, stripe_price_id, cancel_at from billing_subscriptions where stripe_subscription_id = $1',
      [subscriptionId],
    );
    const real = await bench.stripe.subscriptions.retrieve(subscriptionId);
    expect(row).toEqual({
      status: real.status,
      stripe_price_id: real.items.data[0]!.price.id,
      cancel_at: real.cancel_at === null ? null : new Date(real.cancel_at * 1000),
    });
  }

  function isToldInOrder(userId: string): void {
    const sequences = bench.messagesOf(userId).map(({ sequence }) => sequence);
    expect(sequences).toEqual(sequences.map((_, index) => index + 1));
  }

  it('answers 503 to every delivery, and Stripe’s repeats bring it to Stripe’s state', async () => {
    const [grown, ended] = [await bench.customer('pro'), await bench.customer('pro')];
    await bench.settled();
    const [before, delivered, told] = [await storedEvents(), (await deliveries()).length, bench.events.length];
    await bench.database.cut();
    await upgrade(grown.subscriptionId);
    await bench.stripe.subscriptions.update(grown.subscriptionId, { cancel_at_period_end: true });
    await bench.stripe.subscriptions.cancel(ended.subscriptionId);
    expect(await deliver()).toMatchObject({ status: 503, retryAfter: '5', body: expect.any(Object) });
    await eventually(async () => {
      const later = (await deliveries()).slice(delivered).map(({ status }) => status);
      expect(later.length).toBeGreaterThan(6);
      expect(new Set(later)).toEqual(new Set([503]));
    }, patience);
    expect((await fetch(`${bench.url}/health/ready`)).status).toBe(503);
    expect((await fetch(`${bench.url}/health/live`)).status).toBe(200);
    expect(await storedEvents()).toBe(before);
    expect(bench.events).toHaveLength(told);
    await bench.database.restore();
    await eventually(async () => {
      expect(await bench.check(grown.userId)).toMatchObject({ subscribed: true, plan_name: 'Premium', is_canceled: true });
      expect(bench.statesOf(grown.userId).at(-1)).toMatchObject({ plan_key: 'premium', is_canceled: true, will_renew: false });
      expect(bench.statesOf(ended.userId).at(-1)).toMatchObject({ subscribed: false, subscription_status: 'canceled' });
    }, patience);
    await bench.settled(patience);
    for (const { subscriptionId } of [grown, ended]) await isAsAtStripe(subscriptionId);
    for (const { userId } of [grown, ended]) isToldInOrder(userId);
    const lost = await bench.stripe.events.list({ delivery_success: false, limit: 100 });
    expect(lost.data).toEqual([]);
  });

  it('loses it in the midst of its work: the event is worked through when it is back', async () => {
    const { userId, subscriptionId } = await bench.customer('pro');
    await bench.settled();
    const holder = bench.dataSource.createQueryRunner();
    await holder.connect();
    await holder.startTransaction();
    await holder.query('select 1 from billing_subscriptions where stripe_subscription_id = $1 for update', [subscriptionId]);
    await upgrade(subscriptionId);
    await eventually(async () => {
      const waiting = await bench.dataSource.query<unknown[]>(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like 'insert into billing_subscriptions%'`,
      );
      expect(waiting).not.toHaveLength(0);
    }, patience);
    await bench.database.cut();
    await holder.rollbackTransaction();
    await holder.release();
    await eventually(() => expect(billing.log).toContain('could not be worked through'), patience);
    await bench.database.restore();
    await eventually(() => expect(bench.statesOf(userId).at(-1)).toMatchObject({ plan_key: 'premium' }), patience);
    await bench.settled(patience);
    await isAsAtStripe(subscriptionId);
    isToldInOrder(userId);
  });

  it('answers 503 before Stripe gives up when the database is silent', async () => {
    const { userId, subscriptionId } = await bench.customer('pro');
    await bench.settled();
    bench.database.hang();
    await bench.stripe.subscriptions.cancel(subscriptionId);
    const { status, tookMs } = await deliver();
    expect(status).toBe(503);
    expect(tookMs).toBeLessThan(9_000);
    await bench.database.restore();
    await eventually(() => expect(bench.statesOf(userId).at(-1)).toMatchObject({ subscribed: false }), patience);
    await bench.settled(patience);
    await isAsAtStripe(subscriptionId);
    expect((await deliver()).status).toBe(200);
  });
});
