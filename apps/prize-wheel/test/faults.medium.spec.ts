import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { leadCaptured, leadErased, verifyChain } from '@decola/contracts';
import { dataSourceOptions } from '@decola/database';
import { createService, ErrorTranslator } from '@decola/service-kit';
import {
  collectEvents,
  eventually,
  type OwnPostgres,
  ownPostgres,
  type TcpProxy,
  tcpProxy,
  type TestBroker,
  testBroker,
  type TestDatabase,
  testDatabase,
  testSigningKey,
} from '@decola/testing';
import { DataSource } from 'typeorm';
import { Nightly } from '../src/jobs/nightly.service.js';
import { migrations } from '../src/migrations/index.js';
import { service, type TestWheel, wheelEnvironment, wheelsOf, type WheelUnderTest } from './support/wheel.js';

/** Errors that no service explained, in the order in which they were answered. */
const unexplained: string[] = [];

/** How long somebody holds the lock of a wheel. */
const lockMs = 5_000;

/**
 * Starts the service.
 * @param parts what the test itself uses, and the end of the service disposes of
 * @param urls where the service finds its database and its broker
 * @param disposeOfWay ends what leads to the parts, when the service has ended
 */
async function serve(
  parts: { database: TestDatabase; broker: TestBroker; dataSource: DataSource },
  urls: { database: string; broker: string },
  disposeOfWay: () => Promise<unknown> = () => Promise.resolve(),
): Promise<WheelUnderTest> {
  const app = await createService({
    ...service,
    environment: {
      PORT: '0',
      LOG_LEVEL: 'silent',
      DATABASE_URL: urls.database,
      RABBITMQ_URL: urls.broker,
      INTERNAL_SIGNING_KEY: testSigningKey,
      ...wheelEnvironment,
    },
  });
  // The last translator hears only of errors that the others do not know.
  app.get(ErrorTranslator).register((error) => void unexplained.push(inspect(error)));
  return wheelsOf({
    ...parts,
    app,
    url: (await app.getUrl()).replace('[::1]', '127.0.0.1'),
    dispose: async () => {
      await app.close();
      await parts.dataSource.destroy();
      await disposeOfWay();
      await Promise.all([parts.database.dispose(), parts.broker.dispose()]);
    },
  });
}

/**
 * Spins until there is an answer, with the same key each time.
 * @param onRefused called for each try that was answered with 503
 * @returns the answer, which has the prize's code
 */
async function spin({ post }: WheelUnderTest, wheel: TestWheel, handle: string, onRefused: () => void = () => undefined) {
  const spinKey = randomBytes(16).toString('hex');
  for (;;) {
    const answer = await post({ ...wheel.address, leadData: { instagram: handle }, spinKey });
    if (answer.status === 200) {
      expect(answer.body).toMatchObject({ success: true, participation: { code: expect.any(String) } });
      return answer.body as { winner: { id: string }; participation: { number: number; code: string } };
    }
    expect([answer.status, ...unexplained]).toEqual([503]);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    onRefused();
    await sleep(50);
  }
}

/** Asserts that so many spins were drawn, each once, each announced once, as the chain says. */
async function expectSound(wheels: WheelUnderTest, wheel: TestWheel, spins: number): Promise<void> {
  expect(await verifyChain(wheel.automationId, await wheel.chain())).toMatchObject({ draws: spins });
  expect((await wheels.leads(wheel.automationId)).map(({ number }) => number)).toEqual(
    Array.from({ length: spins }, (_, index) => index + 1),
  );
  expect(await wheels.app.get(Nightly).check(wheel.automationId)).toBeNull();
}

/** 32 visitors spin for these handles at the same time. @returns the handles that are left, and the end */
function crowd(wheels: WheelUnderTest, wheel: TestWheel, handles: readonly string[]) {
  const queue = [...handles];
  const told = new Map<string, Awaited<ReturnType<typeof spin>>>();
  const state = { queue, told, refused: 0 };
  const play = async () => {
    for (let handle = queue.shift(); handle !== undefined; handle = queue.shift())
      told.set(handle, await spin(wheels, wheel, handle, () => (state.refused += 1)));
  };
  return Object.assign(state, { ended: Promise.all(Array.from({ length: 32 }, play)) });
}

/** A service whose database and broker go away and come back. */
describe('a wheel while what it needs is away', () => {
  let wheels: WheelUnderTest;
  let database: TcpProxy;
  let broker: TcpProxy;
  /** Not through the proxy. */
  let direct: DataSource;
  beforeAll(async () => {
    const [own, messages] = await Promise.all([testDatabase({ migrations }), testBroker()]);
    [database, broker] = await Promise.all([tcpProxy(own.url), tcpProxy(messages.url)]);
    direct = await new DataSource({ type: 'postgres', url: own.url }).initialize();
    wheels = await serve({ database: own, broker: messages, dataSource: direct }, { database: database.url, broker: broker.url }, () =>
      Promise.all([database.dispose(), broker.dispose()]),
    );
  });
  afterAll(() => wheels?.dispose());

  it('draws and erases without its broker; when it is back each lead leaves once, and an erased one as erased', async () => {
    const wheel = await wheels.publish([{ id: 'a', name: 'Caneca', quantity: 100 }]);
    const { events, dispose } = await collectEvents(wheels.broker.url, 'lead.*');
    await broker.cut();
    const first = await wheels.post({ ...wheel.address, leadData: { instagram: '@first' } });
    const { code } = first.body.participation as { code: string };
    const privacy = (action: string) =>
      fetch(`${wheels.url}/functions/v1/lead-privacy`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ code, action }),
      });
    // The answers are extraction's: nobody can be asked for them now. Erasing waits for nobody.
    const shown = privacy('see').then(async (seen) => {
      expect([seen.status, Number(seen.headers.get('retry-after'))]).toEqual([503, 1]);
      expect(await (await privacy('erase')).json()).toEqual({ success: true, erased: true });
    });
    let refused = 0;
    for (let person = 0; person < 30; person++) await spin(wheels, wheel, `@p${person}`, () => (refused += 1));
    expect(refused).toBe(0);
    await shown;
    expect(events).toEqual([]);
    await broker.restore();
    const numbersOf = (type: string) => events.filter((event) => event.type === type).map(({ payload }) => Number(payload['number']));
    // Of the erased lead listeners hear last that it was erased, also when the message about it was under way already.
    await eventually(() => expect(numbersOf(leadErased.type)).toEqual([1]), { timeoutMs: 30_000 });
    const others = Array.from({ length: 30 }, (_, index) => index + 2);
    await eventually(() =>
      expect(
        numbersOf(leadCaptured.type)
          .filter((number) => number > 1)
          .sort((a, b) => a - b),
      ).toEqual(others),
    );
    const ofErased = events.filter(({ payload }) => payload['number'] === 1).map(({ type }) => type);
    expect(ofErased.at(-1)).toBe(leadErased.type);
    await dispose();
    expect(await verifyChain(wheel.automationId, await wheel.chain())).toMatchObject({ draws: 31 });
  });

  it('goes on after its database was away, and never draws twice for a spin whose answer was lost', async () => {
    const wheel = await wheels.publish([{ id: 'a', name: 'Caneca', quantity: 300 }]);
    const visitors = crowd(
      wheels,
      wheel,
      Array.from({ length: 200 }, (_, index) => `@p${index}`),
    );
    const outages = async () => {
      for (const left of [150, 75]) {
        while (visitors.queue.length > left) await sleep(1);
        await database.cut();
        await sleep(200);
        await database.restore();
      }
    };
    await Promise.all([visitors.ended, outages()]);
    expect(visitors.refused).toBeGreaterThan(0);
    const [count] = await direct.query<{ handles: string; rows: string }[]>(
      'select count(distinct instagram_handle) as handles, count(*) as rows from prize_wheel_participations where automation_id = $1',
      [wheel.automationId],
    );
    expect(count).toEqual({ handles: '200', rows: '200' });
    await expectSound(wheels, wheel, 200);
  });

  it('asks visitors to come back while somebody holds its lock for five seconds, and then draws for each of them once', async () => {
    const wheel = await wheels.publish([{ id: 'a', name: 'Caneca', quantity: 50 }]);
    const runner = direct.createQueryRunner();
    await runner.startTransaction();
    await runner.query('select 1 from wheel_draws where automation_id = $1 for update', [wheel.automationId]);
    let refused = 0;
    const spins = Array.from({ length: 20 }, (_, person) => spin(wheels, wheel, `@p${person}`, () => (refused += 1)));
    await sleep(lockMs);
    await runner.rollbackTransaction();
    await runner.release();
    await Promise.all(spins);
    expect(refused).toBeGreaterThan(0);
    await expectSound(wheels, wheel, 20);
  });
});

describe('a wheel whose PostgreSQL is killed, and restarted, while visitors spin', () => {
  let postgres: OwnPostgres;
  let wheels: WheelUnderTest;
  beforeAll(async () => {
    postgres = await ownPostgres();
    const [database, broker] = await Promise.all([testDatabase({ migrations, server: postgres.url }), testBroker()]);
    const dataSource = await new DataSource(dataSourceOptions({ url: database.url })).initialize();
    wheels = await serve({ database, broker, dataSource }, { database: database.url, broker: broker.url });
  });
  afterAll(async () => {
    await wheels?.dispose();
    await postgres?.dispose();
  });

  it('draws once for each of them, keeps what it told them, and holds its chain', async () => {
    const wheel = await wheels.publish([
      { id: 'a', name: 'Caneca', quantity: 200 },
      { id: 'b', name: 'Vale', quantity: 100 },
    ]);
    const handles = Array.from({ length: 200 }, (_, index) => `@p${index}`);
    const visitors = crowd(wheels, wheel, handles);
    const outages = async () => {
      for (const [left, signal] of [
        [150, 'SIGKILL'],
        [75, 'SIGINT'],
      ] as const) {
        while (visitors.queue.length > left) await sleep(1);
        const before = visitors.refused;
        await postgres.end(signal);
        // The outage meets visitors, and they go on asking while the server recovers.
        await eventually(() => expect(visitors.refused).toBeGreaterThan(before));
        await postgres.start();
      }
    };
    await Promise.all([visitors.ended, outages()]);
    const stored = await wheels.dataSource.query<{ instagram_handle: string; number: string; prize_id: string }[]>(
      'select instagram_handle, number, prize_id from prize_wheel_participations where automation_id = $1',
      [wheel.automationId],
    );
    expect(stored).toHaveLength(handles.length);
    expect(Object.fromEntries(stored.map((row) => [row.instagram_handle, [Number(row.number), row.prize_id]]))).toEqual(
      Object.fromEntries([...visitors.told].map(([handle, { winner, participation }]) => [handle, [participation.number, winner.id]])),
    );
    await expectSound(wheels, wheel, handles.length);
  });
});
