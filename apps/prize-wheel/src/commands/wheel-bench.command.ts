import 'reflect-metadata';
import { randomBytes, randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { DatabaseModule } from '@decola/database';
import { MessagingModule } from '@decola/messaging';
import { createService } from '@decola/service-kit';
import { DataSource } from 'typeorm';
import { type DynamicModule, Module } from '@nestjs/common';
import { configSchema, type PrizeWheelConfig } from '../config/config.js';
import { applyStock } from '../draws/apply-stock.js';
import { Draws } from '../draws/draws.service.js';
import { WheelKeys } from '../keys/wheel-keys.service.js';
import { plainSpin } from '../draws/spin.js';

/*
 * Measures how many spins one replica draws per second, without HTTP: everything from the lane to the commit, with the participation, the chain and the
 * message about the lead. Publishes `BENCH_WHEELS` wheels (default: 100) in a migrated `DATABASE_URL` and prints them as a line of JSON. Each line on its
 * input, as `{"wheels":100,"seconds":2,"inFlight":512}`, is answered by a line `{"spins":…,"seconds":…}`.
 */

/** What draws need of the service. Without the relay, which would go on with its work while something else is measured. */
@Module({})
class BenchModule {
  static forRoot(config: PrizeWheelConfig): DynamicModule {
    return {
      module: BenchModule,
      imports: [
        DatabaseModule.forRoot({ url: config.DATABASE_URL, applicationName: 'prize-wheel-bench' }),
        MessagingModule.forRoot({ url: config.RABBITMQ_URL, service: 'prize-wheel', relay: false }),
      ],
      providers: [Draws, WheelKeys],
    };
  }
}

const prizes = Array.from({ length: 8 }, (_, index) => ({
  id: String(index + 1),
  name: `Prize ${index + 1}`,
  type: index % 2 === 0 ? 'physical' : 'digital',
  message: 'Show this code at the counter of the shop to get your prize.',
  quantity: 1_000_000,
}));
const fields = { nome: 'Maria da Silva', whatsapp: '+5511987654321', email: 'maria.silva@example.com' };

const app = await createService({
  name: 'prize-wheel-bench',
  configSchema,
  module: (config) => BenchModule.forRoot(config),
  environment: { ...process.env, PORT: '0', LOG_LEVEL: 'error' },
});
const dataSource = app.get(DataSource);
const draws = app.get(Draws);

async function publishWheel(): Promise<{ automationId: string; token: string }> {
  const automationId = randomUUID();
  const token = randomBytes(16).toString('base64url');
  const configuration = { publicToken: token, prizes };
  await dataSource.transaction(async (manager) => {
    await manager.query(
      `insert into wheels (automation_id, user_id, name, is_draft, is_active, configuration, revision) values ($1, $2, 'Measured', false, true, $3, 1)`,
      [automationId, randomUUID(), JSON.stringify(configuration)],
    );
    await applyStock(manager, { automationId, configuration }, { seeds: draws.seeds, now: new Date() });
  });
  return { automationId, token };
}

const wheels = [];
for (let index = 0; index < Number(process.env['BENCH_WHEELS'] ?? 100); index++) wheels.push(await publishWheel());
const ids = wheels.map(({ automationId }) => automationId);
console.log(JSON.stringify({ wheels }));

let visitors = 0;
async function slice({ wheels: count, seconds, inFlight }: { wheels: number; seconds: number; inFlight: number }) {
  const began = performance.now();
  const until = began + seconds * 1_000;
  const mark = randomBytes(6).toString('hex');
  let spins = 0;
  const visit = async (): Promise<void> => {
    while (performance.now() < until) {
      visitors += 1;
      const automationId = ids[visitors % count] ?? '';
      const outcome = await draws.spin({
        ...plainSpin,
        automationId,
        handle: `@m.${mark}.${visitors}`,
        spinKeyHash: randomBytes(32),
        fields,
      });
      if (outcome.kind !== 'drawn') throw new Error(`a spin of the measurement ended as ${outcome.kind}`);
      spins += 1;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, visit));
  return { spins, seconds: (performance.now() - began) / 1_000 };
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await slice(JSON.parse(line) as Parameters<typeof slice>[0])));
}
await app.close();
