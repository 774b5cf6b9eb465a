import { defineEvent, defineJob, defineRequest } from '@decola/contracts';
import { DatabaseModule } from '@decola/database';
import { baseConfig, createService } from '@decola/service-kit';
import { type BrokerServer, type TestBroker, testBroker, testDatabase, type TestDatabase } from '@decola/testing';
import { type DynamicModule, Module, type Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import amqp from 'amqplib';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { z } from 'zod';
import { connectMessaging, messagingMigrations, MessagingModule, type MessagingOptions } from '../src/index.js';

/** An event about an order; `step` counts from 1 within the order. */
export const orderMoved = defineEvent('order.moved', z.object({ orderId: z.string(), step: z.number().int() }));
export const packOrder = defineJob('order.pack', z.object({ orderId: z.string() }));
export const priceOf = defineRequest('order.price', z.object({ orderId: z.string() }), z.object({ cents: z.number() }));

class CreateEffects1800000000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query('create table effects (position bigint generated always as identity, order_id text not null, step int not null)');
  }
  async down(query: QueryRunner): Promise<void> {
    await query.query('drop table effects');
  }
}

export const testMigrations = [...messagingMigrations, CreateEffects1800000000000];

export interface Bench {
  broker: TestBroker;
  database: TestDatabase;
  dispose(): Promise<void>;
}

/** @param server the broker; default: the one of all tests */
export async function bench(server?: BrokerServer): Promise<Bench> {
  const [broker, database] = await Promise.all([testBroker(server), testDatabase({ migrations: testMigrations })]);
  return { broker, database, dispose: async () => void (await Promise.all([broker.dispose(), database.dispose()])) };
}

@Module({})
class OrdersModule {}

/** Starts a service with these controllers on the given broker and database. */
export function startService(
  name: string,
  {
    brokerUrl,
    databaseUrl,
    controllers = [],
    ...messaging
  }: { brokerUrl: string; databaseUrl: string; controllers?: Type[] } & Partial<
    Pick<MessagingOptions, 'events' | 'requests' | 'formerEvents' | 'relay'>
  >,
): Promise<NestFastifyApplication> {
  const module = (): DynamicModule => ({
    module: OrdersModule,
    imports: [
      DatabaseModule.forRoot({ url: databaseUrl }),
      MessagingModule.forRoot({
        url: brokerUrl,
        service: name,
        events: [orderMoved],
        requests: [priceOf],
        relayPollMs: 200,
        ...messaging,
      }),
    ],
    controllers,
  });
  return createService({
    name,
    configSchema: baseConfig,
    module,
    configure: connectMessaging,
    environment: { PORT: '0', LOG_LEVEL: 'silent' },
  });
}

/** Closes every connection of the virtual host. @returns how many there were */
export async function cutConnections(broker: TestBroker): Promise<number> {
  const connections = (await broker.api<{ name: string; vhost: string }[]>('GET', '/connections')).filter(
    ({ vhost }) => vhost === broker.vhost,
  );
  await Promise.all(connections.map(({ name }) => broker.api('DELETE', `/connections/${encodeURIComponent(name)}`).catch(() => undefined)));
  return connections.length;
}

/** Number of messages in the queue, from the queue itself. */
export async function depthOf(url: string, queue: string): Promise<number> {
  const connection = await amqp.connect(url);
  try {
    const channel = await connection.createChannel();
    channel.on('error', () => undefined); // checking a missing queue closes the channel
    return (await channel.checkQueue(queue)).messageCount;
  } finally {
    await connection.close();
  }
}
