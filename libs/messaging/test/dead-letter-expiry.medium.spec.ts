import { randomUUID } from 'node:crypto';
import { PermanentError } from '@decola/service-kit';
import { eventually, testBroker, type TestBroker } from '@decola/testing';
import amqp, { type ConfirmChannel } from 'amqplib';
import { listDeadLetters, replayDeadLetters } from '../src/dead-letters.js';
import { consumeJobs, type RunningJobs } from '../src/job-consumer.js';
import { assertWorkQueue, deadLetterQueueOf } from '../src/topology.js';
import { packOrder } from './support.js';

interface Standing {
  properties: { expiration?: string };
}

describe('dead letters', () => {
  let broker: TestBroker;
  let connection: Awaited<ReturnType<typeof amqp.connect>>;
  let channel: ConfirmChannel;
  const running: RunningJobs[] = [];

  beforeAll(async () => {
    broker = await testBroker();
    connection = await amqp.connect(broker.url);
    channel = await connection.createConfirmChannel();
  });
  afterAll(async () => {
    await Promise.all(running.map((jobs) => jobs.stop()));
    await connection?.close();
    await broker?.dispose();
  });

  async function send(queue: string): Promise<void> {
    await assertWorkQueue(channel, queue);
    channel.sendToQueue(queue, Buffer.from(JSON.stringify({ orderId: randomUUID() })), { persistent: true, messageId: randomUUID() });
    await channel.waitForConfirms();
  }

  const standingIn = (queue: string) =>
    broker.api<Standing[]>('POST', `/queues/{vhost}/${queue}/get`, { count: 10, ackmode: 'ack_requeue_true', encoding: 'auto' });

  it('expire after four weeks, unless they are replayed', async () => {
    const queue = `orders.${randomUUID().slice(0, 8)}`;
    await send(queue);
    const jobs = consumeJobs({
      url: broker.url,
      name: 'packer',
      job: packOrder,
      queues: [{ name: queue, weight: 1 }],
      prefetch: () => 1,
      handle: () => Promise.reject(new PermanentError('no box is large enough')),
    });
    running.push(jobs);
    const dead = deadLetterQueueOf(queue);
    await eventually(async () => expect(await listDeadLetters(broker.url, dead)).toHaveLength(1));
    expect((await standingIn(dead)).map(({ properties }) => properties.expiration)).toEqual([String(28 * 24 * 3_600_000)]);
    jobs.pause();
    // The management interface gives back what it showed a moment after its answer.
    await eventually(async () => expect(await listDeadLetters(broker.url, dead)).toHaveLength(1));
    expect(await replayDeadLetters(broker.url, dead)).toHaveLength(1);
    expect((await standingIn(queue)).map(({ properties }) => properties.expiration)).toEqual([undefined]);
  });

  it('of messages whose consumers crashed expire by the policy that the README tells operators to set', async () => {
    const queue = `orders.${randomUUID().slice(0, 8)}`;
    await broker.api('PUT', '/policies/{vhost}/dead-letters', {
      pattern: '\\.dead$',
      'apply-to': 'queues',
      definition: { 'message-ttl': 3_000 },
    });
    await send(queue);
    // Its consumers crash repeatedly while they handle it.
    for (;;) {
      const message = await channel.get(queue, { noAck: false });
      if (message === false) break;
      channel.nack(message);
    }
    const dead = deadLetterQueueOf(queue);
    await eventually(async () => expect(await listDeadLetters(broker.url, dead)).toMatchObject([{ reason: 'delivery_limit' }]));
    await eventually(async () => expect(await listDeadLetters(broker.url, dead)).toEqual([]), { everyMs: 500 });
  });
});
