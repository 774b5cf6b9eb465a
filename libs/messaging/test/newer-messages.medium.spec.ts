import { randomUUID } from 'node:crypto';
import { defineEvent, defineJob, defineRequest, type PayloadOf } from '@decola/contracts';
import { metrics } from '@decola/service-kit';
import { eventually, publishTestEvent, testPublisher } from '@decola/testing';
import { Controller, type Type } from '@nestjs/common';
import { Ctx, EventPattern, MessagePattern, Payload } from '@nestjs/microservices';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Counter } from 'prom-client';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import {
  connectBroker,
  consumeJobs,
  EventContext,
  listDeadLetters,
  NoAnswerError,
  Outbox,
  Requester,
  type RunningJobs,
} from '../src/index.js';
import { bench, type Bench, depthOf, startService } from './support.js';

/** Messages of a release and of the next one, which knows another state, another event and another answer. */
const states = { now: ['packed', 'sent'], next: ['packed', 'sent', 'lost'] } as const;
const shipment = (known: readonly string[]) => z.object({ orderId: z.string(), state: z.enum(known) });
const shipped = { now: defineEvent('order.shipped', shipment(states.now)), next: defineEvent('order.shipped', shipment(states.next)) };
const weighed = defineEvent('order.weighed', z.object({ orderId: z.string() }));
const ship = { now: defineJob('order.ship', shipment(states.now)), next: defineJob('order.ship', shipment(states.next)) };
const answer = (known: readonly string[]) => z.object({ state: z.enum(known) });
const stateOf = {
  now: defineRequest('order.state', shipment(states.now), answer(states.now)),
  next: defineRequest('order.state', shipment(states.next), answer(states.next)),
};

@Controller()
class Listener {
  @EventPattern<string>('order.shipped')
  shipped(@Payload() { orderId }: PayloadOf<typeof shipped.now>, @Ctx() { manager }: EventContext): Promise<void> {
    return manager.query('insert into effects (order_id, step) values ($1, 1)', [orderId]);
  }

  @MessagePattern('order.state')
  state(@Payload() { state }: { state: string }) {
    return { state };
  }
}

@Controller()
class NextListener extends Listener {
  @EventPattern<string>('order.weighed')
  weighed(@Payload() { orderId }: PayloadOf<typeof weighed>, @Ctx() { manager }: EventContext): Promise<void> {
    return manager.query('insert into effects (order_id, step) values ($1, 2)', [orderId]);
  }
}

describe('messages of a newer release', () => {
  let own: Bench;
  const open: NestFastifyApplication[] = [];
  let db: DataSource;

  const start = async (controllers: Type[], options: object): Promise<NestFastifyApplication> => {
    const app = await startService('listener', { brokerUrl: own.broker.url, databaseUrl: own.database.url, controllers, ...options });
    open.push(app);
    return app;
  };
  const startNow = (more: object = {}) => start([Listener], { events: [shipped.now], requests: [stateOf.now], ...more });
  const startNext = () => start([NextListener], { events: [shipped.next, weighed], requests: [stateOf.next] });
  const stop = async (app: NestFastifyApplication) => {
    open.splice(open.indexOf(app), 1);
    await app.close();
  };

  beforeAll(async () => {
    own = await bench();
    db = await new DataSource({ type: 'postgres', url: own.database.url }).initialize();
  });
  afterEach(async () => {
    for (const app of [...open]) await stop(app);
  });
  afterAll(async () => {
    await db?.destroy();
    await own?.dispose();
  });

  /** How many messages of a type had an outcome, in all replicas of this process. */
  const counted = async (type: string, outcome: string): Promise<number> => {
    const { values } = await (metrics.getSingleMetric('messages_consumed_total') as Counter).get();
    return values.find(({ labels }) => labels['type'] === type && labels['outcome'] === outcome)?.value ?? 0;
  };
  const effectsOf = async (orderId: string) =>
    (await db.query<{ step: number }[]>('select step from effects where order_id = $1', [orderId])).map(({ step }) => step);
  const deadIds = async () => (await listDeadLetters(own.broker.url, 'listener.events.dead')).map(({ id }) => id);
  const waitedAgain = async (type: string, before: number) =>
    eventually(async () => expect(await counted(type, 'waiting')).toBeGreaterThan(before + 1), { timeoutMs: 60_000 });

  it('wait while there are older replicas alone, and have their effect once in a newer one', async () => {
    const old = await startNow();
    const before = await counted('order.shipped', 'waiting');
    const orderId = randomUUID();
    const id = await publishTestEvent(own.broker.url, shipped.next, { orderId, state: 'lost' });
    await waitedAgain('order.shipped', before);
    expect(await effectsOf(orderId)).toEqual([]);

    await startNext();
    await stop(old);
    await eventually(async () => expect(await effectsOf(orderId)).toEqual([1]), { timeoutMs: 60_000 });
    expect(await deadIds()).not.toContain(id);
    expect(await depthOf(own.broker.url, 'listener.events')).toBe(0);
  });

  it('wait when only the newer replica listens to their type', async () => {
    const next = await startNext(); // binds the queue that all replicas share
    const old = await startNow();
    await stop(next);
    const orderId = randomUUID();
    const id = await publishTestEvent(own.broker.url, weighed, { orderId });
    await waitedAgain('order.weighed', 0);

    await startNext();
    await stop(old);
    await eventually(async () => expect(await effectsOf(orderId)).toEqual([2]), { timeoutMs: 60_000 });
    expect(await deadIds()).not.toContain(id);
  });

  it('are not confused with events that a newer release no longer listens to', async () => {
    await stop(await startNext());
    await startNow({ formerEvents: ['order.weighed'] });
    const before = await counted('order.weighed', 'done');
    const orderId = randomUUID();
    await publishTestEvent(own.broker.url, weighed, { orderId });
    await eventually(async () => expect(await counted('order.weighed', 'done')).toBe(before + 1));
    expect(await effectsOf(orderId)).toEqual([]);
  });

  it('are not confused with malformed ones, which are dead letters at once', async () => {
    await startNow();
    const publisher = await testPublisher(own.broker.url);
    const id = publisher.publish({ orderId: 17, state: 'sent' }, { type: 'order.shipped', subject: '17' });
    await publisher.confirmed();
    await publisher.close();
    await eventually(async () => expect(await deadIds()).toContain(id), { everyMs: 250 });
  });

  it('wait as jobs too, and are handled once by a newer worker', async () => {
    const queue = `ship.${randomUUID()}`;
    const handled: string[] = [];
    const work = (job: typeof ship.now): RunningJobs =>
      consumeJobs({
        ...{ url: own.broker.url, name: 'shipper', job, queues: [{ name: queue, weight: 1 }], prefetch: () => 1, idleMs: 20 },
        handle: ({ orderId, state }) => Promise.resolve(void handled.push(`${orderId} ${state}`)),
      });
    const app = await startNow();
    const old = work(ship.now);
    const orderId = randomUUID();
    await db.transaction((manager) => app.get(Outbox).enqueue(manager, ship.next, { orderId, state: 'lost' }, { subject: orderId, queue }));
    await waitedAgain('order.ship', 0);
    expect(handled).toEqual([]);

    const next = work(ship.next);
    await old.stop();
    await eventually(() => expect(handled).toEqual([`${orderId} lost`]), { timeoutMs: 60_000 });
    await next.stop();
    expect(await listDeadLetters(own.broker.url, `${queue}.dead`)).toEqual([]);
  });

  describe('as requests', () => {
    const asked = async <Answer>(work: (requester: Requester) => Promise<Answer>): Promise<Answer> => {
      const connection = connectBroker(own.broker.url, 'asker');
      const requester = new Requester(connection, '/asker');
      try {
        return await work(requester);
      } finally {
        await requester.close();
        await connection.close();
      }
    };

    it('are asked again until a newer replica answers', async () => {
      const old = await startNow();
      await asked(async (requester) => {
        const before = await counted('order.state', 'failed');
        const answered = requester.ask(stateOf.next, { orderId: randomUUID(), state: 'lost' }, { timeoutMs: 60_000 });
        await eventually(async () => expect(await counted('order.state', 'failed')).toBeGreaterThan(before));
        await startNext();
        await stop(old);
        expect(await answered).toEqual({ state: 'lost' });
      });
    });

    it('whose answer an older requester cannot read have no answer', async () => {
      await startNext();
      // Its request is read by the newer release, whose answer holds the new word.
      const older = defineRequest('order.state', stateOf.next.request, stateOf.now.reply);
      await asked(async (requester) => {
        await expect(requester.ask(older, { orderId: randomUUID(), state: 'lost' }, { timeoutMs: 2_000 })).rejects.toThrow(NoAnswerError);
        expect(await requester.ask(older, { orderId: randomUUID(), state: 'sent' })).toEqual({ state: 'sent' });
      });
    });
  });
});
