import { defineEvent, defineJob, defineRequest } from '@decola/contracts';
import { DatabaseModule } from '@decola/database';
import { baseConfig, createService } from '@decola/service-kit';
import { type TestBroker, testBroker, testDatabase, type TestDatabase } from '@decola/testing';
import { type DynamicModule, Module, type Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import amqp from 'amqplib';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { z } from 'zod';
import { connectMessaging, messagingMigrations, MessagingModule } from '../src/index.js';

/** Something happened to an order; `step` counts from 1 within an order. */
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

export async function bench(): Promise<Bench> {
  const [broker, database] = await Promise.all([testBroker(), testDatabase({ migrations: testMigrations })]);
  return { broker, database, dispose: async () => void (await Promise.all([broker.dispose(), database.dispose()])) };
}

@Module({})
class OrdersModule {}

/** A service with these controllers on the given broker and database. */
export function startService(
  name: string,
  { brokerUrl, databaseUrl, controllers = [], relay }: { brokerUrl: string; databaseUrl: string; controllers?: Type[]; relay?: boolean },
): Promise<NestFastifyApplication> {
  const module = (): DynamicModule => ({
    module: OrdersModule,
    imports: [
      DatabaseModule.forRoot({ url: databaseUrl, entities: [] }),
      MessagingModule.forRoot({
        url: brokerUrl,
        service: name,
        events: [orderMoved],
        requests: [priceOf],
        relayPollMs: 200,
        ...(relay === undefined ? {} : { relay }),
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

/** Cuts every connection of the virtual host, as a broker or a network in trouble would. @returns how many there were */
export async function cutConnections(broker: TestBroker): Promise<number> {
  const connections = (await broker.api<{ name: string; vhost: string }[]>('GET', '/connections')).filter(
    ({ vhost }) => vhost === broker.vhost,
  );
  await Promise.all(connections.map(({ name }) => broker.api('DELETE', `/connections/${encodeURIComponent(name)}`).catch(() => undefined)));
  return connections.length;
}

/** Messages that stand in the queue, by the queue itself. */
export async function depthOf(url: string, queue: string): Promise<number> {
  const connection = await amqp.connect(url);
  try {
    const channel = await connection.createChannel();
    channel.on('error', () => undefined); // a queue that is not there yet rejects the check
    return (await channel.checkQueue(queue)).messageCount;
  } finally {
    await connection.close();
  }
}
