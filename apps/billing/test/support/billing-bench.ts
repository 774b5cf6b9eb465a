import { randomUUID } from 'node:crypto';
import { type EventDefinition, slotsChanged, userDeleted } from '@decola/contracts';
import { dataSourceOptions, rowOf, rowsOf } from '@decola/database';
import { createService } from '@decola/service-kit';
import {
  authenticated,
  type CollectedEvent,
  collectEvents,
  eventually,
  freePort,
  publishTestEvent,
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
import type { z } from 'zod';
import { billingService } from '../../src/app.module.js';
import { provision } from '../../src/provisioning/provisioning.js';
import { migrations } from '../../src/migrations/index.js';
import { StripeSandbox } from './stripe-sandbox.js';

process.env['STRIPE_SUPPRESS_NOTICES'] = 'true';

/** Seconds of a day and of an hour. */
export const day = 86_400;
export const hour = 3_600;

const secretKey = 'sk_test_billing';
/** A second webhook secret, as during a rotation. */
export const rotatedSecret = 'whsec_rotated';

export interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** Billing with a real database, a real broker and sandbox-stripe. */
export class BillingBench {
  private constructor(
    private readonly service: NestFastifyApplication | undefined,
    /** Billing's environment. */
    readonly environment: Record<string, string>,
    readonly url: string,
    readonly sandbox: StripeSandbox,
    readonly stripe: Stripe,
    readonly dataSource: DataSource,
    readonly broker: { url: string },
    /** Every event that was published, in order. */
    readonly events: CollectedEvent[],
    readonly webhookSecret: string,
    /** Proxy between billing and its database, which a test can cut; `dataSource` does not use it. */
    readonly database: TcpProxy,
    /** Whether `events` is filled: not with a broker that the test stops. */
    private readonly isCollecting: boolean,
    private readonly closing: (() => Promise<unknown>)[],
  ) {}

  /**
   * @param brokerUrl a broker in place of a virtual host of the shared one.
   * @param withoutService the test starts billing itself.
   * @param isDurable false: commits do not wait for the disk, for tests of many transactions that never lose the database.
   * @param environment changes of billing's environment.
   */
  static async start({
    brokerUrl,
    withoutService = false,
    isDurable = true,
    environment: changes = {},
  }: {
    brokerUrl?: string;
    withoutService?: boolean;
    isDurable?: boolean;
    environment?: Record<string, string>;
  } = {}): Promise<BillingBench> {
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
    if (!isDurable) await forgoDurability(database);
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
    const dataSource = await new DataSource(dataSourceOptions({ url: database.url })).initialize();
    await provision({ dataSource, stripe, siteUrl: url });
    const bench = new BillingBench(
      service,
      environment,
      url,
      new StripeSandbox(sandbox.url),
      stripe,
      dataSource,
      broker,
      collected.events,
      endpoint.secret ?? '',
      proxy,
      brokerUrl === undefined,
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
    await bench.sandbox.control('settings', { webhook_retries_ms: [100, 300, 1_000, 3_000] });
    return bench;
  }

  async stop(): Promise<void> {
    for (const close of this.closing) await close();
  }

  rows<Row>(statement: string, parameters?: unknown[]): Promise<Row[]> {
    return rowsOf<Row>(this.dataSource, statement, parameters);
  }

  row<Row>(statement: string, parameters?: unknown[]): Promise<Row | undefined> {
    return rowOf<Row>(this.dataSource, statement, parameters);
  }

  /** Publishes an event of another service about a person. @returns its id. */
  publish<Schema extends z.ZodType<{ userId: string }>>(definition: EventDefinition<Schema>, payload: z.infer<Schema>): Promise<string> {
    return publishTestEvent(this.broker.url, definition, payload, { subject: payload.userId });
  }

  /** As automations would tell it. */
  publishSlots(userId: string, used: number, sequence: number): Promise<string> {
    return this.publish(slotsChanged, { userId, used, sequence });
  }

  /** Publishes the event of identity about a deleted account. */
  deleteAccount(userId: string): Promise<string> {
    return this.publish(userDeleted, { userId, deletedAt: new Date().toISOString() });
  }

  /** The service, when it runs in this process. */
  get app(): NestFastifyApplication {
    if (!this.service) throw new Error('billing runs in a process of its own');
    return this.service;
  }

  /** Deletes the records of used trials, because the sandbox has only a few cards. */
  async forgetTrialCards(): Promise<void> {
    await this.dataSource.query('update trial_grants set card_hash = null');
  }

  /** Calls a function as this person; null: without a token. */
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

  /** Resolves when check-subscription answers with all of this. */
  async untilState(userId: string, expected: Record<string, unknown>): Promise<void> {
    await eventually(async () => expect(await this.check(userId)).toMatchObject(expected));
  }

  async priceOf(plan: string): Promise<string> {
    const { body } = await this.rest(null, `subscription_plans?select=price_id&key=eq.${plan}`);
    return (body as { price_id: string }[])[0]!.price_id;
  }

  /** Calls change-plan. @param more other members of the body. */
  async changePlan(userId: string, plan: string, more: Record<string, unknown> = {}): Promise<Answer> {
    return this.call(userId, 'change-plan', { new_price_id: await this.priceOf(plan), ...more });
  }

  async portalUrl(userId: string): Promise<string> {
    return String((await this.call(userId, 'customer-portal')).body['url']);
  }

  /** The customer at Stripe that billing links to; null when there is none. */
  async customerIdOf(userId: string): Promise<string | null> {
    const account = await this.row<{ id: string | null }>('select stripe_customer_id as id from billing_accounts where user_id = $1', [
      userId,
    ]);
    return account?.id ?? null;
  }

  async openCheckout(userId: string, plan: string, email?: string): Promise<string> {
    const { status, body } = await this.call(userId, 'create-checkout', { price_id: await this.priceOf(plan) }, email);
    expect({ status, body }).toMatchObject({ status: 200 });
    return String(body['url']);
  }

  /** A new person who bought the plan; resolves when the purchase was published. */
  async customer(plan: string, card?: string): Promise<{ userId: string; customerId: string; subscriptionId: string }> {
    const userId = randomUUID();
    const paid = await this.sandbox.pay(await this.openCheckout(userId, plan), card);
    expect(paid.status).toBe(303);
    return eventually(async () => {
      expect(this.statesOf(userId).at(-1)).toMatchObject({ subscribed: true });
      const row = await this.row<{ stripe_customer_id: string; stripe_subscription_id: string }>(
        'select stripe_customer_id, stripe_subscription_id from billing_subscriptions where user_id = $1',
        [userId],
      );
      return { userId, customerId: row!.stripe_customer_id, subscriptionId: row!.stripe_subscription_id };
    });
  }

  /** Payloads of `subscription.changed` about this person, in order. */
  messagesOf(userId: string): { sequence: number; cause: string; state: Record<string, unknown>; previous: unknown }[] {
    return this.payloadsOf('subscription.changed', userId) as never;
  }

  /** Payloads of the events of a type about this person, in order. */
  payloadsOf(type: string, userId: string): Record<string, unknown>[] {
    return this.events.filter((event) => event.type === type && event.payload['user_id'] === userId).map(({ payload }) => payload);
  }

  statesOf(userId: string): Record<string, unknown>[] {
    return this.messagesOf(userId).map(({ state }) => state);
  }

  /** The sequence of `subscription.changed` starts at one and has no gap. */
  expectNoGap(userId: string): void {
    const sequences = this.messagesOf(userId).map(({ sequence }) => sequence);
    expect(sequences).toEqual(sequences.map((_, index) => index + 1));
  }

  /** Resolves when every stored event was processed, and everything that billing published has arrived here. */
  async settled(limits?: { timeoutMs: number }): Promise<void> {
    await eventually(async () => {
      const row = await this.row<{ open: string }>(`select count(*) as open from stripe_events where status in ('received', 'failed')`);
      expect(Number(row!.open)).toBe(0);
      if (!this.isCollecting) return;
      const published = await this.rows<{ id: string }>(`select id from outbox where kind = 'event'`);
      const arrived = new Set(this.events.map(({ id }) => id));
      expect(published.filter(({ id }) => !arrived.has(id))).toEqual([]);
    }, limits);
  }
}

async function forgoDurability({ adminUrl }: TestDatabase): Promise<void> {
  const admin = await new DataSource({ type: 'postgres', url: adminUrl }).initialize();
  try {
    await admin.query(`do $$ begin execute format('alter database %I set synchronous_commit = off', current_database()); end $$`);
  } finally {
    await admin.destroy();
  }
}
