import { randomUUID } from 'node:crypto';
import type { PayloadOf } from '@decola/contracts';
import { callManagement, eventually, ownBroker, type OwnBroker, tcpProxy, testDatabase, type TestDatabase } from '@decola/testing';
import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, MessagePattern, Payload } from '@nestjs/microservices';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DataSource } from 'typeorm';
import { connectBroker, consumeJobs, EventContext, Outbox, Requester, type RunningJobs } from '../src/index.js';
import { orderMoved, packOrder, priceOf, startService, testMigrations } from './support.js';

@Controller()
class OrdersListener {
  @EventPattern<string>(orderMoved.type)
  async on(@Payload() { orderId, step }: PayloadOf<typeof orderMoved>, @Ctx() context: EventContext): Promise<void> {
    await context.manager.query('insert into effects (order_id, step) values ($1, $2)', [orderId, step]);
  }

  @MessagePattern(priceOf.type)
  price(@Payload() { orderId }: { orderId: string }) {
    return { cents: orderId.length };
  }
}

const vhost = encodeURIComponent('/');

describe('messaging during trouble with the broker', () => {
  let broker: OwnBroker;
  let database: TestDatabase;
  let app: NestFastifyApplication;
  let dataSource: DataSource;
  let jobs: RunningJobs;
  const packed = new Map<string, number>();

  beforeAll(async () => {
    [broker, database] = await Promise.all([ownBroker(), testDatabase({ migrations: testMigrations })]);
    app = await startService('listener', { brokerUrl: broker.url, databaseUrl: database.url, controllers: [OrdersListener] });
    dataSource = app.get(DataSource);
    jobs = consumeJobs({
      url: broker.url,
      name: 'packer',
      job: packOrder,
      queues: [{ name: 'pack', weight: 1 }],
      prefetch: () => 5,
      idleMs: 20,
      handle: ({ orderId }) => {
        packed.set(orderId, (packed.get(orderId) ?? 0) + 1);
        return Promise.resolve();
      },
    });
  });
  afterAll(async () => {
    await jobs?.stop({ drainMs: 1_000 });
    await app?.close();
    broker?.dispose();
    await database?.dispose();
  });

  const stepsOf = async (orderId: string): Promise<number[]> =>
    (await dataSource.query<{ step: number }[]>('select step from effects where order_id = $1', [orderId]))
      .map(({ step }) => step)
      .toSorted((a, b) => a - b);
  const move = (orderId: string, step: number) =>
    dataSource.transaction(async (manager) => {
      await app.get(Outbox).add(manager, orderMoved, { orderId, step }, { subject: orderId });
      await app.get(Outbox).enqueue(manager, packOrder, { orderId: `${orderId} ${step}` }, { subject: orderId, queue: 'pack' });
    });
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
  const readiness = async () => {
    const answer = await fetch(`${await app.getUrl()}/health/ready`);
    const { parts } = (await answer.json()) as { parts: Record<string, string> };
    return { status: answer.status, rabbitmq: parts['rabbitmq'] };
  };
  const manage = (method: string, path: string) => callManagement<unknown>(broker.managementUrl, method, path);
  const allDone = (orderId: string, steps: number) =>
    eventually(
      async () => {
        expect(await stepsOf(orderId)).toEqual(upTo(steps));
        for (const step of upTo(steps)) expect(packed.get(`${orderId} ${step}`) ?? 0).toBeGreaterThanOrEqual(1);
      },
      { timeoutMs: 60_000, everyMs: 250 },
    );

  it('recovers from a crash and restart of the broker: nothing is lost, effects happen once, and readiness shows it without an end of requests', async () => {
    // RabbitMQ may lose a quorum queue for good when it crashes while it creates the queue, so all queues must exist first.
    const first = randomUUID();
    await move(first, 1);
    await allDone(first, 1);
    const orderId = randomUUID();
    for (const step of upTo(20)) await move(orderId, step);
    expect(await readiness()).toEqual({ status: 200, rabbitmq: 'up' });
    broker.kill();
    // Orders are still accepted during the outage.
    for (const step of upTo(20)) await move(orderId, step + 20);
    const away = { status: 200, rabbitmq: 'down: no connection to RabbitMQ' };
    await eventually(async () => expect(await readiness()).toEqual(away));
    broker.start();
    for (const step of upTo(20)) await move(orderId, step + 40);
    await allDone(orderId, 60);
    await eventually(async () => expect(await readiness()).toEqual({ status: 200, rabbitmq: 'up' }));
  });

  it('gives up a connection that the broker accepts but never answers, and opens another', async () => {
    const way = await tcpProxy(broker.url);
    way.hang();
    const connection = connectBroker(way.url, 'patient');
    try {
      const failed = new Promise((resolve) => connection.once('connectFailed', resolve));
      expect(await failed).toMatchObject({ err: { message: 'connect ETIMEDOUT' } });
      await way.restore();
      await eventually(() => expect(connection.isConnected()).toBe(true));
    } finally {
      await connection.close();
      await way.dispose();
    }
  });

  it('recreates and binds a deleted exchange', async () => {
    const orderId = randomUUID();
    await move(orderId, 1);
    await allDone(orderId, 1);
    await manage('DELETE', `/exchanges/${vhost}/decola.events`);
    // The next publish fails and recreates it. Events that are published before the queues are bound again are lost, later ones arrive.
    await move(randomUUID(), 1);
    await eventually(async () => expect(await manage('GET', `/exchanges/${vhost}/decola.events/bindings/source`)).toHaveLength(1), {
      timeoutMs: 30_000,
      everyMs: 250,
    });
    for (const step of [2, 3]) await move(orderId, step);
    await allDone(orderId, 3);
  });

  it('recreates and consumes deleted queues', async () => {
    const orderId = randomUUID();
    await move(orderId, 1);
    await allDone(orderId, 1);
    await manage('DELETE', `/queues/${vhost}/listener.events`);
    await manage('DELETE', `/queues/${vhost}/pack`);
    await manage('DELETE', `/queues/${vhost}/${encodeURIComponent('requests.order.price')}`);
    // Messages that are published while there is no queue are lost; later ones arrive.
    await eventually(async () => manage('GET', `/queues/${vhost}/listener.events`), { everyMs: 250 });
    await eventually(async () => manage('GET', `/queues/${vhost}/pack`), { everyMs: 250 });
    for (const step of [2, 3]) await move(orderId, step);
    await allDone(orderId, 3);
    const requester = app.get(Requester);
    await eventually(async () => expect(await requester.ask(priceOf, { orderId: 'abc' }, { timeoutMs: 1_000 })).toEqual({ cents: 3 }));
  });
});
