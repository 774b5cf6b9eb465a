import { randomUUID } from 'node:crypto';
import type { PayloadOf } from '@decola/contracts';
import { eventually, publishTestEvent } from '@decola/testing';
import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { context, propagation, trace } from '@opentelemetry/api';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { DataSource } from 'typeorm';
import { consumeJobs, EventContext, Outbox } from '../src/index.js';
import { bench, type Bench, depthOf, orderMoved, packOrder, startService } from './support.js';

/** Promises that the handler awaits, by order. */
const gates = new Map<string, Promise<void>>();
let inHand = 0;

@Controller()
class OrdersListener {
  @EventPattern<string>(orderMoved.type)
  async on(@Payload() { orderId, step }: PayloadOf<typeof orderMoved>, @Ctx() { manager }: EventContext): Promise<void> {
    inHand += 1;
    await manager.query('insert into effects (order_id, step) values ($1, $2)', [orderId, step]);
    await gates.get(orderId);
    inHand -= 1;
  }
}

describe('delivery', () => {
  let own: Bench;
  const running: NestFastifyApplication[] = [];

  beforeAll(async () => {
    own = await bench();
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((app) => app.close()));
  });
  afterAll(() => own?.dispose());

  const replica = async () => {
    const app = await startService('replicated', {
      brokerUrl: own.broker.url,
      databaseUrl: own.database.url,
      controllers: [OrdersListener],
    });
    running.push(app);
    return app;
  };
  const stepsOf = async (app: NestFastifyApplication, orderId: string): Promise<number[]> =>
    (await app.get(DataSource).query<{ step: number }[]>('select step from effects where order_id = $1', [orderId]))
      .map(({ step }) => step)
      .toSorted((a, b) => a - b);

  it('of the same event to two replicas at the same time has one effect', async () => {
    const [app] = await Promise.all([replica(), replica()]);
    const orderId = randomUUID();
    await Promise.all(
      Array.from({ length: 20 }, async (_, step) => {
        const id = randomUUID();
        await Promise.all([1, 2, 3].map(() => publishTestEvent(own.broker.url, orderMoved, { orderId, step }, { id })));
      }),
    );
    await eventually(async () => expect(await depthOf(own.broker.url, 'replicated.events')).toBe(0));
    await eventually(() => expect(inHand).toBe(0));
    await eventually(async () => expect(await stepsOf(app, orderId)).toEqual(Array.from({ length: 20 }, (_, step) => step)));
  });

  it('under way is finished before a service stops, and later events are left to the next replica', async () => {
    const app = await replica();
    const [first, second] = [randomUUID(), randomUUID()];
    let open: () => void = () => undefined;
    gates.set(first, new Promise((resolve) => (open = resolve)));
    await publishTestEvent(own.broker.url, orderMoved, { orderId: first, step: 1 });
    await eventually(() => expect(inHand).toBe(1));
    // The queue itself counts whoever holds a message as a consumer. The broker's statistics do not, and show a consumer seconds later.
    const consumers = (count: number) =>
      eventually(async () => {
        const queue = await own.broker.api<{ consumer_details?: unknown[] }>('GET', '/queues/{vhost}/replicated.events');
        expect(queue.consumer_details).toHaveLength(count);
      });
    await consumers(1);
    const closed = app.close();
    running.pop();
    // The service stops consuming before the handler has ended.
    await consumers(0);
    await publishTestEvent(own.broker.url, orderMoved, { orderId: second, step: 1 });
    open();
    await closed;
    await eventually(async () => expect(await depthOf(own.broker.url, 'replicated.events')).toBe(1));
    const next = await replica();
    await eventually(async () => expect(await stepsOf(next, second)).toEqual([1]));
    expect(await stepsOf(next, first)).toEqual([1]);
  });

  it('keeps sent messages for an hour and received ids for a week', async () => {
    const app = await replica();
    const dataSource = app.get(DataSource);
    const [sent, fresh, received, recent] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    await app.close();
    running.pop();
    const later = await startService('sweeper', { brokerUrl: own.broker.url, databaseUrl: own.database.url, relay: false });
    running.push(later);
    const database = later.get(DataSource);
    expect(dataSource.isInitialized).toBe(false);
    const outbox = (id: string, age: string) =>
      database.query(
        `insert into outbox (id, kind, type, version, subject, payload, created_at, sent_at)
         values ($1, 'event', 'order.moved', 1, 'x', '{}', now() - $2::interval, now() - $2::interval)`,
        [id, age],
      );
    await outbox(sent, '61 minutes');
    await outbox(fresh, '50 minutes');
    await database.query(
      `insert into inbox (message_id, consumer, received_at) values ($1, 'x', now() - interval '8 days'), ($2, 'x', now() - interval '6 days')`,
      [received, recent],
    );
    await replica();
    const left = async () => ({
      outbox: (await database.query<{ id: string }[]>('select id from outbox where id = any($1)', [[sent, fresh]])).map(({ id }) => id),
      inbox: (
        await database.query<{ message_id: string }[]>('select message_id from inbox where message_id = any($1)', [[received, recent]])
      ).map(({ message_id }) => message_id),
    });
    await eventually(async () => expect(await left()).toEqual({ outbox: [fresh], inbox: [recent] }));
  });

  it('continues the trace of its cause, across the outbox and the broker', async () => {
    const spans: { name: string; traceId: string }[] = [];
    const sdk = new NodeSDK({
      instrumentations: [],
      spanProcessors: [
        {
          onStart: () => undefined,
          onEnd: (span) => void spans.push({ name: span.name, traceId: span.spanContext().traceId }),
          forceFlush: () => Promise.resolve(),
          shutdown: () => Promise.resolve(),
        },
      ],
    });
    sdk.start();
    const app = await replica();
    const jobs = consumeJobs({
      url: own.broker.url,
      name: 'packer',
      job: packOrder,
      queues: [{ name: 'traced', weight: 1 }],
      prefetch: () => 1,
      idleMs: 20,
      handle: () => Promise.resolve(),
    });
    try {
      const orderId = randomUUID();
      const traceId = await trace.getTracer('test').startActiveSpan('request', async (span) => {
        await app.get(DataSource).transaction(async (manager) => {
          await app.get(Outbox).add(manager, orderMoved, { orderId, step: 1 }, { subject: orderId });
          await app.get(Outbox).enqueue(manager, packOrder, { orderId }, { subject: orderId, queue: 'traced' });
        });
        span.end();
        return span.spanContext().traceId;
      });
      await eventually(() =>
        expect(
          spans
            .filter((span) => span.traceId === traceId)
            .map(({ name }) => name)
            .toSorted(),
        ).toEqual(['process order.moved', 'process order.pack', 'request']),
      );
    } finally {
      await jobs.stop({ drainMs: 1_000 });
      await sdk.shutdown();
      trace.disable();
      context.disable();
      propagation.disable();
    }
  });

  it('of many messages in one statement keeps their order, and refuses all when one does not fit its schema', async () => {
    const app = await replica();
    const orderId = randomUUID();
    const outbox = app.get(Outbox);
    const messages = Array.from({ length: 300 }, (_, step) => ({ payload: { orderId, step }, subject: orderId }));
    await app.get(DataSource).transaction((manager) => outbox.addMany(manager, orderMoved, messages));
    await eventually(async () => expect(await stepsOf(app, orderId)).toHaveLength(300));
    const rows = await app
      .get(DataSource)
      .query<{ step: number }[]>(`select (payload ->> 'step')::int as step from outbox where subject = $1 order by position`, [orderId]);
    expect(rows.map(({ step }) => step)).toEqual(messages.map(({ payload }) => payload.step));
    const wrong = [messages[0]!, { payload: { orderId: 'none', step: 'x' as never }, subject: 'wrong' }];
    await expect(app.get(DataSource).transaction((manager) => outbox.addMany(manager, orderMoved, wrong))).rejects.toThrow();
    expect(await app.get(DataSource).query(`select 1 from outbox where subject = 'wrong'`)).toEqual([]);
  });
});
