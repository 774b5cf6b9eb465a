import { randomUUID } from 'node:crypto';
import { defineEvent, type PayloadOf } from '@decola/contracts';
import { DatabaseWatch, dataSourceOptions } from '@decola/database';
import { PermanentError, RetryLaterError } from '@decola/service-kit';
import { eventually, type TcpProxy, tcpProxy, type TestPublisher, testPublisher } from '@decola/testing';
import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { EventContext, retryDelays, retryQueueOf, sharedTransaction } from '../src/index.js';
import { bench, type Bench, cutConnections, depthOf, orderMoved, startService } from './support.js';

/** Beside the handlers that share transactions: one that does not. */
const orderCounted = defineEvent('order.counted', z.object({ orderId: z.string(), step: z.number().int() }));

/** What else the handler does, by order and step. */
const troubles = new Map<string, (context: EventContext) => unknown>();
let calls = 0;

@Controller()
class OrdersListener {
  @EventPattern<string>(orderMoved.type, sharedTransaction)
  async on(@Payload() { orderId, step }: PayloadOf<typeof orderMoved>, @Ctx() context: EventContext): Promise<void> {
    calls += 1;
    await context.manager.query('insert into effects (order_id, step) values ($1, $2)', [orderId, step]);
    await troubles.get(`${orderId} ${step}`)?.(context);
  }

  @EventPattern<string>(orderCounted.type)
  async counted(@Payload() { orderId, step }: PayloadOf<typeof orderCounted>, @Ctx() context: EventContext): Promise<void> {
    await context.manager.query('insert into effects (order_id, step) values ($1, $2)', [orderId, step]);
    await troubles.get(`${orderId} ${step}`)?.(context);
  }
}

const queue = 'listener.events';
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const patience = { timeoutMs: 30_000 };

describe('events that share a transaction', () => {
  let own: Bench;
  let way: TcpProxy;
  let app: NestFastifyApplication;
  let db: DataSource;
  let publisher: TestPublisher;

  beforeAll(async () => {
    own = await bench();
    way = await tcpProxy(own.broker.url);
    app = await startService('listener', {
      brokerUrl: way.url,
      databaseUrl: own.database.url,
      controllers: [OrdersListener],
      events: [orderMoved, orderCounted],
    });
    db = await new DataSource(dataSourceOptions({ url: own.database.url })).initialize();
    publisher = await testPublisher(own.broker.url);
  });
  beforeEach(() => {
    troubles.clear();
    calls = 0;
  });
  afterAll(async () => {
    await publisher?.close();
    await app?.close();
    await db?.destroy();
    await way?.dispose();
    await own?.dispose();
  });

  const publish = async (orderIds: readonly string[], steps: readonly number[], type = orderMoved.type): Promise<void> => {
    for (const step of steps) for (const orderId of orderIds) publisher.publish({ orderId, step }, { type, subject: orderId });
    await publisher.confirmed();
  };
  const stepsOf = async (orderId: string): Promise<number[]> =>
    (await db.query<{ step: number }[]>('select step from effects where order_id = $1 order by position', [orderId])).map(
      ({ step }) => step,
    );
  const transactionsOf = async (orderIds: readonly string[]): Promise<number> =>
    (
      await db.query<{ count: number }[]>('select count(distinct xmin::text)::int as count from effects where order_id = any($1)', [
        orderIds,
      ])
    )[0]?.count ?? 0;
  /** Number of messages in retry queues and among the dead letters. */
  const counted = async (): Promise<number> => {
    const queues = [...retryDelays.map(({ name }) => retryQueueOf(queue, name)), `${queue}.dead`];
    const depths = await Promise.all(queues.map((each) => depthOf(own.broker.url, each)));
    return depths.reduce((sum, depth) => sum + depth, 0);
  };
  /** Keeps a transaction open in the handler until all of what `work` publishes was delivered, so that it is applied together afterwards. */
  const together = async (work: () => Promise<void>): Promise<void> => {
    const first = randomUUID();
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    let isEntered = false;
    troubles.set(`${first} 1`, () => {
      isEntered = true;
      return opened;
    });
    await publish([first], [1]);
    await eventually(() => expect(isEntered).toBe(true), patience);
    await work();
    await eventually(async () => expect(await depthOf(own.broker.url, queue)).toBe(0), patience);
    open();
    await eventually(async () => expect(await stepsOf(first)).toEqual([1]), patience);
  };

  it('take effect in their order, in fewer transactions than there are events', async () => {
    const orders: string[] = [randomUUID(), randomUUID(), randomUUID()];
    await together(() => publish(orders, upTo(50)));
    await eventually(async () => expect(await stepsOf(orders[2]!)).toEqual(upTo(50)), patience);
    for (const orderId of orders) expect(await stepsOf(orderId)).toEqual(upTo(50));
    expect(await transactionsOf(orders)).toBeLessThan(150);
    expect(calls).toBe(151);
  });

  it('have one effect although one is delivered several times', async () => {
    const [orderId, id] = [randomUUID(), randomUUID()];
    await together(async () => {
      for (let copy = 0; copy < 3; copy++) publisher.publish({ orderId, step: 1 }, { type: orderMoved.type, subject: orderId, id });
      await publish([orderId], [2]);
    });
    await eventually(async () => expect(await stepsOf(orderId)).toEqual([1, 2]), patience);
  });

  it('do not take part in the failure of one of them: it alone is rolled back, and tried again or dead-lettered', async () => {
    const orders = { impossible: randomUUID(), early: randomUUID(), flaky: randomUUID(), good: randomUUID() } as const;
    let postponed = 0;
    let failures = 0;
    troubles.set(`${orders.impossible} 1`, () => {
      throw new PermanentError('this order is impossible');
    });
    troubles.set(`${orders.early} 1`, () => {
      if (postponed++ < 2) throw new RetryLaterError(500);
    });
    // In the shared transaction, and by itself.
    troubles.set(`${orders.flaky} 1`, () => {
      if (failures++ < 2) throw new Error('not yet');
    });
    await together(() => publish(Object.values(orders), upTo(10)));
    await eventually(async () => expect(await stepsOf(orders.good)).toEqual(upTo(10)), patience);
    await eventually(async () => expect((await stepsOf(orders.early)).toSorted((a, b) => a - b)).toEqual(upTo(10)), patience);
    await eventually(async () => expect((await stepsOf(orders.flaky)).toSorted((a, b) => a - b)).toEqual(upTo(10)), patience);
    await eventually(async () => expect(await depthOf(own.broker.url, `${queue}.dead`)).toBe(1), patience);
    expect(await stepsOf(orders.impossible)).toEqual(upTo(10).slice(1));
    const [dead] = await own.broker.api<{ properties: { headers: Record<string, unknown> } }[]>(
      'POST',
      `/queues/{vhost}/${queue}.dead/get`,
      {
        count: 1,
        ackmode: 'ack_requeue_false',
        encoding: 'auto',
      },
    );
    expect(dead?.properties.headers).toMatchObject({ 'x-error': 'PermanentError: this order is impossible', 'x-attempt': 1 });
  });

  it('are not lost when a handler catches the error of a statement, which ends the transaction for all of them', async () => {
    const [careless, good] = [randomUUID(), randomUUID()];
    troubles.set(`${careless} 10`, ({ manager }) => manager.query('select 1 / 0').catch(() => undefined));
    await together(() => publish([good, careless], upTo(10)));
    await eventually(async () => expect(await stepsOf(good)).toEqual(upTo(10)), patience);
    await eventually(async () => expect(await stepsOf(careless)).toEqual(upTo(9)), patience);
  });

  it('that a newer release sent wait for it, and their neighbours do not', async () => {
    const [newer, good] = [randomUUID(), randomUUID()];
    await together(async () => {
      publisher.publish({ orderId: newer, step: 'half' }, { type: orderMoved.type, version: 2, subject: newer });
      await publish([good], upTo(5));
    });
    await eventually(async () => expect(await stepsOf(good)).toEqual(upTo(5)), patience);
    await eventually(async () => expect(await counted()).toBe(1), { ...patience, everyMs: 20 });
    expect(await stepsOf(newer)).toEqual([]);
  });

  it('are delivered beside events that do not share one, of which no more are handled at the same time than before', async () => {
    const [slow, good] = [randomUUID(), randomUUID()];
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    let inHand = 0;
    for (const step of upTo(60))
      troubles.set(`${slow} ${step}`, async () => {
        inHand += 1;
        await opened;
      });
    await publish([slow], upTo(5), orderCounted.type);
    await eventually(() => expect(inHand).toBe(5), patience);
    await publish([good], upTo(20));
    await eventually(async () => expect(await stepsOf(good)).toEqual(upTo(20)), patience);
    await publish([slow], upTo(60).slice(5), orderCounted.type);
    await eventually(async () => expect(await depthOf(own.broker.url, queue)).toBe(0), patience);
    // The pool has ten connections, which ten handlers hold. Ten wait for one of them, and the other forty for their turn.
    const pool = (app.get(DataSource).driver as unknown as { master: { waitingCount: number } }).master;
    await eventually(() => expect([inHand, pool.waitingCount]).toEqual([10, 10]), patience);
    open();
    await eventually(async () => expect(await stepsOf(slow)).toHaveLength(60), patience);
  });

  it('have their effect once when the connection is lost between commit and acknowledgement', async () => {
    const orders: string[] = [randomUUID(), randomUUID()];
    troubles.set(`${orders[1]} 20`, () => way.hang());
    await together(() => publish(orders, upTo(20)));
    for (const orderId of orders) await eventually(async () => expect(await stepsOf(orderId)).toEqual(upTo(20)), patience);
    // All are committed, and the broker knows of none that came after the connection broke.
    troubles.delete(`${orders[1]} 20`);
    const before = calls;
    await way.restore();
    const another = randomUUID();
    await publish([another], [1]);
    await eventually(async () => expect(await stepsOf(another)).toEqual([1]), patience);
    await eventually(
      async () => {
        const { messages } = await own.broker.api<{ messages?: number }>('GET', `/queues/{vhost}/${queue}`);
        expect(messages).toBe(0);
      },
      { ...patience, everyMs: 250 },
    );
    for (const orderId of orders) expect(await stepsOf(orderId)).toEqual(upTo(20));
    expect(calls).toBe(before + 1);
  });

  it('have their effect once while connections are lost again and again', async () => {
    const orders: string[] = Array.from({ length: 5 }, () => randomUUID());
    for (let round = 0; round < 4; round++) {
      await publish(
        orders,
        upTo(25).map((step) => round * 25 + step),
      );
      await cutConnections(own.broker);
      publisher = await testPublisher(own.broker.url);
    }
    for (const orderId of orders)
      await eventually(async () => expect((await stepsOf(orderId)).toSorted((a, b) => a - b)).toEqual(upTo(100)), {
        timeoutMs: 60_000,
        everyMs: 250,
      });
  });

  it('return to their queue together, uncounted, when the database goes away', async () => {
    const orderId = randomUUID();
    let ended = 0;
    troubles.set(`${orderId} 10`, async () => {
      if (ended++ > 0) return;
      await db.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename = current_user and pid <> pg_backend_pid()',
      );
    });
    const outages: unknown[] = [];
    app.get(DatabaseWatch).listen({ onOutage: () => outages.push(1), onRecovery: () => undefined });
    const before = await counted();
    await together(() => publish([orderId], upTo(10)));
    await eventually(async () => expect((await stepsOf(orderId)).toSorted((a, b) => a - b)).toEqual(upTo(10)), patience);
    expect(outages.length).toBeGreaterThan(0);
    expect(await counted()).toBe(before);
  });
});
