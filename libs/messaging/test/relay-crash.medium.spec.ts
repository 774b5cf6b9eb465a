import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { PayloadOf } from '@decola/contracts';
import { collectEvents, eventually } from '@decola/testing';
import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DataSource } from 'typeorm';
import { EventContext, Outbox } from '../src/index.js';
import { bench, type Bench, orderMoved, startService } from './support.js';

@Controller()
class EffectsListener {
  @EventPattern<string>(orderMoved.type)
  async on(@Payload() { orderId, step }: PayloadOf<typeof orderMoved>, @Ctx() context: EventContext): Promise<void> {
    await context.manager.query('insert into effects (order_id, step) values ($1, $2)', [orderId, step]);
  }
}

const directory = path.resolve(__dirname, '..');

/** Bundles the process, so that plain Node runs it. */
function bundle(into: string): string {
  const file = path.join(into, 'relay-process.js');
  const script = `
    import { rolldown } from 'rolldown';
    const bundle = await rolldown({
      input: ${JSON.stringify(path.join(directory, 'test/relay-process.ts'))},
      platform: 'node',
      tsconfig: ${JSON.stringify(path.join(directory, '../../tsconfig.base.json'))},
      resolve: { conditionNames: ['@decola/source', 'import', 'node', 'default'] },
      external: (id) => !/^[./]/.test(id) && !id.startsWith('@decola/') && !id.startsWith('@oxc-project/'),
    });
    await bundle.write({ file: ${JSON.stringify(file)}, format: 'esm', codeSplitting: false });
    await bundle.close();`;
  execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: directory, stdio: 'pipe' });
  return file;
}

describe('a relay that is killed', () => {
  let own: Bench;
  let app: NestFastifyApplication;
  let dataSource: DataSource;
  let folder: string;
  let program: string;
  const alive = new Set<ChildProcess>();

  beforeAll(async () => {
    // Inside the project, so that packages resolve; in a folder that git ignores.
    mkdirSync(path.join(directory, 'dist'), { recursive: true });
    folder = mkdtempSync(path.join(directory, 'dist/relay-'));
    program = bundle(folder);
    own = await bench();
    app = await startService('effects', {
      brokerUrl: own.broker.url,
      databaseUrl: own.database.url,
      controllers: [EffectsListener],
      relay: false,
    });
    dataSource = app.get(DataSource);
  });
  afterAll(async () => {
    for (const child of alive) child.kill('SIGKILL');
    await app?.close();
    await own?.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  const start = (environment: Record<string, string> = {}): { child: ChildProcess; ended: Promise<string | null> } => {
    const child = spawn(process.execPath, ['--import', 'reflect-metadata', program], {
      cwd: directory,
      env: { PATH: process.env['PATH'], DATABASE_URL: own.database.url, RABBITMQ_URL: own.broker.url, ...environment },
      stdio: 'ignore',
    });
    alive.add(child);
    const ended = new Promise<string | null>((resolve) =>
      child.once('exit', (_, signal) => {
        alive.delete(child);
        resolve(signal);
      }),
    );
    return { child, ended };
  };
  const waiting = async () =>
    (await dataSource.query<{ count: number }[]>('select count(*)::int as count from outbox where sent_at is null'))[0]?.count ?? 0;
  const fill = async (orders: readonly string[], steps: number) => {
    for (let step = 1; step <= steps; step++) {
      await dataSource.transaction(async (manager) => {
        for (const orderId of orders) await app.get(Outbox).add(manager, orderMoved, { orderId, step }, { subject: orderId });
      });
    }
  };
  const effectsOf = async (orders: readonly string[]) =>
    (
      await dataSource.query<{ order_id: string; step: number }[]>('select order_id, step from effects where order_id = any($1)', [orders])
    ).map(({ order_id, step }) => `${order_id} ${step}`);

  it('between publishing and marking loses nothing, keeps the order, and its duplicates have no effect', async () => {
    const orders: string[] = Array.from({ length: 8 }, () => randomUUID());
    const steps = 25;
    const heard = await collectEvents(own.broker.url, orderMoved.type);
    await fill(orders, steps);
    for (const confirmed of [1, 7, 20, 3, 11]) {
      const { ended } = start({ DIE_AFTER: String(confirmed) });
      expect(await ended).toBe('SIGKILL');
      expect(await waiting()).toBeGreaterThan(0);
    }
    const { child, ended } = start();
    await eventually(async () => expect(await waiting()).toBe(0), { timeoutMs: 30_000 });
    const expected = orders.flatMap((orderId) => Array.from({ length: steps }, (_, index) => `${orderId} ${index + 1}`));
    await eventually(async () => expect((await effectsOf(orders)).toSorted()).toEqual(expected.toSorted()), { timeoutMs: 30_000 });
    child.kill('SIGKILL');
    await ended;
    await heard.dispose();
    // Some were published twice; the first copies arrived in order.
    const arrivals = heard.events.filter(({ subject }) => orders.includes(subject));
    expect(arrivals.length).toBeGreaterThan(expected.length);
    for (const orderId of orders) {
      const first = [...new Set(arrivals.filter(({ subject }) => subject === orderId).map(({ payload }) => payload['step']))];
      expect(first).toEqual(Array.from({ length: steps }, (_, index) => index + 1));
    }
  });

  it('would run out of memory if it loaded a whole backlog of large messages: it publishes them in smaller batches', async () => {
    await dataSource.query(
      `insert into outbox (id, kind, type, version, subject, payload)
       select gen_random_uuid(), 'event', 'order.drawn', 1, 'drawing ' || number, jsonb_build_object('picture', repeat('x', 8000000))
       from generate_series(1, 20) as number`,
    );
    const { child, ended } = start({ NODE_OPTIONS: '--max-old-space-size=96' });
    await eventually(async () => expect([await waiting(), child.signalCode]).toEqual([0, null]), { timeoutMs: 60_000 });
    child.kill('SIGKILL');
    await ended;
  });

  it('repeatedly and at random moments loses nothing, and nothing takes effect twice', async () => {
    const orders: string[] = Array.from({ length: 20 }, () => randomUUID());
    const steps = 30;
    let isFilled = false;
    const filling = fill(orders, steps).then(() => (isFilled = true));
    let deaths = 0;
    while (deaths < 5 || !isFilled) {
      const { child, ended } = start();
      const before = await waiting();
      // Killed at an arbitrary point after some messages were published.
      await eventually(async () => expect((await waiting()) !== before || isFilled).toBe(true), { everyMs: 5 });
      child.kill('SIGKILL');
      await ended;
      deaths += 1;
    }
    await filling;
    const { child, ended } = start();
    await eventually(async () => expect(await waiting()).toBe(0), { timeoutMs: 60_000, everyMs: 200 });
    await eventually(async () => expect(new Set(await effectsOf(orders)).size).toBe(orders.length * steps), {
      timeoutMs: 60_000,
      everyMs: 200,
    });
    expect(await effectsOf(orders)).toHaveLength(orders.length * steps);
    child.kill('SIGKILL');
    await ended;
  });

  it('is replaced by the standby, and two never publish at the same time', async () => {
    const orders: string[] = [randomUUID()];
    const first = start();
    const holders = async () =>
      (
        await dataSource.query<{ pid: number }[]>(
          `select pid from pg_locks where locktype = 'advisory' and classid = 7332 and granted and database = (select oid from pg_database where datname = current_database())`,
        )
      ).length;
    await eventually(async () => expect(await holders()).toBe(1));
    const second = start();
    await fill(orders, 3);
    await eventually(async () => expect(await waiting()).toBe(0));
    expect(await holders()).toBe(1);
    first.child.kill('SIGKILL');
    await first.ended;
    await fill(orders.concat(randomUUID()), 3);
    await eventually(async () => expect(await waiting()).toBe(0));
    second.child.kill('SIGKILL');
    await second.ended;
  });
});
