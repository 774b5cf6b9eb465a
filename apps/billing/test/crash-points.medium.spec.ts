import { randomUUID } from 'node:crypto';
import { dataSourceOptions } from '@decola/database';
import { authenticated, type CrashScenario, forEachCrashPoint, type Invariants, sandboxStripe, sizeOf, type World } from '@decola/testing';
import Stripe from 'stripe';
import { DataSource } from 'typeorm';
import { billingService } from '../src/app.module.js';
import { migrations } from '../src/migrations/index.js';
import { provision } from '../src/provisioning/provisioning.js';
import { StripeSandbox } from './support/stripe-sandbox.js';
import { deliver, signatureOf } from './support/webhook.js';

process.env['STRIPE_SUPPRESS_NOTICES'] = 'true';

const webhookSecret = 'whsec_crash';
const secretKey = 'sk_test_billing';
const siteUrl = 'http://127.0.0.1:9';
/** Runs at once. Billing fetches missed events of the whole account when it starts, so each lane has a Stripe of its own. */
const lanes = 3;

interface Facts {
  userId: string;
  priceId: string;
  /** What Stripe has before the purchase: the catalogue. */
  atStripe: string;
}

describe('billing that dies', () => {
  let sandboxes: Awaited<ReturnType<typeof sandboxStripe>>[] = [];
  beforeAll(async () => {
    sandboxes = await Promise.all(Array.from({ length: lanes }, () => sandboxStripe()));
  });
  afterAll(() => Promise.all(sandboxes.map((sandbox) => sandbox.stop())));

  const sandboxOf = (lane: number) => new StripeSandbox(sandboxes[lane]!.url);
  const stripeOf = (lane: number) => {
    const { hostname, port } = new URL(sandboxes[lane]!.url);
    return new Stripe(secretKey, { host: hostname, port, protocol: 'http', telemetry: false });
  };

  const call = async (world: World, { userId }: Facts, name: string, body: unknown): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${world.url}/functions/v1/${name}`, {
      method: 'POST',
      headers: { ...authenticated(userId), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${name}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  };

  /** Delivers the newest event of this type, again until billing takes it, as Stripe does. */
  const deliverNewest = async (world: World, type: string): Promise<void> => {
    const { data } = await stripeOf(world.lane).events.list({ types: [type], limit: 1 });
    const body = JSON.stringify(data[0]);
    await world.attempt(async () => {
      const { status } = await deliver(world.url, body, signatureOf(body, webhookSecret));
      if (status !== 200) throw new Error(`the webhook was answered ${status}`);
    });
  };

  const scenario: CrashScenario<Facts> = {
    service: billingService,
    migrations,
    environment: (lane) => ({
      SITE_URL: siteUrl,
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRETS: webhookSecret,
      STRIPE_API_BASE: sandboxes[lane]!.url,
      STRIPE_LIVEMODE: 'false',
      TRIAL_PEPPER: Buffer.alloc(32, 9).toString('base64'),
    }),
    outside: ['STRIPE_API_BASE'],
    restoreOutside: async (lane, { atStripe }) => {
      await sandboxOf(lane).reset();
      await sandboxOf(lane).load(atStripe);
    },
    prepare: async (world) => {
      const stripe = stripeOf(world.lane);
      const dataSource = await new DataSource(dataSourceOptions({ url: world.database.url })).initialize();
      await provision({ dataSource, stripe, siteUrl });
      await dataSource.destroy();
      // The driver delivers events itself, one at a time.
      for (const { id } of (await stripe.webhookEndpoints.list()).data) await stripe.webhookEndpoints.del(id);
      const [price] = await world.query<{ id: string }>(`select stripe_price_id as id from plan_prices where plan_key = 'pro' and active`);
      return { userId: randomUUID(), priceId: price!.id, atStripe: JSON.stringify(await sandboxOf(world.lane).snapshot()) };
    },
    drive: async (world, facts) => {
      const stripe = stripeOf(world.lane);
      const { url } = await world.attempt(() => call(world, facts, 'create-checkout', { price_id: facts.priceId }));
      const { status } = await sandboxOf(world.lane).pay(String(url));
      if (status !== 303) throw new Error(`the page was answered ${status}`);
      await deliverNewest(world, 'checkout.session.completed');
      await world.rest();
      const { data } = await stripe.subscriptions.list();
      await stripe.subscriptions.update(data[0]!.id, { cancel_at_period_end: true });
      await deliverNewest(world, 'customer.subscription.updated');
    },
  };

  /** Published events by type, each once: the relay may publish one again. */
  const toldIn = (world: World, type: string) =>
    [...new Map(world.events.filter((event) => event.type === type).map((event) => [event.id, event])).values()].map(
      ({ payload }) => payload,
    );

  const invariants: Invariants<Facts> = {
    'each event is worked through': async (world) => {
      const rows = await world.query<{ type: string; status: string }>('select type, status from stripe_events');
      expect(rows.filter(({ status }) => status !== 'done' && status !== 'ignored')).toEqual([]);
      expect(rows.map(({ type }) => type)).toEqual(expect.arrayContaining(['checkout.session.completed', 'customer.subscription.updated']));
    },
    'each change is told once, in order, without a gap': (world) => {
      expect(toldIn(world, 'subscription.changed')).toMatchObject([
        { sequence: 1, state: { subscribed: true, is_canceled: false } },
        { sequence: 2, state: { subscribed: true, is_canceled: true } },
      ]);
    },
    'the payment is told once': (world) => expect(toldIn(world, 'payment.received')).toHaveLength(1),
    'what was told is what is stored': async (world, { userId }) => {
      const rows = await world.query<{ sequence: string; published: unknown }>(
        'select sequence, published from billing_accounts where user_id = $1',
        [userId],
      );
      const last = toldIn(world, 'subscription.changed').at(-1);
      expect(rows.map(({ sequence, published }) => ({ sequence: Number(sequence), published }))).toEqual([
        { sequence: 2, published: last?.['state'] },
      ]);
    },
    'whoever has paid has access, and the payment is recorded once': async (world, facts) => {
      const { userId } = facts;
      expect(await world.query('select status, ever_paid from billing_subscriptions where user_id = $1', [userId])).toEqual([
        { status: 'active', ever_paid: true },
      ]);
      expect(await world.query('select 1 from payments where user_id = $1', [userId])).toHaveLength(1);
      expect(await world.query('select status from checkout_intents where user_id = $1', [userId])).toEqual([{ status: 'completed' }]);
      expect(await call(world, facts, 'check-subscription', {})).toMatchObject({ subscribed: true, plan_name: 'Pro' });
    },
    'Stripe has one customer, one session and one subscription': async (world) => {
      const stripe = stripeOf(world.lane);
      const lists = await Promise.all([stripe.customers.list(), stripe.checkout.sessions.list(), stripe.subscriptions.list()]);
      expect(lists.map(({ data }) => data.length)).toEqual([1, 1, 1]);
    },
  };

  it('at any place tells each change once, charges once, and whoever has paid has access', async () => {
    await forEachCrashPoint(scenario, { invariants, points: sizeOf({ gate: 'own', long: 'all' }), parallel: lanes });
  }, 1_200_000);
});
