import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { DatabaseModule } from '@decola/database';
import { MessagingModule, Outbox } from '@decola/messaging';
import { createService } from '@decola/service-kit';
import { type DynamicModule, Module } from '@nestjs/common';
import { AutomationEvents } from '../automation-state/automation-events.service.js';
import { AutomationPauses } from '../automation-state/automation-pauses.service.js';
import { AutomationTransitions } from '../automation-state/automation-transitions.service.js';
import { type AutomationsConfig, configSchema } from '../config/config.js';
import { Dispatcher } from '../dispatch/dispatcher.service.js';

/*
 * One scheduler of `npm run bench -- schedulers` (`scripts/lib/scheduler-speed.mjs`, which fills the database). For each line that it reads it dispatches
 * until nothing is due, and prints one line of JSON. With `BENCH_RELAY=true` its relay publishes the jobs meanwhile; without, they stay in the outbox.
 */

const hasRelay = process.env['BENCH_RELAY'] === 'true';

/** What dispatching needs of the service. */
@Module({})
class BenchModule {
  static forRoot(config: AutomationsConfig): DynamicModule {
    return {
      module: BenchModule,
      imports: [
        DatabaseModule.forRoot({ url: config.DATABASE_URL, poolSize: 15, applicationName: 'automations-bench' }),
        ...(hasRelay ? [MessagingModule.forRoot({ url: config.RABBITMQ_URL, service: 'automations' })] : []),
      ],
      providers: [...(hasRelay ? [] : [Outbox]), AutomationEvents, AutomationTransitions, AutomationPauses, Dispatcher],
    };
  }
}

const key = randomBytes(32).toString('base64');
let batchSize = 0;

const app = await createService({
  name: 'automations-bench',
  configSchema,
  module: (config) => {
    batchSize = config.SCHEDULER_BATCH;
    return BenchModule.forRoot(config);
  },
  environment: {
    PORT: '0',
    LOG_LEVEL: 'error',
    INTERNAL_SIGNING_KEY: key,
    SESSION_KEY_RING: `bench:${key}`,
    ACCOUNT_KEY_PEPPER: key,
    QUIET_HOURS: 'null',
    ...process.env,
  },
});

async function dispatchAll() {
  const dispatcher = app.get(Dispatcher);
  const began = performance.now();
  const used = process.cpuUsage();
  let dispatched = 0;
  for (;;) {
    const batch = await dispatcher.dispatchBatch();
    dispatched += batch.dispatched;
    if (batch.claimed < batchSize) break;
  }
  const { user, system } = process.cpuUsage(used);
  return { dispatched, seconds: (performance.now() - began) / 1_000, processorSeconds: (user + system) / 1_000_000 };
}

console.log(JSON.stringify({ ready: true }));
for await (const line of createInterface({ input: process.stdin })) if (line) console.log(JSON.stringify(await dispatchAll()));
await app.close();
