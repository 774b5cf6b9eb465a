import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { automationTypes, type BrowserRun, subscriptionChanged } from '@decola/contracts';
import { Clock } from '@decola/service-kit';
import {
  authenticated,
  eventually,
  publishTestEvent,
  type ServiceUnderTest,
  serviceUnderTest,
  type TestBroker,
  type TestDatabase,
} from '@decola/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { DataSource } from 'typeorm';
import { AppModule, listen } from '../src/app.module.js';
import { configSchema } from '../src/config/config.js';
import { migrations } from '../src/migrations/index.js';
import { Scheduler } from '../src/schedule/scheduler.service.js';

/** Key ring with which the service under test seals sessions. */
const keyRing = `test:${randomBytes(32).toString('base64')}`;

/** The scheduler runs when a test says so. */
export const benchEnvironment: Record<string, string> = {
  SESSION_KEY_RING: keyRing,
  ACCOUNT_KEY_PEPPER: Buffer.alloc(32, 5).toString('base64'),
  QUIET_HOURS: 'null',
  SCHEDULER_ENABLED: 'false',
  SESSION_CHECK_WAIT_MS: '0',
  TOOLS_IN_OPERATION: [...automationTypes, 'blog-automation'].join(','),
};

// oxlint-disable-next-line typescript/no-explicit-any -- the wire's own JSON, which each test knows
export type Json = any;

export interface Answer {
  status: number;
  body: Json;
}

/** The whole service with its own database and virtual host. The scheduler runs only when a test calls it. */
export class Bench {
  private constructor(private readonly service: ServiceUnderTest) {}

  /** @param options.isDurable false: commits do not wait for the disk */
  static async start(environment: Record<string, string> = {}, { isDurable = true } = {}): Promise<Bench> {
    const service = await serviceUnderTest(
      { name: 'automations', configSchema, module: (config) => AppModule.forRoot(config), configure: listen },
      {
        migrations,
        roleName: 'test_automations',
        isDurable,
        environment: { ...benchEnvironment, ...environment },
      },
    );
    return new Bench(service);
  }

  stop(): Promise<void> {
    return this.service.dispose();
  }

  get app(): NestFastifyApplication {
    return this.service.app;
  }

  get database(): TestDatabase {
    return this.service.database;
  }

  get broker(): TestBroker {
    return this.service.broker;
  }

  /** Address of the service. */
  get url(): string {
    return this.service.url;
  }

  get db(): DataSource {
    return this.service.dataSource;
  }

  /** Advances the service's clock. */
  setTime(at: Date): void {
    Object.assign(this.app.get(Clock), { now: () => new Date(at) });
  }

  tick(): Promise<{ dispatched: number }> {
    return this.app.get(Scheduler).tick();
  }

  async call(method: string, path: string, as: string | null, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const answer = await fetch(`${this.url}/rest/v1/${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(as === null ? {} : authenticated(as)), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
  }

  /** The row of an automation as its owner sees it. */
  async automation(userId: string, id: string): Promise<Json> {
    return (await this.call('GET', `automations?id=eq.${id}`, userId)).body[0];
  }

  /** Creates a customer whose plan has this many slots. */
  async customer(maxSlots: number): Promise<string> {
    const userId = randomUUID();
    await this.plan(userId, maxSlots, 1);
    return userId;
  }

  /** Publishes an event of billing and waits until the service has handled it. */
  async plan(userId: string, maxSlots: number, sequence: number): Promise<void> {
    await publishTestEvent(this.broker.url, subscriptionChanged, subscription(userId, maxSlots, sequence), { subject: userId });
    await eventually(async () => {
      const [row] = await this.db.query('select max_slots from entitlements where user_id = $1 and sequence >= $2', [userId, sequence]);
      expect(row).toEqual({ max_slots: maxSlots });
    });
  }

  create(userId: string, row: Record<string, unknown> = {}): Promise<Answer> {
    const body = {
      user_id: userId,
      name: 'Teste',
      type: 'auto-follow-unfollow',
      configuration: followConfiguration(),
      is_draft: false,
      is_active: true,
      ...row,
    };
    return this.call('POST', 'automations?select=id', userId, body, {
      prefer: 'return=representation',
      accept: 'application/vnd.pgrst.object+json',
    });
  }

  /** Inserts an automation and expects success. @returns its id */
  async made(userId: string, row: Record<string, unknown> = {}): Promise<string> {
    const answer = await this.create(userId, row);
    expect(answer).toEqual({ status: 201, body: { id: expect.any(String) } });
    return answer.body.id as string;
  }

  /** Jobs in the outbox, oldest first. */
  async jobs(): Promise<(BrowserRun & { queue: string })[]> {
    const rows = await this.db.query(`select payload, queue from outbox where kind = 'job' order by position`);
    return rows.map(({ payload, queue }: { payload: BrowserRun; queue: string }) => ({ ...payload, queue }));
  }

  async lastJobOf(automationId: string): Promise<BrowserRun & { queue: string }> {
    const job = (await this.jobs()).filter((each) => each.automationId === automationId).pop();
    if (!job) throw new Error('no run was dispatched');
    return job;
  }
}

export function subscription(userId: string, maxSlots: number, sequence: number) {
  return {
    user_id: userId,
    sequence,
    cause: 'checked' as const,
    state: {
      subscribed: maxSlots > 0,
      plan_id: null,
      plan_key: maxSlots > 0 ? ('premium' as const) : null,
      plan_name: maxSlots > 0 ? 'Premium' : null,
      max_slots: maxSlots,
      subscription_status: 'active',
      subscription_end: null,
      is_trial: false,
      trial_ends_at: null,
      is_canceled: false,
      is_past_due: false,
      will_renew: true,
    },
    previous: null,
  };
}

export function networkId(): string {
  return String(randomInt(10_000_000, 2_000_000_000));
}

/** A session as a customer pastes it. */
export function cookieOf(account: string, secret = randomBytes(9).toString('hex')): string {
  return `${account}%3A${secret}%3A12%3AAYd${secret}`;
}

export function followConfiguration(account = networkId(), more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    sessionCookie: cookieOf(account),
    action: 'follow',
    method: 'hashtag',
    targets: '#cafe',
    frequency: '1hour',
    rowsPerLaunch: 3,
    ...more,
  };
}

export function extractorRow(account = networkId(), more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    type: 'followers-following-extractor',
    configuration: {
      sessionCookie: cookieOf(account),
      action: 'extract',
      method: 'user',
      extractionType: 'followers',
      targets: '@padaria',
      ...more,
    },
  };
}

/** A weekly blog automation as the wizard posts it, without its owner. */
export const blogRow = {
  theme: 'Vendas',
  keyword: 'vendas',
  webhook_url: 'https://blog.example/wp-json/decola/v1/publish',
  schedule_type: 'weekly',
  schedule_time: '09:00',
  schedule_days: [1],
};
