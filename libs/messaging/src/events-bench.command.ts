import 'reflect-metadata';
import { setTimeout as sleep } from 'node:timers/promises';
import { defineEvent, type PayloadOf } from '@decola/contracts';
import { DatabaseModule, migrate, rowsOf } from '@decola/database';
import { baseConfig, createService } from '@decola/service-kit';
import { Controller, type DynamicModule, Module } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { connectMessaging, messagingMigrations, MessagingModule, sharedTransaction } from './index.js';

/**
 * Measures events from the outbox through the broker to a listener's inbox, for handlers that share transactions and for those that have one each.
 * `DATABASE_URL` (an empty database) and `RABBITMQ_URL` come from the benchmark. Writes `BENCH_EVENTS` events of 500 subjects at once for the rate, then 500 a
 * second, each in a transaction of its own, for the time from the row to the handler. A plain queue in the same PostgreSQL, without broker and inbox, shows what
 * the machine can do. Prints one line of JSON.
 */
const count = Number(process.env['BENCH_EVENTS'] ?? 20_000);
const perSecond = 500;
const steadySeconds = 10;
const writers = 8;
const subjects = 500;
const databaseUrl = process.env['DATABASE_URL'] ?? '';
const brokerUrl = process.env['RABBITMQ_URL'] ?? '';

const schema = z.object({ writtenAt: z.number() });
const noted = { shared: defineEvent('bench.shared', schema), alone: defineEvent('bench.alone', schema) };
type Kind = keyof typeof noted;

const latencies: number[] = [];
const now = () => performance.timeOrigin + performance.now();

@Controller()
class BenchListener {
  @EventPattern<string>(noted.shared.type, sharedTransaction)
  onShared(@Payload() { writtenAt }: PayloadOf<typeof noted.shared>): void {
    latencies.push(now() - writtenAt);
  }

  @EventPattern<string>(noted.alone.type)
  onAlone(@Payload() { writtenAt }: PayloadOf<typeof noted.alone>): void {
    latencies.push(now() - writtenAt);
  }
}

@Module({})
class BenchModule {}

async function arrived(expected: number): Promise<void> {
  while (latencies.length < expected) await sleep(5);
}

const insert = `insert into outbox (id, kind, type, version, subject, payload)
  select gen_random_uuid(), 'event', $1, 1, 'subject-' || (n % $4::int), json_build_object('writtenAt', $2::float8) from generate_series(1, $3::int) n`;

async function insertEvents(source: DataSource, kind: Kind, events: number): Promise<void> {
  await source.query(insert, [noted[kind].type, now(), events, subjects]);
}

/** Events per second of a backlog that is written at once. */
async function rateOf(source: DataSource, kind: Kind): Promise<number> {
  latencies.length = 0;
  const began = performance.now();
  await insertEvents(source, kind, count);
  await arrived(count);
  return (count / (performance.now() - began)) * 1_000;
}

/** Times from the row to the handler while events are written at a steady rate, or at the rate that the machine has left. */
async function steady(source: DataSource, kind: Kind): Promise<{ writtenPerSecond: number; p50Ms: number; p99Ms: number }> {
  const total = perSecond * steadySeconds;
  latencies.length = 0;
  const began = performance.now();
  const write = async (first: number): Promise<void> => {
    for (let index = first; index < total; index += writers) {
      const dueInMs = began + (index / perSecond) * 1_000 - performance.now();
      if (dueInMs > 0) await sleep(dueInMs);
      await insertEvents(source, kind, 1);
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, index) => write(index)));
  const writtenPerSecond = Math.round((total / (performance.now() - began)) * 1_000);
  await arrived(total);
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round((sorted[Math.floor(share * (sorted.length - 1))] ?? 0) * 10) / 10;
  return { writtenPerSecond, p50Ms: at(0.5), p99Ms: at(0.99) };
}

/** Jobs per second of a table that a worker empties in batches: fetched by one statement, completed by another. */
async function plainRate(source: DataSource): Promise<number> {
  await source.query(`create table bench_jobs (id uuid primary key default gen_random_uuid(), position bigint generated always as identity,
    state text not null default 'created', payload jsonb not null, completed_at timestamptz)`);
  await source.query(`create index bench_jobs_created on bench_jobs (position) where state = 'created'`);
  const began = performance.now();
  await source.query(
    `insert into bench_jobs (payload) select json_build_object('writtenAt', n::float8) from generate_series(1, $1::int) n`,
    [count],
  );
  for (let done = 0; done < count;) {
    const jobs = await rowsOf<{ id: string }>(
      source,
      `update bench_jobs set state = 'active' where id in (
         select id from bench_jobs where state = 'created' order by position limit 500 for update skip locked) returning id, payload`,
    );
    await source.query(`update bench_jobs set state = 'completed', completed_at = now() where id = any($1)`, [jobs.map(({ id }) => id)]);
    done += jobs.length;
  }
  return Math.round((count / (performance.now() - began)) * 1_000);
}

await migrate({ url: databaseUrl, migrations: messagingMigrations });
const app = await createService({
  name: 'bench',
  configSchema: baseConfig,
  module: (): DynamicModule => ({
    module: BenchModule,
    imports: [
      DatabaseModule.forRoot({ url: databaseUrl, poolSize: 20 }),
      MessagingModule.forRoot({ url: brokerUrl, service: 'bench', events: Object.values(noted) }),
    ],
    controllers: [BenchListener],
  }),
  configure: connectMessaging,
  environment: { PORT: '0', LOG_LEVEL: 'error' },
});
try {
  const source = app.get(DataSource);
  const results: Record<string, { eventsPerSecond: number; writtenPerSecond: number; p50Ms: number; p99Ms: number }> = {};
  for (const kind of ['shared', 'alone'] as const) {
    latencies.length = 0;
    await insertEvents(source, kind, 2_000);
    await arrived(2_000);
    const eventsPerSecond = Math.round(await rateOf(source, kind));
    results[kind] = { eventsPerSecond, ...(await steady(source, kind)) };
  }
  console.log(JSON.stringify({ events: count, perSecond, plainPerSecond: await plainRate(source), ...results }));
} finally {
  await app.close();
}
