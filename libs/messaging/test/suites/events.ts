import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { PayloadOf } from '@decola/contracts';
import { PermanentError, RetryLaterError } from '@decola/service-kit';
import { type BrokerServer, builtEntry, collectEvents, eventually, publishTestEvent } from '@decola/testing';
import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, MessagePattern, Payload } from '@nestjs/microservices';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DataSource } from 'typeorm';
import { connectBroker, EventContext, NoAnswerError, Outbox, Requester } from '../../src/index.js';
import { bench, type Bench, orderMoved, priceOf, startService } from '../support.js';

/** Behaviour of the handler by order. */
const troubles = new Map<string, () => void>();

@Controller()
class OrdersListener {
  @EventPattern<string>(orderMoved.type)
  async on(@Payload() { orderId, step }: PayloadOf<typeof orderMoved>, @Ctx() context: EventContext): Promise<void> {
    await context.manager.query('insert into effects (order_id, step) values ($1, $2)', [orderId, step]);
    troubles.get(orderId)?.();
  }

  @MessagePattern(priceOf.type)
  price(@Payload() { orderId }: { orderId: string }) {
    if (orderId === 'unknown') throw new Error('no such order');
    return { cents: orderId.length * 100 };
  }
}

const directory = path.resolve(__dirname, '../..');

/** @param server a broker of the caller's; default: the one of all tests */
export function events(server?: () => BrokerServer): void {
  let own: Bench;
  let app: NestFastifyApplication;
  let dataSource: DataSource;

  beforeAll(async () => {
    own = await bench(server?.());
    app = await startService('listener', { brokerUrl: own.broker.url, databaseUrl: own.database.url, controllers: [OrdersListener] });
    dataSource = app.get(DataSource);
  });
  afterAll(async () => {
    await app?.close();
    await own?.dispose();
  });

  const stepsOf = async (orderId: string): Promise<number[]> =>
    (await dataSource.query<{ step: number }[]>('select step from effects where order_id = $1 order by position', [orderId])).map(
      ({ step }) => step,
    );
  const add = (orderId: string, step: number) =>
    dataSource.transaction((manager) => app.get(Outbox).add(manager, orderMoved, { orderId, step }, { subject: orderId }));
  /** Runs the operator's command as a process. @returns its lines, parsed */
  const operate = (...words: string[]): Record<string, unknown>[] =>
    execFileSync(process.execPath, [builtEntry('libs/messaging', 'dead-letters.command.js'), ...words], {
      cwd: directory,
      encoding: 'utf8',
      stdio: 'pipe',
      env: { PATH: process.env['PATH'], RABBITMQ_URL: own.broker.url, RABBITMQ_MANAGEMENT_URL: own.broker.managementUrl },
    })
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const dead = () => own.broker.api<{ messages?: number }>('GET', '/queues/{vhost}/listener.events.dead');

  it('are published when their transaction commits, and not when it rolls back', async () => {
    const orderId = randomUUID();
    await expect(
      dataSource.transaction(async (manager) => {
        await app.get(Outbox).add(manager, orderMoved, { orderId, step: 1 }, { subject: orderId });
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    await add(orderId, 2);
    await eventually(async () => expect(await stepsOf(orderId)).toEqual([2]));
  });

  it('have their effect once although they are delivered twice', async () => {
    const orderId = randomUUID();
    const id = await publishTestEvent(own.broker.url, orderMoved, { orderId, step: 1 });
    await publishTestEvent(own.broker.url, orderMoved, { orderId, step: 1 }, { id });
    await publishTestEvent(own.broker.url, orderMoved, { orderId, step: 2 });
    await eventually(async () => expect((await stepsOf(orderId)).sort()).toEqual([1, 2]));
  });

  it('are published in order per subject', async () => {
    const orders: string[] = Array.from({ length: 20 }, () => randomUUID());
    const heard = await collectEvents(own.broker.url, orderMoved.type);
    for (let step = 1; step <= 20; step++) await Promise.all(orders.map((orderId) => add(orderId, step)));
    await eventually(() => expect(heard.events.filter(({ subject }) => orders.includes(subject))).toHaveLength(400));
    await heard.dispose();
    for (const orderId of orders) {
      expect(heard.events.filter(({ subject }) => subject === orderId).map(({ payload }) => payload['step'])).toEqual(
        Array.from({ length: 20 }, (_, index) => index + 1),
      );
    }
  });

  it('are rolled back when their handler fails, and tried again', async () => {
    const orderId = randomUUID();
    let failures = 1;
    troubles.set(orderId, () => {
      if (failures-- > 0) throw new Error('not yet');
    });
    await add(orderId, 1);
    await eventually(async () => expect(await stepsOf(orderId)).toEqual([1]));
    expect(failures).toBe(-1);
  });

  it('are delivered later when the handler postpones them, without counting as failed', async () => {
    const orderId = randomUUID();
    let postponed = 0;
    troubles.set(orderId, () => {
      if (postponed++ < 2) throw new RetryLaterError(500);
    });
    await add(orderId, 1);
    await eventually(async () => expect(await stepsOf(orderId)).toEqual([1]));
    expect(postponed).toBe(3);
  });

  it('are dead-lettered with the reason when they can never be handled', async () => {
    const orderId = randomUUID();
    troubles.set(orderId, () => {
      throw new PermanentError('this order is impossible');
    });
    await add(orderId, 1);
    await eventually(async () => expect((await dead()).messages).toBe(1));
    const [message] = await own.broker.api<{ properties: { headers: Record<string, unknown> }; payload: string }[]>(
      'POST',
      '/queues/{vhost}/listener.events.dead/get',
      { count: 1, ackmode: 'ack_requeue_true', encoding: 'auto' },
    );
    expect(message?.properties.headers).toMatchObject({
      'x-error': 'PermanentError: this order is impossible',
      'x-queue': 'listener.events',
      'cloudEvents:type': 'order.moved',
    });
    expect(await stepsOf(orderId)).toEqual([]);
  });

  it('among the dead letters are listed by the operator’s command, and take effect when it replays them', async () => {
    const orderId = randomUUID();
    let isBroken = true;
    troubles.set(orderId, () => {
      if (isBroken) throw new PermanentError('the shelf is gone');
    });
    const id = await publishTestEvent(own.broker.url, orderMoved, { orderId, step: 1 }, { subject: orderId });
    const queue = 'listener.events.dead';
    await eventually(() => expect(operate('list', queue)).toContainEqual(expect.objectContaining({ id })), { everyMs: 250 });
    expect(operate('list', queue).find((letter) => letter['id'] === id)).toEqual({
      id,
      type: 'order.moved',
      subject: orderId,
      queue: 'listener.events',
      reason: 'PermanentError: the shelf is gone',
      attempts: 1,
      failedAt: expect.any(String),
      traceparent: null,
    });
    await eventually(() => expect(operate('list')).toContainEqual({ queue, messages: expect.any(Number) }), { everyMs: 250 });
    expect(await stepsOf(orderId)).toEqual([]);
    isBroken = false;
    expect(operate('replay', queue, id)).toEqual([{ replayed: id }]);
    await eventually(async () => expect(await stepsOf(orderId)).toEqual([1]));
    expect(operate('list', queue).map((letter) => letter['id'])).not.toContain(id);
    expect(() => operate('replay', queue, id)).toThrow(/not in listener.events.dead/);
    expect(() => operate('replay', 'listener.events')).toThrow(/is not a dead letter queue/);
  });

  it('answer requests, and report when there is no reply', async () => {
    const connection = connectBroker(own.broker.url, 'asker');
    const requester = new Requester(connection, '/asker');
    expect(await requester.ask(priceOf, { orderId: 'abc' })).toEqual({ cents: 300 });
    await expect(requester.ask(priceOf, { orderId: 'unknown' })).rejects.toThrow(NoAnswerError);
    await requester.close();
    await connection.close();
  });

  it('continue after the broker closed every connection', async () => {
    const orderId = randomUUID();
    for (let step = 1; step <= 30; step++) {
      await add(orderId, step);
      if (step % 10 === 0) {
        const connections = await own.broker.api<{ name: string; vhost: string }[]>('GET', '/connections');
        for (const { name, vhost } of connections)
          if (vhost === own.broker.vhost) await own.broker.api('DELETE', `/connections/${encodeURIComponent(name)}`).catch(() => undefined);
      }
    }
    await eventually(
      async () => expect((await stepsOf(orderId)).sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1)),
      { timeoutMs: 60_000, everyMs: 250 },
    );
  });
}
