import { randomUUID } from 'node:crypto';
import { dataSourceOptions } from '@decola/database';
import { createService } from '@decola/service-kit';
import {
  authenticated,
  type CollectedEvent,
  collectEvents,
  eventually,
  freePort,
  sandboxStripe,
  testBroker,
  type TestBroker,
  testDatabase,
  type TestDatabase,
  testSigningKey,
  tcpProxy,
  type TcpProxy,
} from '@decola/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import Stripe from 'stripe';
import { DataSource } from 'typeorm';
import { billingService } from '../src/app.module.js';
import { provision } from '../src/catalogue/provisioning.js';
import { migrations } from '../src/migrations/index.js';

process.env['STRIPE_SUPPRESS_NOTICES'] = 'true';
// Several processes share the machine with the whole suite.
jest.setTimeout(90_000);

const patience = { timeoutMs: 30_000 };

const secretKey = 'sk_test_billing';
/** The secret that is being rotated in or out. */
export const rotatedSecret = 'whsec_rotated';

export interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** Billing with a real database, a real broker and the sandbox's Stripe. */
export class BillingBench {
  private constructor(
    private readonly service: NestFastifyApplication | undefined,
    /** What billing reads. */
    readonly environment: Record<string, string>,
    readonly url: string,
    readonly sandboxUrl: string,
    readonly stripe: Stripe,
    readonly dataSource: DataSource,
    readonly broker: { url: string },
    /** Every event that was published, in order. */
    readonly events: CollectedEvent[],
    readonly webhookSecret: string,
    /** Billing's own way to its database, which a test can close; `dataSource` goes past it. */
    readonly database: TcpProxy,
    private readonly closing: (() => Promise<unknown>)[],
  ) {}

  /** @param brokerUrl instead of a virtual host of the shared broker. @param withoutService the test starts billing itself. */
  static async start({
    brokerUrl,
    withoutService = false,
    environment: changes = {},
  }: { brokerUrl?: string; withoutService?: boolean; environment?: Record<string, string> } = {}): Promise<BillingBench> {
    const [sandbox, database, broker, port]: [
      Awaited<ReturnType<typeof sandboxStripe>>,
      TestDatabase,
      Pick<TestBroker, 'url' | 'dispose'>,
      number,
    ] = await Promise.all([
      sandboxStripe(),
      testDatabase({ migrations }),
      brokerUrl ? { url: brokerUrl, dispose: () => Promise.resolve() } : testBroker(),
      freePort(),
    ]);
    const proxy = await tcpProxy(database.url);
    const { hostname, port: stripePort } = new URL(sandbox.url);
    const stripe = new Stripe(secretKey, { host: hostname, port: stripePort, protocol: 'http', maxNetworkRetries: 0, telemetry: false });
    const url = `http://127.0.0.1:${port}`;
    const endpoint = await stripe.webhookEndpoints.create({ url: `${url}/webhooks/stripe`, enabled_events: ['*'] });
    const collected = brokerUrl ? { events: [], dispose: () => Promise.resolve() } : await collectEvents(broker.url);
    const environment: Record<string, string> = {
      PORT: String(port),
      LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent',
      DATABASE_URL: proxy.url,
      RABBITMQ_URL: broker.url,
      INTERNAL_SIGNING_KEY: testSigningKey,
      SITE_URL: url,
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRETS: `${rotatedSecret}, ${endpoint.secret ?? ''} `,
      STRIPE_API_BASE: sandbox.url,
      STRIPE_LIVEMODE: 'false',
      TRIAL_PEPPER: Buffer.alloc(32, 9).toString('base64'),
      BOUNDARY_INTERVAL_MS: '200',
      ...changes,
    };
    const service = withoutService ? undefined : await createService({ ...billingService, environment });
    const dataSource = await new DataSource(dataSourceOptions({ url: database.url, entities: [] })).initialize();
    await provision({ dataSource, stripe, siteUrl: url });
    const bench = new BillingBench(
      service,
      environment,
      url,
      sandbox.url,
      stripe,
      dataSource,
      broker,
      collected.events,
      endpoint.secret ?? '',
      proxy,
      [
        () => service?.close() ?? Promise.resolve(),
        () => dataSource.destroy(),
        () => collected.dispose(),
        () => broker.dispose(),
        () => proxy.dispose(),
        () => database.dispose(),
        () => sandbox.stop(),
      ],
    );
    await bench.control('settings', { webhook_retries_ms: [100, 300, 1_000, 3_000] });
    return bench;
  }

  async stop(): Promise<void> {
    for (const close of this.closing) await close();
  }

  async control<Result = unknown>(call: string, body: unknown = {}): Promise<Result> {
    const answer = await fetch(`${this.sandboxUrl}/_emulator/api/${call}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await answer.json()) as Result;
  }

  /** The service, when it runs in this process. */
  get app(): NestFastifyApplication {
    if (!this.service) throw new Error('billing runs in a process of its own');
    return this.service;
  }

  /** As if no card had been used for a trial: the sandbox knows only a handful of cards. */
  async forgetTrialCards(): Promise<void> {
    await this.dataSource.query('update trial_grants set card_hash = null');
  }

  /** Calls a function as this person. */
  async call(userId: string | null, name: string, body?: unknown, email?: string): Promise<Answer> {
    const answer = await fetch(`${this.url}/functions/v1/${name}`, {
      method: 'POST',
      headers: {
        ...(userId ? authenticated(userId, email ? { email } : {}) : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  }

  async rest(userId: string | null, query: string): Promise<{ status: number; body: unknown }> {
    const answer = await fetch(`${this.url}/rest/v1/${query}`, { headers: userId ? authenticated(userId) : {} });
    return { status: answer.status, body: await answer.json() };
  }

  async check(userId: string): Promise<Record<string, unknown>> {
    const { status, body } = await this.call(userId, 'check-subscription');
    expect(status).toBe(200);
    return body;
  }

  async priceOf(plan: string): Promise<string> {
    const { body } = await this.rest(null, `subscription_plans?select=price_id&key=eq.${plan}`);
    return (body as { price_id: string }[])[0]!.price_id;
  }

  /** Fills in the hosted page. @returns where it sends the customer. */
  async pay(url: string, card = '4242424242424242'): Promise<{ status: number; location: string | null }> {
    const answer = await fetch(url, {
      method: 'POST',
      body: new URLSearchParams({ email: 'x@example.com', cardNumber: card, cardExpiry: '12/34', cardCvc: '123', billingName: 'Cliente' }),
      redirect: 'manual',
    });
    return { status: answer.status, location: answer.headers.get('location') };
  }

  async openCheckout(userId: string, plan: string, email?: string): Promise<string> {
    const { status, body } = await this.call(userId, 'create-checkout', { price_id: await this.priceOf(plan) }, email);
    expect({ status, body }).toMatchObject({ status: 200 });
    return String(body['url']);
  }

  /** A new person who bought the plan; resolves when everybody was told. */
  async customer(plan: string, card?: string): Promise<{ userId: string; customerId: string; subscriptionId: string }> {
    const userId = randomUUID();
    const paid = await this.pay(await this.openCheckout(userId, plan), card);
    expect(paid.status).toBe(303);
    return eventually(async () => {
      expect(this.statesOf(userId).at(-1)).toMatchObject({ subscribed: true });
      const [row] = await this.dataSource.query<{ stripe_customer_id: string; stripe_subscription_id: string }[]>(
        'select stripe_customer_id, stripe_subscription_id from billing_subscriptions where user_id = $1',
        [userId],
      );
      return { userId, customerId: row!.stripe_customer_id, subscriptionId: row!.stripe_subscription_id };
    }, patience);
  }

  /** What `subscription.changed` told about this person, in order. */
  messagesOf(userId: string): { sequence: number; cause: string; state: Record<string, unknown>; previous: unknown }[] {
    return this.payloadsOf('subscription.changed', userId) as never;
  }

  /** What the events of a type told about this person, in order. */
  payloadsOf(type: string, userId: string): Record<string, unknown>[] {
    return this.events.filter((event) => event.type === type && event.payload['user_id'] === userId).map(({ payload }) => payload);
  }

  statesOf(userId: string): Record<string, unknown>[] {
    return this.messagesOf(userId).map(({ state }) => state);
  }

  /** Resolves when every stored event was worked through. */
  async settled(limits: { timeoutMs: number } = patience): Promise<void> {
    await eventually(async () => {
      const [row] = await this.dataSource.query<{ open: string }[]>(
        `select count(*) as open from stripe_events where status in ('received', 'failed')`,
      );
      expect(Number(row!.open)).toBe(0);
    }, limits);
  }
}
