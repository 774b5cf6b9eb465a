import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  authenticated,
  collectEvents,
  eventually,
  freePort,
  runCommand,
  sandboxStripe,
  ServiceProcess,
  testBroker,
  testDatabase,
  testRedis,
  testSigningKey,
} from '@decola/testing';
import Stripe from 'stripe';
import { builtWebApp, publishableKey } from './support.js';

const patience = { timeoutMs: 60_000 };
const secretKey = 'sk_test_gateway';

interface Delivery {
  event: string;
  /** Epoch milliseconds at which it began. */
  at: number;
  status: number | null;
}

/** The Stripe sandbox, gateway and billing as three processes, connected as in production. */
async function threeProcesses() {
  const redis = testRedis();
  const [sandbox, database, broker, gatewayPort, billingPort] = await Promise.all([
    sandboxStripe(),
    testDatabase({ migrations: [], roleName: 'test_billing' }),
    testBroker(),
    freePort(),
    freePort(),
  ]);
  const [site, billingUrl] = [`http://127.0.0.1:${gatewayPort}`, `http://127.0.0.1:${billingPort}`];
  const { hostname, port } = new URL(sandbox.url);
  const stripe = new Stripe(secretKey, { host: hostname, port, protocol: 'http', telemetry: false });
  const endpoint = await stripe.webhookEndpoints.create({ url: `${site}/webhooks/stripe`, enabled_events: ['*'] });
  const environment = {
    LOG_LEVEL: 'silent',
    DATABASE_URL: database.url,
    RABBITMQ_URL: broker.url,
    INTERNAL_SIGNING_KEY: testSigningKey,
    SITE_URL: site,
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRETS: endpoint.secret ?? '',
    STRIPE_API_BASE: sandbox.url,
    STRIPE_LIVEMODE: 'false',
    STRIPE_SUPPRESS_NOTICES: 'true',
    TRIAL_PEPPER: Buffer.alloc(32, 9).toString('base64'),
  };
  for (const command of ['migrate', 'provision']) expect(await runCommand('billing', command, environment)).toMatchObject({ status: 0 });
  const web = mkdtempSync(path.join(os.tmpdir(), 'gateway-'));
  mkdirSync(path.join(web, 'server'));
  for (const [file, content] of Object.entries(builtWebApp)) writeFileSync(path.join(web, file), content);
  const nobody = `http://127.0.0.1:${await freePort()}`;
  const startBilling = () => ServiceProcess.start('billing', { ...environment, PORT: String(billingPort) });
  const [gateway, billing, collected] = await Promise.all([
    ServiceProcess.start('gateway', {
      PORT: String(gatewayPort),
      LOG_LEVEL: 'silent',
      INTERNAL_SIGNING_KEY: testSigningKey,
      REDIS_URL: redis.url,
      REDIS_PREFIX: redis.prefix,
      RABBITMQ_URL: broker.url,
      SITE_URL: site,
      PUBLISHABLE_KEY: publishableKey,
      WEB_DIST: web,
      BILLING_URL: billingUrl,
      ...Object.fromEntries(['IDENTITY', 'AUTOMATIONS', 'EXTRACTION', 'PRIZE_WHEEL', 'BLOG'].map((name) => [`${name}_URL`, nobody])),
      SUPPORT_EMAIL: 'a@decola.test',
      PRIVACY_EMAIL: 'b@decola.test',
      DPO_EMAIL: 'c@decola.test',
    }),
    startBilling(),
    collectEvents(broker.url),
  ]);
  const control = (call: string, body: object) =>
    fetch(`${sandbox.url}/_emulator/api/${call}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  // More retries than needed, so that none is the last one before a busy machine has restarted billing.
  await control('settings', { webhook_retries_ms: [300, 600, 1_000, 2_000, ...Array.from({ length: 20 }, () => 4_000)] });
  const running = { billing };
  return {
    running,
    startBilling,
    /** Deliveries of the Stripe sandbox, in order. */
    deliveries: async () => (await (await fetch(`${sandbox.url}/_emulator/api/deliveries`)).json()) as Delivery[],
    /** Creates a checkout page of Stripe for this person. @returns its URL */
    checkout: async (userId: string) => {
      const prices = (await (await fetch(`${billingUrl}/rest/v1/subscription_plans?select=price_id&key=eq.pro`)).json()) as {
        price_id: string;
      }[];
      const answer = await fetch(`${billingUrl}/functions/v1/create-checkout`, {
        method: 'POST',
        headers: { ...authenticated(userId), 'content-type': 'application/json' },
        body: JSON.stringify(prices[0]),
      });
      return ((await answer.json()) as { url: string }).url;
    },
    pay: async (url: string) => {
      const card = { cardNumber: '4242424242424242', cardExpiry: '12/34', cardCvc: '123' };
      const body = new URLSearchParams({ email: 'x@example.com', billingName: 'Cliente', ...card });
      expect((await fetch(url, { method: 'POST', body, redirect: 'manual' })).status).toBe(303);
    },
    /** Sends a webhook and returns the gateway's answer. */
    deliver: async () => {
      const answer = await fetch(`${site}/webhooks/stripe`, { method: 'POST', headers: { 'stripe-signature': 't=1,v1=x' }, body: '{}' });
      return { status: answer.status, body: await answer.json() };
    },
    statesOf: (userId: string) =>
      collected.events
        .filter(({ type, payload }) => type === 'subscription.changed' && payload['user_id'] === userId)
        .map(({ payload }) => payload['state']),
    dispose: async () => {
      await Promise.all([gateway.stop(), running.billing.stop()]);
      await Promise.all([sandbox.stop(), collected.dispose()]);
      await Promise.all([database.dispose(), broker.dispose(), redis.dispose()]);
      rmSync(web, { recursive: true, force: true });
    },
  };
}

describe('webhooks of Stripe while billing is unavailable', () => {
  let bench: Awaited<ReturnType<typeof threeProcesses>>;

  beforeAll(async () => {
    bench = await threeProcesses();
  });
  afterAll(() => bench?.dispose());

  const unavailable = { status: 503, body: { error: { message: expect.any(String) } } };

  async function arrives(userId: string, from: number): Promise<void> {
    await eventually(() => expect(bench.statesOf(userId).at(-1)).toMatchObject({ subscribed: true, plan_key: 'pro' }), patience);
    await eventually(async () => {
      const last = new Map((await bench.deliveries()).slice(from).map(({ event, status }) => [event, status]));
      expect(new Set(last.values())).toEqual(new Set([200]));
    }, patience);
  }

  it('are answered with 503 when it is stopped, and Stripe’s retries bring the purchase', async () => {
    const userId = randomUUID();
    const checkout = await bench.checkout(userId);
    const from = (await bench.deliveries()).length;
    await bench.running.billing.kill();
    const killedAt = Date.now();
    await bench.pay(checkout);
    expect(await bench.deliver()).toMatchObject(unavailable);
    await eventually(async () => {
      // Billing may have accepted deliveries of other events until it died, and some have no answer yet.
      const statuses = (await bench.deliveries()).filter(({ at, status }) => at >= killedAt && status !== null).map(({ status }) => status);
      expect(statuses.length).toBeGreaterThan(10);
      expect(new Set(statuses)).toEqual(new Set([503]));
    }, patience);
    bench.running.billing = await bench.startBilling();
    await arrives(userId, from);
  });

  it('are answered with 503 while it hangs, and Stripe’s retries bring the purchase', async () => {
    const userId = randomUUID();
    const checkout = await bench.checkout(userId);
    const from = (await bench.deliveries()).length;
    bench.running.billing.freeze();
    try {
      await bench.pay(checkout);
      // It still hangs: the answer cannot have waited for it.
      expect(await bench.deliver()).toMatchObject(unavailable);
      await eventually(async () => expect((await bench.deliveries()).slice(from).map(({ status }) => status)).toContain(503), patience);
    } finally {
      bench.running.billing.thaw();
    }
    await arrives(userId, from);
  });
});
