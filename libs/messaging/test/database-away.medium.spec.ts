import { randomUUID } from 'node:crypto';
import type { PayloadOf } from '@decola/contracts';
import { DatabaseWatch, dataSourceOptions } from '@decola/database';
import { eventually, tcpProxy, type TcpProxy, testPublisher, type TestPublisher } from '@decola/testing';
import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, MessagePattern, Payload } from '@nestjs/microservices';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import amqp from 'amqplib';
import { DataSource } from 'typeorm';
import { consumeJobs, EventContext, NoAnswerError, Outbox, Requester, retryQueueOf, retryDelays, type RunningJobs } from '../src/index.js';
import { bench, type Bench, depthOf, orderMoved, packOrder, priceOf, startService } from './support.js';

/** How long the database stays away, once the service has noticed it. */
const outageMs = 3_000;
/** Long enough for several attempts, if the service made any. */
const severalAttemptsMs = 15_000;

/** Hooks by order, called between the handler's two writes. */
const meanwhile = new Map<string, () => Promise<void>>();
let tries = 0;

@Controller()
class OrdersListener {
  constructor(private readonly dataSource: DataSource) {}

  @EventPattern<string>(orderMoved.type)
  async on(@Payload() { orderId, step }: PayloadOf<typeof orderMoved>, @Ctx() context: EventContext): Promise<void> {
    tries += 1;
    await context.manager.query('insert into effects (order_id, step) values ($1, $2)', [orderId, step]);
    await meanwhile.get(orderId)?.();
    await context.manager.query('update effects set step = step where order_id = $1', [orderId]);
  }

  @MessagePattern(priceOf.type)
  async price(@Payload() { orderId }: { orderId: string }) {
    const [row] = await this.dataSource.query<{ cents: number }[]>('select length($1::text) as cents', [orderId]);
    return { cents: row?.cents ?? 0 };
  }
}

const events = 'listener.events';
const patience = { timeoutMs: 30_000 };
/** Time for a probe and the work after the recovery, also on a busy machine; far below a retry delay of 30 s. */
const soonMs = 20_000;

describe('messaging during an outage of the database', () => {
  let own: Bench;
  let way: TcpProxy;
  let app: NestFastifyApplication;
  let direct: DataSource;
  let publisher: TestPublisher;
  const running: RunningJobs[] = [];

  beforeAll(async () => {
    own = await bench();
    way = await tcpProxy(own.database.url);
    app = await startService('listener', { brokerUrl: own.broker.url, databaseUrl: way.url, controllers: [OrdersListener] });
    direct = await new DataSource(dataSourceOptions({ url: own.database.url })).initialize();
    publisher = await testPublisher(own.broker.url);
  });
  afterEach(async () => {
    await way.restore();
    await Promise.all(running.splice(0).map((jobs) => jobs.stop({ drainMs: 1_000 })));
    await eventually(async () => expect(await readiness()).toBe(200), patience);
  });
  afterAll(async () => {
    await publisher?.close();
    await app?.close();
    await direct?.destroy();
    await way?.dispose();
    await own?.dispose();
  });

  const readiness = async () => (await fetch(`${await app.getUrl()}/health/ready`)).status;
  const stepsOf = async (orderId: string) =>
    (await direct.query<{ step: number }[]>('select step from effects where order_id = $1 order by step', [orderId])).map(
      ({ step }) => step,
    );
  const publish = async (orderId: string, steps: number[]) => {
    for (const step of steps) publisher.publish({ orderId, step }, { type: orderMoved.type, subject: orderId });
    await publisher.confirmed();
  };
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

  /** Number of the queue's messages that were counted as failed: those in its retry queues and its dead letter queue. */
  const counted = async (queue: string): Promise<number> => {
    const queues = [...retryDelays.map(({ name }) => retryQueueOf(queue, name)), `${queue}.dead`];
    const depths = await Promise.all(queues.map((each) => depthOf(own.broker.url, each)));
    return depths.reduce((sum, depth) => sum + depth, 0);
  };
  const consumersOf = async (queue: string): Promise<number> => {
    const connection = await amqp.connect(own.broker.url);
    try {
      return (await (await connection.createChannel()).checkQueue(queue)).consumerCount;
    } finally {
      await connection.close();
    }
  };

  it('leaves events in their queue, uncounted, and handles each once soon after the recovery', async () => {
    const orderId = randomUUID();
    await way.cut();
    tries = 0;
    await publish(orderId, upTo(20));
    await eventually(async () => expect(await depthOf(own.broker.url, events)).toBe(20), patience);
    expect(await consumersOf(events)).toBe(0);
    await eventually(async () => {
      const { parts } = (await (await fetch(`${await app.getUrl()}/health/ready`)).json()) as { parts: Record<string, string> };
      expect(parts['events']).toMatch(/^down: database away since .*: not consuming$/);
    }, patience);
    await wait(severalAttemptsMs);
    expect(await depthOf(own.broker.url, events)).toBe(20);
    expect(await counted(events)).toBe(0);
    // No handler was called.
    expect(tries).toBe(0);
    await way.restore();
    await eventually(async () => expect(await stepsOf(orderId)).toEqual(upTo(20)), { timeoutMs: soonMs, everyMs: 20 });
    expect(await counted(events)).toBe(0);
    await eventually(async () => expect(await depthOf(own.broker.url, events)).toBe(0), patience);
  });

  it('rolls back an event that is being handled, and handles it once after the recovery', async () => {
    const orderId = randomUUID();
    let times = 0;
    meanwhile.set(orderId, async () => {
      if (++times === 1) await way.cut();
    });
    await publish(orderId, [1]);
    await eventually(async () => {
      expect(times).toBe(1);
      expect(await depthOf(own.broker.url, events)).toBe(1);
    }, patience);
    expect(await stepsOf(orderId)).toEqual([]);
    await way.restore();
    await eventually(async () => expect(await stepsOf(orderId)).toEqual([1]), { timeoutMs: soonMs, everyMs: 20 });
    expect(await counted(events)).toBe(0);
    expect(times).toBe(2);
  });

  it('does not count an attempt when the server closes its connections and is available again at once', async () => {
    const orderId = randomUUID();
    let times = 0;
    meanwhile.set(orderId, async () => {
      if (++times > 1) return;
      await direct.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename = current_user and pid <> pg_backend_pid()',
      );
    });
    await publish(orderId, [1]);
    await eventually(async () => expect(await stepsOf(orderId)).toEqual([1]), { timeoutMs: soonMs, everyMs: 20 });
    expect(await counted(events)).toBe(0);
    expect(times).toBe(2);
  });

  it('handles events after the recovery when the database hung instead of refusing', async () => {
    const orderId = randomUUID();
    way.hang();
    await publish(orderId, upTo(5));
    // The handlers have them, and wait for the database.
    await eventually(async () => expect(await depthOf(own.broker.url, events)).toBe(0), patience);
    await wait(outageMs);
    await way.restore();
    await eventually(async () => expect(await stepsOf(orderId)).toEqual(upTo(5)), { timeoutMs: soonMs, everyMs: 20 });
    expect(await counted(events)).toBe(0);
  });

  it('refuses requests at once, and the requester gets its reply after the recovery', async () => {
    const requester = app.get(Requester);
    expect(await requester.ask(priceOf, { orderId: 'abc' })).toEqual({ cents: 3 });
    await way.cut();
    // Without the refusal the requester would report a time-out, in other words.
    const refusal = requester.ask(priceOf, { orderId: 'abc' }, { timeoutMs: 3_000 }).catch((error: unknown) => error);
    expect(await refusal).toBeInstanceOf(NoAnswerError);
    expect(String(await refusal)).toContain('had no database');
    const answer = requester.ask(priceOf, { orderId: 'abcd' }, { timeoutMs: 20_000 });
    await wait(outageMs);
    await way.restore();
    expect(await answer).toEqual({ cents: 4 });
  });

  it('takes no jobs that need the database, and handles each once soon after the recovery', async () => {
    const queue = `pack.${randomUUID()}`;
    const done: string[] = [];
    const dataSource = app.get(DataSource);
    const jobs = consumeJobs({
      url: own.broker.url,
      name: 'packer',
      job: packOrder,
      queues: [{ name: queue, weight: 1 }],
      prefetch: () => 3,
      idleMs: 20,
      database: app.get(DatabaseWatch),
      handle: async ({ orderId }) => {
        await dataSource.query('select 1');
        done.push(orderId);
      },
    });
    running.push(jobs);
    await eventually(() => expect(jobs.isConnected()).toBe(true), patience);
    await way.cut();
    const connection = await amqp.connect(own.broker.url);
    const channel = await connection.createConfirmChannel();
    for (const n of upTo(10)) channel.sendToQueue(queue, Buffer.from(JSON.stringify({ orderId: String(n) })), { persistent: true });
    await channel.waitForConfirms();
    await connection.close();
    await eventually(() => expect(app.get(DatabaseWatch).outage).not.toBeNull(), patience);
    await eventually(async () => expect(await depthOf(own.broker.url, queue)).toBe(10), patience);
    await wait(outageMs);
    expect(await counted(queue)).toBe(0);
    expect(await depthOf(own.broker.url, queue)).toBe(10);
    await way.restore();
    await eventually(() => expect(done.toSorted()).toEqual(upTo(10).map(String).toSorted()), { timeoutMs: soonMs, everyMs: 20 });
    expect(await counted(queue)).toBe(0);
  });

  it('publishes the outbox soon after the recovery', async () => {
    const orderId = randomUUID();
    const sent = async () =>
      (await direct.query<{ sent: boolean }[]>('select sent_at is not null as sent from outbox where subject = $1', [orderId])).map(
        ({ sent }) => sent,
      );
    await way.cut();
    await direct.transaction((manager) => app.get(Outbox).add(manager, orderMoved, { orderId, step: 1 }, { subject: orderId }));
    await wait(outageMs);
    expect(await sent()).toEqual([false]);
    await way.restore();
    await eventually(async () => expect(await sent()).toEqual([true]), { timeoutMs: soonMs, everyMs: 20 });
    await eventually(async () => expect(await stepsOf(orderId)).toEqual([1]), { timeoutMs: soonMs, everyMs: 20 });
  });

  it('counts the failures of a message that causes an outage whenever it is handled, so that it does not block others for long', async () => {
    const [poison, other] = [randomUUID(), randomUUID()];
    meanwhile.set(poison, () => Promise.reject(Object.assign(new Error('terminating connection'), { code: '57P02' })));
    await publish(poison, [1]);
    await eventually(() => expect(app.get(DatabaseWatch).outage).not.toBeNull(), { ...patience, everyMs: 5 });
    await publish(other, [1]);
    await eventually(async () => expect(await stepsOf(other)).toEqual([1]), { timeoutMs: soonMs, everyMs: 20 });
    await eventually(async () => expect(await counted(events)).toBe(1), { timeoutMs: 60_000 });
    meanwhile.delete(poison);
    await eventually(async () => expect(await stepsOf(poison)).toEqual([1]), patience);
  });
});
