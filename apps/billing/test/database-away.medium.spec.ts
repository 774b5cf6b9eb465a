import { eventually, ServiceProcess } from '@decola/testing';
import { BillingBench } from './support/billing-bench.js';
import { deliver as deliverTo, eventBody, signatureOf } from './support/webhook.js';

const patience = { timeoutMs: 60_000 };

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
    await bench.sandbox.control('settings', { webhook_retries_ms: [300, 600, 1_000, 2_000, 4_000, 8_000, 16_000] });
    billing = await ServiceProcess.start('billing', bench.environment);
  });
  afterEach(() => bench.database.restore());
  afterAll(async () => {
    await billing?.stop();
    await bench?.stop();
  });

  const storedEvents = () => bench.rows('select event_id from stripe_events order by 1');

  /** Stripe gives up a delivery after its last try: it does so with news of the catalogue when billing starts slowly, before any test. */
  const undelivered = async () => {
    const { data } = await bench.stripe.events.list({ delivery_success: false, limit: 100 });
    return data.map(({ id }) => id);
  };

  /** Delivers an event that the test made up, to see the answer. */
  async function deliver() {
    const body = eventBody({ type: 'product.created', data: { object: { id: 'prod_x', object: 'product' } } });
    return deliverTo(bench.url, body, signatureOf(body, bench.webhookSecret));
  }

  async function upgrade(subscriptionId: string): Promise<void> {
    const subscription = await bench.stripe.subscriptions.retrieve(subscriptionId);
    await bench.stripe.subscriptions.update(subscriptionId, {
      items: [{ id: subscription.items.data[0]!.id, price: await premium() }],
      proration_behavior: 'always_invoice',
    });
  }
  const premium = async () =>
    (await bench.rows<{ id: string }>(`select stripe_price_id as id from plan_prices where plan_key = 'premium' and active`))[0]!.id;

  /** The stored subscription equals Stripe's. */
  async function expectStoredAsAtStripe(subscriptionId: string): Promise<void> {
    const row = await bench.row<Stored>(
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

  it('answers 503 to every delivery, and reaches Stripe’s state by repeated deliveries', async () => {
    const [grown, ended] = [await bench.customer('pro'), await bench.customer('pro')];
    await bench.settled();
    const lostBefore = await undelivered();
    const [before, delivered, published] = [await storedEvents(), (await bench.sandbox.deliveries()).length, bench.events.length];
    await bench.database.cut();
    await upgrade(grown.subscriptionId);
    await bench.stripe.subscriptions.update(grown.subscriptionId, { cancel_at_period_end: true });
    await bench.stripe.subscriptions.cancel(ended.subscriptionId);
    expect(await deliver()).toMatchObject({ status: 503, retryAfter: '5', body: expect.any(Object) });
    await eventually(async () => {
      const later = (await bench.sandbox.deliveries()).slice(delivered).map(({ status }) => status);
      expect(later.length).toBeGreaterThan(6);
      expect(new Set(later)).toEqual(new Set([503]));
    }, patience);
    expect((await fetch(`${bench.url}/health/ready`)).status).toBe(503);
    expect((await fetch(`${bench.url}/health/live`)).status).toBe(200);
    expect(await storedEvents()).toEqual(before);
    expect(bench.events).toHaveLength(published);
    await bench.database.restore();
    await eventually(async () => {
      expect(await bench.check(grown.userId)).toMatchObject({ subscribed: true, plan_name: 'Premium', is_canceled: true });
      expect(bench.statesOf(grown.userId).at(-1)).toMatchObject({ plan_key: 'premium', is_canceled: true, will_renew: false });
      expect(bench.statesOf(ended.userId).at(-1)).toMatchObject({ subscribed: false, subscription_status: 'canceled' });
    }, patience);
    await bench.settled(patience);
    for (const { subscriptionId } of [grown, ended]) await expectStoredAsAtStripe(subscriptionId);
    for (const { userId } of [grown, ended]) bench.expectNoGap(userId);
    expect(await undelivered()).toEqual(lostBefore);
  });

  it('loses it while it processes an event, and processes it again when it is back', async () => {
    const { userId, subscriptionId } = await bench.customer('pro');
    await bench.settled();
    const holder = bench.dataSource.createQueryRunner();
    await holder.connect();
    await holder.startTransaction();
    await holder.query('select 1 from billing_subscriptions where stripe_subscription_id = $1 for update', [subscriptionId]);
    await upgrade(subscriptionId);
    await eventually(async () => {
      const waiting = await bench.rows<unknown>(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like 'insert into billing_subscriptions%'`,
      );
      expect(waiting).not.toHaveLength(0);
    }, patience);
    await bench.database.cut();
    await holder.rollbackTransaction();
    await holder.release();
    await eventually(() => expect(billing.log).toContain('could not be processed'), patience);
    await bench.database.restore();
    await eventually(() => expect(bench.statesOf(userId).at(-1)).toMatchObject({ plan_key: 'premium' }), patience);
    await bench.settled(patience);
    await expectStoredAsAtStripe(subscriptionId);
    bench.expectNoGap(userId);
  });

  it('answers 503 while the database hangs', async () => {
    const { userId, subscriptionId } = await bench.customer('pro');
    await bench.settled();
    bench.database.hang();
    await bench.stripe.subscriptions.cancel(subscriptionId);
    // It still hangs: the answer cannot have waited for it.
    expect((await deliver()).status).toBe(503);
    await bench.database.restore();
    await eventually(() => expect(bench.statesOf(userId).at(-1)).toMatchObject({ subscribed: false }), patience);
    await bench.settled(patience);
    await expectStoredAsAtStripe(subscriptionId);
    expect((await deliver()).status).toBe(200);
  });
});
