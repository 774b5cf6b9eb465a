import { randomUUID } from 'node:crypto';
import { listDeadLetters } from '@decola/messaging';
import { metrics } from '@decola/service-kit';
import { eventually, runCommand } from '@decola/testing';
import type Stripe from 'stripe';
import type { QueryRunner } from 'typeorm';
import { locks } from '../src/reconciliation/reconciliation.js';
import { SubscriptionComparison } from '../src/reconciliation/subscription-comparison.js';
import { StripeClient } from '../src/stripe/stripe-client.js';
import { BillingBench } from './support/billing-bench.js';

interface EventRow {
  status: string;
  error: string | null;
  attempts: number;
}

describe('an object of Stripe that billing does not know', () => {
  let bench: BillingBench;
  let alert: jest.SpyInstance;

  beforeAll(async () => {
    bench = await BillingBench.start({ environment: { RECONCILIATION_INTERVAL_MS: '1000' } });
  });
  afterAll(() => bench?.stop());
  beforeEach(async () => {
    await bench.forgetTrialCards();
    alert = jest.spyOn(bench.app.get(StripeClient), 'alert');
  });
  afterEach(async () => {
    alert.mockRestore();
    await fetchEventsAgain();
    await bench.sandbox.clearFaults();
    await bench.sandbox.deliverNormally();
  });

  const comparison = () => bench.app.get(SubscriptionComparison);
  const parkedSoFar = async (kind: string) => {
    const { values } = await metrics.getSingleMetric('stripe_parked_total')!.get();
    return values.find(({ labels }) => labels['kind'] === kind)?.value ?? 0;
  };
  const eventsOf = (object: string) =>
    bench.rows<EventRow & { type: string }>(
      `select type, status, error, attempts from stripe_events where body #>> '{data,object,id}' = $1 order by received_at`,
      [object],
    );
  const eventRow = (id: string) => bench.row<EventRow>('select status, error, attempts from stripe_events where event_id = $1', [id]);
  /** Holds the lock of those who fetch missed events. */
  let fetcher: QueryRunner | undefined;
  /**
   * Runs `work` so that only the comparison finds what it changed: its events are not delivered, and not fetched before `fetchEventsAgain`.
   */
  const missed = async (work: () => Promise<unknown>) => {
    await bench.settled();
    fetcher = bench.dataSource.createQueryRunner();
    await fetcher.query('select pg_advisory_lock($1)', [locks.events]);
    await bench.sandbox.withoutDeliveries(work);
  };
  const fetchEventsAgain = async () => {
    await fetcher?.query('select pg_advisory_unlock($1)', [locks.events]);
    await fetcher?.release();
    fetcher = undefined;
  };

  /** A price of our Stripe account that was never in the catalogue. */
  const foreignPrice = async () =>
    (
      await bench.stripe.prices.create({
        product: 'decola_pro',
        currency: 'brl',
        unit_amount: 100,
        recurring: { interval: 'month' },
        tax_behavior: 'inclusive',
      })
    ).id;
  const moveTo = async (subscriptionId: string, price: string) => {
    const [item] = (await bench.stripe.subscriptions.retrieve(subscriptionId)).items.data;
    await bench.stripe.subscriptions.update(subscriptionId, { items: [{ id: item!.id, price }], proration_behavior: 'none' });
  };
  const noAccess = { subscribed: false, plan_name: null, max_slots: 0 };

  describe('a price outside the catalogue', () => {
    it('neither ends access nor prevents a cancellation, and is reported', async () => {
      const { userId, subscriptionId } = await bench.customer('pro');
      await bench.settled();
      const price = await foreignPrice();
      await moveTo(subscriptionId, price);
      await eventually(async () =>
        expect(await eventsOf(subscriptionId)).toContainEqual({
          type: 'customer.subscription.updated',
          status: 'parked',
          error: `subscription ${subscriptionId} has the price ${price}, which the catalogue does not know`,
          attempts: 1,
        }),
      );
      expect(alert).toHaveBeenCalledWith(expect.stringContaining('known price'), expect.objectContaining({ subscription: subscriptionId }));
      expect(await bench.check(userId)).toMatchObject({ subscribed: true, plan_name: 'Pro', max_slots: 3, is_canceled: false });
      await bench.stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: true });
      await bench.untilState(userId, { subscribed: true, is_canceled: true });
      await bench.stripe.subscriptions.cancel(subscriptionId);
      await bench.untilState(userId, { ...noAccess, is_canceled: true });
      await eventually(() =>
        expect(bench.messagesOf(userId).at(-1)).toMatchObject({
          state: { subscribed: false, max_slots: 0, subscription_status: 'canceled' },
        }),
      );
    });

    it('is reported by the comparison in every run, not counted as repaired, and does not prevent an end', async () => {
      const [kept, ended] = [await bench.customer('pro'), await bench.customer('pro')];
      const price = await foreignPrice();
      await missed(async () => {
        for (const { subscriptionId } of [kept, ended]) await moveTo(subscriptionId, price);
        await bench.stripe.subscriptions.cancel(ended.subscriptionId);
      });
      try {
        const before = await parkedSoFar('subscription');
        const first = await comparison().compareAll();
        expect(first.parked.map(({ id }) => id).sort()).toEqual([kept.subscriptionId, ended.subscriptionId].sort());
        expect(first.repaired).toEqual([]);
        expect(await parkedSoFar('subscription')).toBeGreaterThan(before);
        expect(await bench.check(ended.userId)).toMatchObject({ ...noAccess, is_canceled: true });
        expect(await bench.check(kept.userId)).toMatchObject({ subscribed: true, plan_name: 'Pro' });
        // Nothing differs any more, but it is reported until an operator resolves it.
        alert.mockClear();
        const second = await comparison().compareAll();
        expect(second).toMatchObject({ repaired: [], parked: [{ id: kept.subscriptionId, reason: `unknown price ${price}` }] });
        expect(alert).toHaveBeenCalledWith('the store differed from Stripe', expect.objectContaining({ parked: second.parked }));
      } finally {
        await fetchEventsAgain();
        await bench.stripe.subscriptions.cancel(kept.subscriptionId);
      }
    });

    it('does not start access', async () => {
      const { userId, customerId, subscriptionId } = await bench.customer('pro');
      await bench.stripe.subscriptions.cancel(subscriptionId);
      await bench.untilState(userId, noAccess);
      const [method] = (await bench.stripe.customers.listPaymentMethods(customerId)).data;
      const made = await bench.stripe.subscriptions.create({
        customer: customerId,
        items: [{ price: await foreignPrice() }],
        default_payment_method: method!.id,
        metadata: { user_id: userId },
      });
      await eventually(async () => expect((await eventsOf(made.id)).map(({ status }) => status)).toContain('parked'));
      expect(await bench.check(userId)).toMatchObject(noAccess);
    });

    it('does not restart access that had ended', async () => {
      const { userId, subscriptionId } = await bench.customer('pro');
      await bench.settled();
      const real = await bench.stripe.subscriptions.retrieve(subscriptionId, { expand: ['latest_invoice'] });
      const [item] = real.items.data;
      const becomes = async (changes: object) => {
        await bench.sandbox.clearFaults();
        await bench.sandbox.answer(`/v1/subscriptions/${subscriptionId}`, { ...real, ...changes });
        const id = await bench.sandbox.send({
          type: 'customer.subscription.updated',
          data: { object: { id: subscriptionId, object: 'subscription' } },
        });
        await eventually(async () => expect(await eventRow(id)).toMatchObject({ status: expect.stringMatching(/done|parked/) }));
      };
      await becomes({ status: 'unpaid' });
      expect(await bench.check(userId)).toMatchObject(noAccess);
      const price = { ...item!.price, id: await foreignPrice() };
      await becomes({ items: { ...real.items, data: [{ ...item, price }] } });
      expect(await bench.check(userId)).toMatchObject(noAccess);
      await becomes({});
      expect(await bench.check(userId)).toMatchObject({ subscribed: true, plan_name: 'Pro' });
    });
  });

  const without = <Kind extends object>(object: Kind, ...names: string[]) =>
    Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
  /** Unknown shapes of a subscription and the reason that is reported. */
  const shapes: [string, (subscription: Stripe.Subscription) => unknown, RegExp][] = [
    [
      'an item without a price',
      (each) => ({ ...each, items: { ...each.items, data: each.items.data.map((item) => without(item, 'price')) } }),
      /not exactly one item with a price/,
    ],
    ['no items', (each) => without(each, 'items'), /not exactly one item with a price/],
    ['an unknown status', (each) => ({ ...each, status: 'hibernating' }), /unknown status "hibernating"/],
    [
      'an invoice without lines',
      (each) => ({ ...each, latest_invoice: without(each.latest_invoice as object, 'lines') }),
      /unexpected shape/,
    ],
  ];

  it.each(shapes)(
    'is parked when it is a subscription with %s, and the comparison continues with the others',
    async (_name, shape, reason) => {
      const odd = await bench.customer('pro');
      const others = [await bench.customer('pro'), await bench.customer('premium')];
      await missed(async () => {
        for (const { subscriptionId } of [odd, ...others])
          await bench.stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: true });
      });
      try {
        const now = await bench.stripe.subscriptions.retrieve(odd.subscriptionId, { expand: ['latest_invoice'] });
        // The unknown shape is met where the payment is recorded.
        await bench.dataSource.query('delete from payments where user_id = $1', [odd.userId]);
        await bench.sandbox.answer(`/v1/subscriptions/${odd.subscriptionId}`, shape(now));
        const report = await comparison().compareAll();
        expect(report.parked).toContainEqual({ id: odd.subscriptionId, reason: expect.stringMatching(reason) });
        expect(report.repaired).toEqual(expect.arrayContaining(others.map(({ subscriptionId }) => subscriptionId)));
        for (const { userId } of others) expect(await bench.check(userId)).toMatchObject({ subscribed: true, is_canceled: true });
        expect(await bench.check(odd.userId)).toMatchObject({ subscribed: true, plan_name: 'Pro' });
      } finally {
        await fetchEventsAgain();
      }
    },
  );

  it('does not stop the comparison when a list has empty entries or one cannot be fetched', async () => {
    const [away, canceled] = [await bench.customer('pro'), await bench.customer('pro')];
    await missed(async () => {
      for (const { subscriptionId } of [away, canceled]) await bench.stripe.subscriptions.cancel(subscriptionId);
    });
    try {
      const list = await bench.stripe.subscriptions.list({ status: 'all', limit: 100 });
      await bench.sandbox.fail({ method: 'GET', path: `/v1/subscriptions/${away.subscriptionId}`, times: 1_000, status: 503 });
      await bench.sandbox.fail({
        method: 'GET',
        path: '/v1/subscriptions',
        times: 1,
        status: 200,
        body: JSON.stringify({ object: 'list', data: [null, {}, ...list.data], has_more: false, url: '/v1/subscriptions' }),
      });
      const report = await comparison().compareAll();
      expect(report.failed).toEqual([away.subscriptionId]);
      expect(report.parked.filter(({ id }) => id === 'without an id')).toHaveLength(1);
      expect(report.repaired).toContain(canceled.subscriptionId);
      expect(await bench.check(canceled.userId)).toMatchObject(noAccess);
    } finally {
      await fetchEventsAgain();
    }
  });

  it('is parked at the first try when an event names none, with its reason everywhere, and other events are processed', async () => {
    const { userId, subscriptionId } = await bench.customer('pro');
    await bench.settled();
    const before = await parkedSoFar('event');
    const odd = await bench.sandbox.send({ type: 'customer.subscription.updated', data: { object: null } });
    const foreign = await bench.sandbox.send({ type: 'issuing_card.created', data: { object: null } });
    await bench.stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: true });
    await bench.untilState(userId, { is_canceled: true });
    const reason = 'ParkedError: an event customer.subscription.updated does not say which object it is about';
    await eventually(async () => expect(await eventRow(odd)).toEqual({ status: 'parked', error: reason, attempts: 1 }));
    await eventually(async () => expect(await eventRow(foreign)).toMatchObject({ status: 'ignored' }));
    expect(await parkedSoFar('event')).toBe(before + 1);
    expect(alert).toHaveBeenCalledWith(expect.stringContaining('is parked'), expect.objectContaining({ event: odd }));
    await eventually(async () => {
      const deadLetters = await listDeadLetters(bench.broker.url, 'billing.stripe-events.dead');
      expect(deadLetters.filter(({ body }) => body.includes(odd))).toMatchObject([{ attempts: 1, reason }]);
    });
  });

  it.each<[string, (invoice: Stripe.Invoice) => unknown, RegExp]>([
    [
      'does not say of which subscription it is',
      (each) => ({ ...each, parent: { ...each.parent, subscription_details: null } }),
      /does not say of which/,
    ],
    [
      'names a subscription that Stripe does not have',
      (each) => ({ ...each, parent: { ...each.parent, subscription_details: { metadata: {}, subscription: 'sub_gone' } } }),
      /Stripe has no/,
    ],
  ])('is parked with its event when an invoice %s', async (_name, shape, reason) => {
    const { subscriptionId } = await bench.customer('pro');
    await bench.settled();
    const [invoice] = (await bench.stripe.invoices.list({ subscription: subscriptionId })).data;
    await bench.sandbox.answer(`/v1/invoices/${invoice!.id}`, shape(invoice!));
    const id = await bench.sandbox.send({ type: 'invoice.paid', data: { object: { id: invoice!.id, object: 'invoice' } } });
    await eventually(async () => {
      expect(await eventRow(id)).toEqual({ status: 'parked', attempts: 1, error: expect.stringMatching(reason) });
    });
  });

  it('is no reason to stop comparing: a failure to list events leaves the comparison running', async () => {
    const { userId, subscriptionId } = await bench.customer('pro');
    const failed = async () => {
      const { values } = await metrics.getSingleMetric('stripe_reconciliation_runs_total')!.get();
      return values.find(({ labels }) => labels['work'] === 'events' && labels['outcome'] === 'failed')?.value ?? 0;
    };
    await bench.settled();
    const before = await failed();
    await bench.sandbox.fail({
      method: 'GET',
      path: '/v1/events',
      times: 1_000,
      status: 403,
      error: { type: 'invalid_request_error', message: 'This key may not list events.' },
    });
    await bench.sandbox.deliver({ drop_rate: 1 });
    await bench.stripe.subscriptions.cancel(subscriptionId);
    await bench.dataSource.query(`delete from reconciliation_cursors where name = 'sweep'`);
    await bench.untilState(userId, noAccess);
    await eventually(async () => expect(await failed()).toBeGreaterThan(before));
  });

  it('does not keep other accounts from expiring when one account cannot be stored', async () => {
    const [stuck, next] = [await bench.customer('pro'), await bench.customer('pro')];
    await bench.settled();
    // The first account cannot be read.
    await bench.dataSource.query(`update billing_accounts set published = '[]'::jsonb where user_id = $1`, [stuck.userId]);
    await bench.dataSource.query(
      `create function refuse() returns trigger language plpgsql as $$ begin
         if new.user_id = '${stuck.userId}' then raise exception 'refused by a test'; end if; return new; end $$`,
    );
    await bench.dataSource.query('create trigger refuse before update on billing_accounts for each row execute function refuse()');
    try {
      await bench.dataSource.query('alter table billing_accounts disable trigger refuse');
      await bench.dataSource.query(`update billing_accounts set next_boundary_at = now() - interval '2 hours' where user_id = $1`, [
        stuck.userId,
      ]);
      await bench.dataSource.query('alter table billing_accounts enable trigger refuse');
      await bench.dataSource.query(`update billing_accounts set next_boundary_at = now() - interval '1 hour' where user_id = $1`, [
        next.userId,
      ]);
      await eventually(async () => {
        const row = await bench.row<{ at: Date | null }>('select next_boundary_at as at from billing_accounts where user_id = $1', [
          next.userId,
        ]);
        expect(row).toEqual({ at: null });
      });
    } finally {
      await bench.dataSource.query('drop trigger refuse on billing_accounts');
      await bench.dataSource.query('drop function refuse()');
      await bench.dataSource.query(`update billing_accounts set published = null, next_boundary_at = null where user_id = $1`, [
        stuck.userId,
      ]);
    }
  });

  it('of another API version is reported once', async () => {
    const version = `2024-01-01.${randomUUID().slice(0, 8)}`;
    for (let time = 0; time < 3; time += 1) {
      const id = await bench.sandbox.send({
        type: 'product.created',
        api_version: version,
        data: { object: { id: 'prod_1', object: 'product' } },
      });
      await eventually(async () => expect(await eventRow(id)).toMatchObject({ status: 'ignored' }));
    }
    expect(alert.mock.calls.filter(([, facts]) => (facts as { version?: string } | undefined)?.version === version)).toHaveLength(1);
  });

  it('lets provisioning print why Stripe refused', async () => {
    await bench.sandbox.fail({
      path: '/v1/products',
      times: 1_000,
      status: 403,
      error: { type: 'invalid_request_error', message: 'This key may not read products.' },
    });
    const { status, stderr } = await runCommand('billing', 'provision', bench.environment);
    expect(status).toBe(1);
    expect(stderr).toContain('This key may not read products.');
  });

  it('leaves the reason of a failed request in the event’s row, and no reason in the answer to a customer', async () => {
    const { userId, subscriptionId } = await bench.customer('pro');
    await bench.settled();
    await bench.sandbox.fail({
      method: 'GET',
      path: `/v1/subscriptions/${subscriptionId}`,
      times: 1_000,
      status: 403,
      error: { type: 'invalid_request_error', message: 'This key may not read subscriptions.' },
    });
    const id = await bench.sandbox.send({
      type: 'customer.subscription.updated',
      data: { object: { id: subscriptionId, object: 'subscription' } },
    });
    await eventually(async () =>
      expect(await eventRow(id)).toMatchObject({
        status: 'failed',
        error: expect.stringMatching(/^BillingMisconfiguredError: .*This key may not read subscriptions\./),
      }),
    );
    expect(await bench.changePlan(userId, 'premium')).toMatchObject({
      status: 500,
      body: { error: '', code: 'billing_error' },
    });
    await bench.sandbox.clearFaults();
    await bench.settled({ timeoutMs: 60_000 });
  });
});
