import { randomUUID } from 'node:crypto';
import { callManagement, eventually, type OwnBroker, ownCluster, testDatabase, type TestDatabase } from '@decola/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import amqp, { type ChannelModel, type ConfirmChannel } from 'amqplib';
import { DataSource } from 'typeorm';
import { eventExchange, Outbox } from '../src/index.js';
import { orderMoved, packOrder, startService, testMigrations } from './support.js';

/** The time that the relay waits for a stuck destination, its poll interval, and a margin for a busy machine. */
const boundMs = 15_000;

describe('a relay in a cluster that has lost a node', () => {
  let [first, second]: OwnBroker[] = [];
  let database: TestDatabase;
  let app: NestFastifyApplication;
  let dataSource: DataSource;
  let connection: ChannelModel;
  let channel: ConfirmChannel;
  /** Ids of orders in received events. */
  const heard: string[] = [];

  beforeAll(async () => {
    [[first, second], database] = await Promise.all([ownCluster(), testDatabase({ migrations: testMigrations })]);
    app = await startService('orders', { brokerUrl: first.url, databaseUrl: database.url });
    dataSource = app.get(DataSource);
    connection = await amqp.connect(first.url);
    channel = await connection.createConfirmChannel();
    // A classic queue on the node that stays: it works without a majority of nodes.
    const { queue } = await channel.assertQueue('listener', { durable: false, arguments: { 'x-queue-type': 'classic' } });
    // The service declares its exchange on a connection of its own, which may take a moment longer.
    await channel.assertExchange(eventExchange, 'topic', { durable: true });
    await channel.bindQueue(queue, eventExchange, orderMoved.type);
    await channel.consume(queue, (message) => void heard.push((JSON.parse(String(message?.content)) as { orderId: string }).orderId), {
      noAck: true,
    });
  });
  afterAll(async () => {
    await connection?.close();
    await app?.close();
    second?.dispose();
    first?.dispose();
    await database?.dispose();
  });

  const move = (subject: string) =>
    dataSource.transaction((manager) => app.get(Outbox).add(manager, orderMoved, { orderId: subject, step: 1 }, { subject }));
  const pack = (subject: string, queue: string) =>
    dataSource.transaction((manager) => app.get(Outbox).enqueue(manager, packOrder, { orderId: subject }, { subject, queue }));
  const pending = async () =>
    (await dataSource.query<{ count: number }[]>('select count(*)::int as count from outbox where sent_at is null'))[0]?.count;
  /** Publishes an event of a new subject. @returns how long it took to arrive, ms */
  const eventLatency = async (): Promise<number> => {
    const subject = randomUUID();
    const begun = performance.now();
    await move(subject);
    await eventually(() => expect(heard).toContain(subject), { timeoutMs: 2 * boundMs, everyMs: 20 });
    return performance.now() - begun;
  };
  const ordersIn = async (queue: string): Promise<string[]> => {
    const orders: string[] = [];
    for (;;) {
      const message = await channel.get(queue, { noAck: true });
      if (message === false) return orders;
      orders.push((JSON.parse(String(message.content)) as { orderId: string }).orderId);
    }
  };

  it('goes on with every other destination while a queue has no leader or cannot be declared, and sends what waited when the node is back', async () => {
    const [existing, missing] = ['pack.existing', 'pack.missing'];
    await pack('order 1', existing);
    await eventually(async () => expect(await pending()).toBe(0));
    const { members } = await callManagement<{ members: string[] }>(first!.managementUrl, 'GET', `/queues/%2F/${existing}`);
    expect(members).toHaveLength(2);

    second!.kill();
    // More than a batch of jobs for the queue without a leader, and one for a queue that must be declared first.
    for (let order = 2; order <= 601; order++) await pack(`order ${order}`, existing);
    await pack('order 602', missing);
    // Order within a subject: its event follows a job that waits.
    await move('order 602');
    for (let n = 0; n < 8; n++) {
      expect(await eventLatency()).toBeLessThan(boundMs);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    expect(await pending()).toBe(602);
    expect(heard).not.toContain('order 602');

    second!.start();
    await eventually(async () => expect(await pending()).toBe(0), { timeoutMs: 60_000, everyMs: 250 });
    await eventually(() => expect(heard).toContain('order 602'));
    expect(await ordersIn(missing)).toEqual(['order 602']);
    // Jobs whose confirmation was lost were sent twice.
    const received = new Set(await ordersIn(existing));
    expect(received.size).toBe(601);
  });
});
