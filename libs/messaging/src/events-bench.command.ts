import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { defineEvent, type PayloadOf } from '@decola/contracts';
import { DatabaseModule, migrate } from '@decola/database';
import { baseConfig, createService } from '@decola/service-kit';
import { Controller, type DynamicModule, Module } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { connectMessaging, messagingMigrations, MessagingModule } from './index.js';

/**
 * Measures events from outbox through the broker to the inbox of a listener: `DATABASE_URL` (empty) and `RABBITMQ_URL` are those of
 * a test. `BENCH_EVENTS` of 500 subjects are written at once for the rate, then one by one for the latency. Prints one line of JSON.
 */
const count = Number(process.env['BENCH_EVENTS'] ?? 5_000);
const databaseUrl = process.env['DATABASE_URL'] ?? '';
const brokerUrl = process.env['RABBITMQ_URL'] ?? '';

const noted = defineEvent('bench.noted', z.object({ writtenAt: z.number() }));
const latencies: number[] = [];

@Controller()
class BenchListener {
  @EventPattern<string>(noted.type)
  on(@Payload() { writtenAt }: PayloadOf<typeof noted>): void {
    latencies.push(Date.now() - writtenAt);
  }
}

@Module({})
class BenchModule {}

async function arrived(expected: number): Promise<void> {
  while (latencies.length < expected) await new Promise((resolve) => setTimeout(resolve, 5));
}

await migrate({ url: databaseUrl, migrations: messagingMigrations });
const app = await createService({
  name: 'bench',
  configSchema: baseConfig,
  module: (): DynamicModule => ({
    module: BenchModule,
    imports: [
      DatabaseModule.forRoot({ url: databaseUrl, entities: [], poolSize: 20 }),
      MessagingModule.forRoot({ url: brokerUrl, service: 'bench', events: [noted] }),
    ],
    controllers: [BenchListener],
  }),
  configure: connectMessaging,
  environment: { PORT: '0', LOG_LEVEL: 'error' },
});
try {
  const source = app.get(DataSource);
  const write = (events: number) =>
    source.query(
      `insert into outbox (id, kind, type, version, subject, payload)
       select gen_random_uuid(), 'event', $1, 1, 'subject-' || (n % 500), json_build_object('writtenAt', $2::float8) from generate_series(1, $3::int) n`,
      [noted.type, Date.now(), events],
    );
  await write(50);
  await arrived(50);
  latencies.length = 0;
  const began = performance.now();
  await write(count);
  await arrived(count);
  const seconds = (performance.now() - began) / 1000;
  latencies.length = 0;
  for (let index = 1; index <= 200; index++) {
    await source.query(`insert into outbox (id, kind, type, version, subject, payload) values ($1, 'event', $2, 1, $3, $4)`, [
      randomUUID(),
      noted.type,
      `single-${index}`,
      { writtenAt: Date.now() },
    ]);
    await arrived(index);
  }
  const sorted = [...latencies].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  console.log(JSON.stringify({ events: count, eventsPerSecond: Math.round(count / seconds), p50Ms: at(0.5), p99Ms: at(0.99) }));
} finally {
  await app.close();
}
