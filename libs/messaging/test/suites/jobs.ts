import { randomUUID } from 'node:crypto';
import { PermanentError, RetryLaterError } from '@decola/service-kit';
import { type BrokerServer, eventually } from '@decola/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import amqp from 'amqplib';
import { DataSource } from 'typeorm';
import {
  consumeJobs,
  type JobDelivery,
  listDeadLetters,
  Outbox,
  replayDeadLetters,
  type RunningJobs,
  type WeightedQueue,
} from '../../src/index.js';
import { bench, type Bench, cutConnections, depthOf, packOrder, startService } from '../support.js';

/** A promise that the test resolves. */
function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

/** @param server a broker of the caller's; default: the one of all tests */
export function jobs(server?: () => BrokerServer): void {
  let own: Bench;
  let app: NestFastifyApplication;
  let dataSource: DataSource;
  const running: RunningJobs[] = [];

  beforeAll(async () => {
    own = await bench(server?.());
    app = await startService('orders', { brokerUrl: own.broker.url, databaseUrl: own.database.url });
    dataSource = app.get(DataSource);
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((jobs) => jobs.stop({ drainMs: 1_000 })));
  });
  afterAll(async () => {
    await app?.close();
    await own?.dispose();
  });

  const queueName = () => `pack.${randomUUID()}`;
  const order = (queue: string, orderId: string) =>
    dataSource.transaction((manager) => app.get(Outbox).enqueue(manager, packOrder, { orderId }, { subject: orderId, queue }));
  const consume = (
    queues: (string | WeightedQueue)[],
    handle: (orderId: string, delivery: JobDelivery) => Promise<void> | void,
    prefetch: () => number = () => 10,
    idleMs = 20,
  ): RunningJobs => {
    const jobs = consumeJobs({
      url: own.broker.url,
      name: 'packer',
      job: packOrder,
      queues: queues.map((queue) => (typeof queue === 'string' ? { name: queue, weight: 1 } : queue)),
      prefetch,
      idleMs,
      handle: async ({ orderId }, delivery) => handle(orderId, delivery),
    });
    running.push(jobs);
    return jobs;
  };

  it('are handled once each, and leave nothing in their queue', async () => {
    const queue = queueName();
    const ids = Array.from({ length: 20 }, () => randomUUID() as string);
    await Promise.all(ids.map((id) => order(queue, id)));
    const done: string[] = [];
    consume([queue], (orderId) => void done.push(orderId));
    await eventually(() => expect(done.toSorted()).toEqual(ids.toSorted()));
    await eventually(async () => expect(await depthOf(own.broker.url, queue)).toBe(0));
    expect(done).toHaveLength(20);
  });

  it('are taken only up to the prefetch, and otherwise wait in the queue for other workers', async () => {
    const queue = queueName();
    for (let n = 0; n < 6; n++) await order(queue, `${n}`);
    const door = gate();
    let room = 2;
    let most = 0;
    let now = 0;
    let done = 0;
    const jobs = consume(
      [queue],
      async () => {
        most = Math.max(most, ++now);
        await door.opened;
        now -= 1;
        done += 1;
      },
      () => room,
    );
    await eventually(() => expect(jobs.inHand).toBe(2));
    await eventually(async () => expect(await depthOf(own.broker.url, queue)).toBe(4));
    room = 3;
    await eventually(() => expect(jobs.inHand).toBe(3));
    door.open();
    await eventually(() => expect(done).toBe(6));
    expect(most).toBe(3);
  });

  /** Enqueues jobs and waits until the queue holds all of them; each is named after the queue. */
  const fill = async (queue: WeightedQueue, kind: string, count: number) => {
    await Promise.all(Array.from({ length: count }, () => order(queue.name, kind)));
    await eventually(async () => expect(await depthOf(own.broker.url, queue.name)).toBe(count));
  };
  const shared = () => ({
    interactive: { name: queueName(), weight: 2 },
    checks: { name: queueName(), weight: 1 },
    scheduled: { name: queueName(), weight: 1 },
  });

  it('of several queues are taken in proportion to the weights, also one at a time', async () => {
    const { interactive, checks, scheduled } = shared();
    await Promise.all([fill(interactive, 'interactive', 20), fill(checks, 'check', 10), fill(scheduled, 'scheduled', 10)]);
    const done: string[] = [];
    consume(
      [interactive, checks, scheduled],
      (kind) => void done.push(kind),
      () => 1,
    );
    await eventually(() => expect(done).toHaveLength(40));
    for (let first = 0; first + 4 <= done.length; first++)
      expect(done.slice(first, first + 4).toSorted()).toEqual(['check', 'interactive', 'interactive', 'scheduled']);
  });

  it('of a queue that was empty do not wait behind hundreds of other queues’ jobs', async () => {
    const { interactive, checks, scheduled } = shared();
    await fill(interactive, 'interactive', 300);
    const done: string[] = [];
    const door = gate();
    consume(
      [interactive, checks, scheduled],
      async (kind) => {
        done.push(kind);
        if (done.length === 20) await door.opened;
      },
      () => 1,
    );
    await eventually(() => expect(done).toHaveLength(20));
    await Promise.all([fill(scheduled, 'scheduled', 1), fill(checks, 'check', 1)]);
    door.open();
    await eventually(() => expect(done.length).toBeGreaterThan(24));
    expect(done.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 'interactive'));
    expect(done.slice(20, 24)).toContain('scheduled');
    expect(done.slice(20, 24)).toContain('check');
  });

  it('of one queue are not delayed by queues that are empty', async () => {
    const { interactive, checks, scheduled } = shared();
    await fill(scheduled, 'scheduled', 10);
    const done: string[] = [];
    // If an empty queue used up a turn, the pauses would be longer than the deadline below: ten jobs with a pause before each take 60 s.
    const jobs = consume(
      [interactive, checks, scheduled],
      (kind) => void done.push(kind),
      () => 1,
      6_000,
    );
    // One pause while the channel opens.
    await eventually(() => expect(done).toHaveLength(10), { timeoutMs: 50_000 });
    await jobs.stop({ drainMs: 1_000 });
  });

  it('are redelivered, and marked as such, when their worker loses its connection', async () => {
    const queue = queueName();
    await order(queue, 'x');
    const seen: JobDelivery[] = [];
    const door = gate();
    consume([queue], async (_, delivery) => {
      seen.push(delivery);
      if (seen.length === 1) await door.opened;
      if (delivery.redelivered && seen.filter(({ redelivered }) => redelivered).length === 1) throw new RetryLaterError(1_000);
    });
    await eventually(() => expect(seen).toHaveLength(1));
    // The management interface knows a new connection only after some seconds.
    await eventually(
      async () => {
        await cutConnections(own.broker);
        expect(seen.length).toBeGreaterThanOrEqual(2);
      },
      { timeoutMs: 40_000, everyMs: 1_000 },
    );
    door.open();
    expect(seen[0]).toMatchObject({ redelivered: false, deliveryCount: 0 });
    expect(seen[1]).toMatchObject({ redelivered: true, messageId: seen[0]?.messageId });
    expect(seen[1]?.deliveryCount).toBeGreaterThanOrEqual(1);
    // The mark remains when the second worker postpones the job.
    await eventually(() => expect(seen.length).toBeGreaterThanOrEqual(3));
    expect(seen.slice(1).map(({ redelivered }) => redelivered)).not.toContain(false);
    await eventually(async () => expect(await depthOf(own.broker.url, queue)).toBe(0));
  });

  it('are delivered later, as new jobs, when they are postponed', async () => {
    const queue = queueName();
    await order(queue, 'x');
    const seen: { delivery: JobDelivery; at: number }[] = [];
    consume([queue], (_, delivery) => {
      seen.push({ delivery, at: Date.now() });
      if (seen.length === 1) throw new RetryLaterError(1_000);
    });
    await eventually(() => expect(seen).toHaveLength(2));
    expect(seen[1]?.delivery).toMatchObject({ redelivered: false, deliveryCount: 0, messageId: seen[0]?.delivery.messageId });
    expect((seen[1]?.at ?? 0) - (seen[0]?.at ?? 0)).toBeGreaterThanOrEqual(950);
  });

  it('are tried again with growing delays when they fail', async () => {
    const queue = queueName();
    await order(queue, 'x');
    const times: number[] = [];
    consume([queue], () => {
      times.push(Date.now());
      if (times.length < 3) throw new Error('not today');
    });
    await eventually(() => expect(times).toHaveLength(3));
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(950);
    expect((times[2] ?? 0) - (times[1] ?? 0)).toBeGreaterThanOrEqual(4_900);
  });

  it('that can never be handled are dead-lettered with the reason, and handled after a replay', async () => {
    const queue = queueName();
    const [poison, other] = [randomUUID(), randomUUID()];
    let isBroken = true;
    const done: string[] = [];
    consume([queue], (orderId) => {
      if (orderId === poison && isBroken) throw new PermanentError('the box is too small');
      done.push(orderId);
    });
    await order(queue, poison);
    await order(queue, other);
    await eventually(() => expect(done).toEqual([other]));
    const dead = `${queue}.dead`;
    await eventually(async () => expect(await depthOf(own.broker.url, dead)).toBe(1));
    // Listing dead letters does not change them.
    for (let look = 0; look < 30; look++) expect(await listDeadLetters(own.broker.url, dead)).toHaveLength(1);
    const [letter] = await listDeadLetters(own.broker.url, dead);
    expect(letter).toMatchObject({
      type: 'order.pack',
      subject: poison,
      queue,
      reason: 'PermanentError: the box is too small',
      attempts: 1,
    });
    expect(JSON.parse(letter?.body ?? '')).toEqual({ orderId: poison });
    isBroken = false;
    expect(await replayDeadLetters(own.broker.url, dead, { ids: [randomUUID()] })).toEqual([]);
    expect(await replayDeadLetters(own.broker.url, dead)).toEqual([letter?.id]);
    await eventually(() => expect(done).toEqual([other, poison]));
    await eventually(async () => expect(await depthOf(own.broker.url, dead)).toBe(0));
  });

  it('with a malformed body are dead-lettered, and later jobs are handled', async () => {
    const queue = queueName();
    const done: string[] = [];
    const jobs = consume([queue], (orderId) => void done.push(orderId));
    await eventually(() => expect(jobs.isConnected()).toBe(true));
    const connection = await amqp.connect(own.broker.url);
    const channel = await connection.createConfirmChannel();
    for (const body of ['no json', '{"orderId":7}', '{"orderId":"good"}'])
      channel.sendToQueue(queue, Buffer.from(body), { messageId: body });
    await channel.waitForConfirms();
    await connection.close();
    await eventually(() => expect(done).toEqual(['good']));
    await eventually(async () =>
      expect((await listDeadLetters(own.broker.url, `${queue}.dead`)).map(({ reason }) => reason)).toEqual([
        'PermanentError: the body is no JSON',
        'PermanentError: the job does not fit order.pack: orderId',
      ]),
    );
  });

  it('under way are finished when the consumer stops, and no other is started', async () => {
    const queue = queueName();
    await order(queue, 'first');
    const door = gate();
    const done: string[] = [];
    const jobs = consume(
      [queue],
      async (orderId) => {
        await door.opened;
        done.push(orderId);
      },
      () => 1,
    );
    await eventually(() => expect(jobs.inHand).toBe(1));
    await order(queue, 'second');
    await eventually(async () => expect(await depthOf(own.broker.url, queue)).toBe(1));
    const stopped = jobs.stop({ drainMs: 10_000 });
    door.open();
    await stopped;
    expect(done).toEqual(['first']);
    expect(await depthOf(own.broker.url, queue)).toBe(1);
  });

  it('wait while the consumer is paused', async () => {
    const queue = queueName();
    const done: string[] = [];
    const jobs = consume([queue], (orderId) => void done.push(orderId));
    jobs.pause();
    await order(queue, 'x');
    await eventually(async () => expect(await depthOf(own.broker.url, queue)).toBe(1));
    expect(done).toEqual([]);
    jobs.resume();
    await eventually(() => expect(done).toEqual(['x']));
  });
}
