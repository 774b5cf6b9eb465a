import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { createService } from '@decola/service-kit';
import { DataSource } from 'typeorm';
import { AppModule } from './app.module.js';
import { configSchema } from './config.js';
import { Scheduler } from './runs/scheduler.service.js';

/**
 * Measures how many runs one replica dispatches per second: `DATABASE_URL` (migrated and empty) and `RABBITMQ_URL` are those of a
 * test; `BENCH_AUTOMATIONS` due automations, each of an account of its own, are made first and dispatched once. Prints one line
 * of JSON.
 */
const count = Number(process.env['BENCH_AUTOMATIONS'] ?? 100_000);
const key = randomBytes(32).toString('base64');

const app = await createService({
  name: 'automations-bench',
  configSchema,
  module: (config) => AppModule.forRoot(config),
  environment: {
    PORT: '0',
    LOG_LEVEL: 'error',
    INTERNAL_SIGNING_KEY: key,
    SESSION_KEY_RING: `bench:${key}`,
    ACCOUNT_KEY_PEPPER: key,
    QUIET_HOURS: 'null',
    SCHEDULER_BATCH: '1000',
    ...process.env,
    SCHEDULER_ENABLED: 'false',
  },
});
try {
  const db = app.get(DataSource);
  await db.query(
    `insert into network_accounts (account_key, first_seen_at) select 'bench-account-' || lpad(n::text, 9, '0'), now() - interval '60 days' from generate_series(1, $1::int) n`,
    [count],
  );
  await db.query(
    `with made as (
       insert into automations (user_id, name, type, configuration, account_key, run_kind, frequency_ms, next_run_at, next_is_interactive)
       select gen_random_uuid(), 'Bench ' || n, 'auto-follow-unfollow',
         '{"action":"follow","method":"hashtag","targets":"#cafe","frequency":"1hour","rowsPerLaunch":3}', 'bench-account-' || lpad(n::text, 9, '0'), 'follow', 3600000,
         now() - interval '1 minute', false
       from generate_series(1, $1::int) n returning user_id, account_key)
     insert into instagram_sessions (user_id, account_key, network_user_id, envelope)
     select user_id, account_key, '1000', 'v1.bench.' || repeat('a', 1200) from made`,
    [count],
  );
  for (const table of ['automations', 'network_accounts', 'instagram_sessions']) await db.query(`analyze ${table}`);

  const scheduler = app.get(Scheduler);
  const started = performance.now();
  const { dispatched } = await scheduler.tick();
  const seconds = (performance.now() - started) / 1000;
  console.log(
    JSON.stringify({
      automations: count,
      dispatched,
      seconds: Number(seconds.toFixed(2)),
      runsPerSecond: Math.round(dispatched / seconds),
    }),
  );
  if (dispatched !== count) process.exitCode = 1;
} finally {
  await app.close();
}
