import { randomBytes, randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { type AuditLine, automationCreated, automationUpdated, leadCaptured, type PayloadOf, verifyChain } from '@decola/contracts';
import { connectMessaging } from '@decola/messaging';
import { clientAddressHeaders, createService } from '@decola/service-kit';
import { eventually, publishTestEvent, type ServiceUnderTest, serviceUnderTest, testRedis, testSigningKey } from '@decola/testing';
import { AppModule } from '../../src/app.module.js';
import { configSchema } from '../../src/config/config.js';
import { migrations } from '../../src/migrations/index.js';
import { Audits } from '../../src/owners/audit.service.js';

const redis = testRedis();

/** Environment of the service with the limits of production. */
export const limitedEnvironment = {
  WHEEL_HMAC_KEY: Buffer.alloc(32, 9).toString('base64'),
  SEED_KEY_RING: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
  SITE_URL: 'https://decola.example',
  REDIS_URL: redis.url,
  REDIS_PREFIX: redis.prefix,
};

/** Environment of the service that its tests need beside the database and the broker. They spin from one address. */
export const wheelEnvironment = {
  ...limitedEnvironment,
  RATE_LIMIT_WHEEL_SPINS_PER_MINUTE: '10000000',
  RATE_LIMIT_WHEEL_CHECKS_PER_MINUTE: '10000000',
};

type Facts = PayloadOf<typeof automationCreated>;
// oxlint-disable-next-line typescript/no-explicit-any -- answers of the function, which the tests compare
type Answer = any;

/** A published wheel without prizes, as `automation.created` describes it. */
export const wheelFacts = (over: Partial<Facts> = {}): Facts => ({
  automationId: randomUUID(),
  userId: randomUUID(),
  type: 'prize-extractor',
  name: 'Roleta',
  isDraft: false,
  isActive: true,
  configuration: { prizes: [] },
  revision: 1,
  ...over,
});

export interface TestPrize {
  id: string;
  name: string;
  quantity: number;
  type?: 'digital' | 'physical';
  message?: string;
}

export const service = { name: 'prize-wheel', configSchema, module: AppModule.forRoot.bind(AppModule), configure: connectMessaging };

/** A running service on its own database and broker. */
export async function wheelUnderTest(environment: Record<string, string> = wheelEnvironment) {
  return wheelsOf(await serviceUnderTest(service, { migrations, environment }), environment);
}

/** What publishes wheels of a running service and spins them. */
export function wheelsOf(under: ServiceUnderTest, environment: Record<string, string> = wheelEnvironment) {
  const { broker, dataSource, url } = under;

  /** @param address of the visitor, as the gateway forwards it */
  const post = async (body: unknown, base = url, address?: string): Promise<{ status: number; headers: Headers; body: Answer }> => {
    const response = await fetch(`${base}/functions/v1/prize-extractor`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(address === undefined ? {} : clientAddressHeaders(address, testSigningKey)) },
      body: JSON.stringify(body),
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };

  const publish = async (prizes: readonly TestPrize[], over: Partial<Facts> = {}, configuration: Record<string, unknown> = {}) => {
    const token = randomBytes(16).toString('base64url');
    let current = configuration;
    const configured = (offered: readonly TestPrize[]) => ({
      ...current,
      publicToken: token,
      prizes: offered.map(({ type = 'digital', message = '', ...prize }) => ({ type, message, ...prize })),
    });
    const facts = wheelFacts({ configuration: configured(prizes), ...over });
    const { automationId } = facts;
    const stored = (revision: number) =>
      eventually(async () => {
        const [row] = await dataSource.query<{ revision: string }[]>('select revision from wheels where automation_id = $1', [
          automationId,
        ]);
        expect(Number(row?.revision)).toBe(revision);
      });
    await publishTestEvent(broker.url, automationCreated, facts);
    await stored(1);
    let revision = 1;
    const address = { automationId, token };
    return {
      automationId,
      token,
      address,
      facts,
      ask: async (body: Record<string, unknown>): Promise<Answer> => (await post({ ...address, ...body })).body,
      spin: async (instagram: string, more: Record<string, unknown> = {}, base?: string): Promise<Answer> =>
        (await post({ ...address, leadData: { instagram }, ...more }, base)).body,
      /** @param changes of the configuration beside its prizes */
      edit: async (offered: readonly (Omit<TestPrize, 'quantity'> & { quantity?: number })[], changes: Record<string, unknown> = {}) => {
        revision += 1;
        current = { ...current, ...changes };
        const next = offered.map((prize) => ({ quantity: 0, ...prize }));
        await publishTestEvent(broker.url, automationUpdated, { ...facts, configuration: configured(next), revision });
        await stored(revision);
      },
      /** The lines of the audit file, without its heading. */
      chain: async (): Promise<AuditLine[]> => {
        const file = await text(await under.app.get(Audits).file(facts.userId, automationId));
        const [, ...lines] = file.trimEnd().split('\n');
        return lines.map((line) => JSON.parse(line) as AuditLine);
      },
      stock: () =>
        dataSource.query<{ prize_id: string; total: number; given: number; remaining: number }[]>(
          'select prize_id, total, given, remaining from wheel_prizes where automation_id = $1 and retired_at is null order by position',
          [automationId],
        ),
    };
  };

  return {
    ...under,
    dispose: async () => {
      await under.dispose();
      await redis.dispose();
    },
    post,
    publish,
    /** Another replica on the same database and broker. */
    replica: async (more: Record<string, string> = {}) => {
      const app = await createService({
        ...service,
        environment: {
          PORT: '0',
          LOG_LEVEL: 'silent',
          DATABASE_URL: under.database.url,
          RABBITMQ_URL: broker.url,
          INTERNAL_SIGNING_KEY: testSigningKey,
          ...environment,
          ...more,
        },
      });
      return { app, url: (await app.getUrl()).replace('[::1]', '127.0.0.1'), close: () => app.close() };
    },
    /** The leads that the wheel announced, by their number. */
    leads: async (automationId: string): Promise<PayloadOf<typeof leadCaptured>[]> => {
      const rows = await dataSource.query<{ payload: PayloadOf<typeof leadCaptured> }[]>(
        `select payload from outbox where type = $1 and payload ->> 'automationId' = $2 order by (payload ->> 'number')::int`,
        [leadCaptured.type, automationId],
      );
      return rows.map(({ payload }) => payload);
    },
  };
}
/** Asserts that every unit of these prizes, 100 in all, was given out once, announced once, and drawn as the chain says. */
export async function expectAllGiven(wheels: WheelUnderTest, wheel: TestWheel, prizes: readonly TestPrize[]): Promise<void> {
  expect(await wheel.stock()).toEqual(prizes.map(({ id, quantity }) => ({ prize_id: id, total: quantity, given: quantity, remaining: 0 })));
  expect((await wheels.leads(wheel.automationId)).map(({ number }) => number)).toEqual(
    Array.from({ length: 100 }, (_, index) => index + 1),
  );
  expect(await verifyChain(wheel.automationId, await wheel.chain())).toMatchObject({ draws: 100, checkedDraws: 100 });
}

export type WheelUnderTest = Awaited<ReturnType<typeof wheelUnderTest>>;
/** A published wheel. */
export type TestWheel = Awaited<ReturnType<WheelUnderTest['publish']>>;
