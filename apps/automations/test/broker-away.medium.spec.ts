import { randomUUID } from 'node:crypto';
import { automationCreated, subscriptionChanged } from '@decola/contracts';
import { collectEvents, eventually, publishTestEvent, tcpProxy, type TcpProxy, testBroker, type TestBroker } from '@decola/testing';
import { Bench, extractorRow, subscription } from './support.js';

describe('while the broker is away, the service', () => {
  let broker: TestBroker;
  let way: TcpProxy;
  let heard: Awaited<ReturnType<typeof collectEvents>>;

  beforeAll(async () => {
    broker = await testBroker();
    way = await tcpProxy(broker.url);
    heard = await collectEvents(broker.url, automationCreated.type);
  });
  afterAll(async () => {
    await heard?.dispose();
    await way?.dispose();
    await broker?.dispose();
  });

  const createdEventsOf = (id: string) => heard.events.filter(({ payload }) => payload['automationId'] === id);
  /** Past the proxy: the broker itself works. */
  const plan = (userId: string, maxSlots: number, sequence: number) =>
    publishTestEvent(broker.url, subscriptionChanged, subscription(userId, maxSlots, sequence), { subject: userId });
  const slotsOf = async (bench: Bench, userId: string): Promise<number | undefined> =>
    (await bench.db.query<{ max_slots: number }[]>('select max_slots from entitlements where user_id = $1', [userId]))[0]?.max_slots;
  const readiness = async (bench: Bench) => {
    const answer = await fetch(`${bench.url}/health/ready`);
    return { status: answer.status, parts: ((await answer.json()) as { parts: Record<string, string> }).parts };
  };
  const connectedMetric = async (bench: Bench) =>
    /^messaging_broker_connected\{service="automations"\} (\d)$/m.exec(await (await fetch(`${bench.url}/metrics`)).text())?.[1];

  it('stays ready, reads and writes, and shows it; effects follow when the broker is back', async () => {
    const bench = await Bench.start({ RABBITMQ_URL: way.url });
    try {
      const userId = randomUUID();
      await plan(userId, 3, 1);
      await eventually(async () => expect(await slotsOf(bench, userId)).toBe(3));
      expect(await connectedMetric(bench)).toBe('1');

      await way.cut();
      await eventually(async () => expect((await readiness(bench)).parts['rabbitmq']).toBe('down: no connection to RabbitMQ'));
      expect(await readiness(bench)).toMatchObject({ status: 200, parts: { postgres: 'up' } });
      expect(await connectedMetric(bench)).toBe('0');
      const id = await bench.made(userId, extractorRow());
      expect(await bench.automation(userId, id)).toMatchObject({ id, user_id: userId });
      await plan(userId, 5, 2);
      expect(createdEventsOf(id)).toEqual([]);

      await way.restore();
      await eventually(async () => expect(await slotsOf(bench, userId)).toBe(5), { timeoutMs: 30_000 });
      await eventually(() => expect(createdEventsOf(id)).toHaveLength(1), { timeoutMs: 30_000 });
      expect((await readiness(bench)).parts).toMatchObject({ rabbitmq: 'up', events: 'up' });
      expect(await connectedMetric(bench)).toBe('1');
    } finally {
      await way.restore();
      await bench.stop();
    }
  });

  // The queue is there from the test before: an event that is published before its queue exists is lost.
  it('starts, becomes ready and consumes when the broker is back', async () => {
    await way.cut();
    const bench = await Bench.start({ RABBITMQ_URL: way.url });
    try {
      expect((await readiness(bench)).status).toBe(200);
      const userId = randomUUID();
      expect(await bench.call('GET', 'automations', userId)).toEqual({ status: 200, body: [] });
      await way.restore();
      await plan(userId, 2, 1);
      await eventually(async () => expect(await slotsOf(bench, userId)).toBe(2), { timeoutMs: 30_000 });
    } finally {
      await way.restore();
      await bench.stop();
    }
  });
});
