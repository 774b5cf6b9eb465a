import { randomUUID } from 'node:crypto';
import { type BrowserRun, runActionDone, runFinished, runReserve, runStarted, subscriptionChanged } from '@decola/contracts';
import { connectBroker, Requester } from '@decola/messaging';
import { Clock } from '@decola/service-kit';
import {
  authenticated,
  type CrashScenario,
  eventually,
  forEachCrashPoint,
  type Invariants,
  publishTestEvent,
  sizeOf,
  type World,
} from '@decola/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule, listen } from '../src/app.module.js';
import { configSchema } from '../src/config/config.js';
import { migrations } from '../src/migrations/index.js';
import { Scheduler } from '../src/schedule/scheduler.service.js';
import { benchEnvironment, followConfiguration, subscription } from './support.js';

const started = new Date('2026-11-21T15:00:00Z');
const hourMs = 3_600_000;
const people = [
  { targetId: '1001', username: 'pessoa_1' },
  { targetId: '1002', username: 'pessoa_2' },
];

interface Facts {
  automationId: string;
}

const standsAt = (now: Date) => (app: NestFastifyApplication) => void Object.assign(app.get(Clock), { now: () => new Date(now) });

/** What the worker was told and did; the driver plays it, and never dies itself. */
const diaries = new WeakMap<World, { jobs: { id: string; payload: BrowserRun }[]; reserved: string[][] }>();

async function answered<Result>(world: World, ask: (requester: Requester) => Promise<Result>): Promise<Result> {
  const connection = connectBroker(world.broker.url, 'worker');
  const requester = new Requester(connection, '/worker');
  try {
    return await world.attempt(() => ask(requester));
  } finally {
    await requester.close();
    await connection.close();
  }
}

const scenario: CrashScenario<Facts> = {
  service: { name: 'automations', configSchema, module: (config) => AppModule.forRoot(config), configure: listen },
  migrations,
  roleName: 'test_automations',
  environment: benchEnvironment,
  onStart: standsAt(started),
  prepare: async (world) => {
    const userId = randomUUID();
    await publishTestEvent(world.broker.url, subscriptionChanged, subscription(userId, 1, 1), { subject: userId });
    await eventually(async () => expect(await world.query('select 1 from entitlements where user_id = $1', [userId])).toHaveLength(1));
    const answer = await fetch(`${world.url}/rest/v1/automations?select=id`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        prefer: 'return=representation',
        accept: 'application/vnd.pgrst.object+json',
        ...authenticated(userId),
      },
      body: JSON.stringify({
        user_id: userId,
        name: 'Teste',
        type: 'auto-follow-unfollow',
        configuration: followConfiguration(),
        is_draft: false,
        is_active: true,
      }),
    });
    const { id } = (await answer.json()) as { id: string };
    expect(answer.status).toBe(201);
    return { automationId: id };
  },
  drive: async (world, { automationId }) => {
    await world.attempt((app) => app.get(Scheduler).tick());
    await world.rest();
    const jobs = await world.take<BrowserRun>('browser.runs.interactive');
    const diary = { jobs, reserved: [] as string[][] };
    diaries.set(world, diary);
    const job = jobs[0]?.payload;
    if (!job) throw new Error('no run was dispatched');
    const { runId, userId, accountKey } = job;
    const identity = { runId, automationId, userId, accountKey, fencingToken: 1, pageViews: 1 };
    const at = started.toISOString();
    await publishTestEvent(world.broker.url, runStarted, { ...identity, workerId: 'w1', startedAt: at });
    await world.rest();
    const { reserved } = await answered(world, (requester) =>
      requester.ask(runReserve, { ...identity, action: 'follow', candidates: people, givenBack: [] }),
    );
    diary.reserved.push(reserved.map(({ reservationId }) => reservationId));
    await world.rest();
    for (const { reservationId, ...target } of reserved) {
      await publishTestEvent(world.broker.url, runActionDone, {
        ...identity,
        reservationId,
        action: 'follow',
        target,
        outcome: 'confirmed',
        skipReason: null,
        proof: {},
        settled: false,
        at,
      });
      await world.rest();
    }
    await publishTestEvent(world.broker.url, runFinished, {
      ...identity,
      outcome: 'done',
      stop: null,
      tried: 2,
      confirmed: 2,
      skipped: 0,
      pages: 3,
      list: null,
      targetProblem: null,
      username: 'loja',
      givenBack: [],
      finishedAt: at,
    });
  },
};

const invariants: Invariants<Facts> = {
  'one run was dispatched': async (world) => {
    expect(new Set(diaries.get(world)?.jobs.map(({ payload }) => payload.runId)).size).toBe(1);
    expect(await world.query('select state, outcome, tried, confirmed, skipped from runs')).toEqual([
      { state: 'finished', outcome: 'done', tried: 2, confirmed: 2, skipped: 0 },
    ]);
    expect(await world.query('select run_count from automations')).toEqual([{ run_count: 1 }]);
  },
  'each person was reserved once, and what was reported of them stands in the ledger': async (world) => {
    const ledger = await world.query<{ id: string }>('select id, target_id, state from account_actions order by target_id');
    expect(ledger).toMatchObject(people.map(({ targetId }) => ({ target_id: targetId, state: 'confirmed' })));
    expect(ledger.map(({ id }) => id).toSorted()).toEqual(diaries.get(world)?.reserved[0]?.toSorted());
  },
  'the diary tells of each action once': async (world) => {
    expect(await world.query('select target_id, outcome from run_diary order by target_id')).toEqual(
      people.map(({ targetId }) => ({ target_id: targetId, outcome: 'confirmed' })),
    );
  },
  'pages are counted once': async (world) => {
    expect(await world.query('select sum(pages)::int as pages from account_pages')).toEqual([{ pages: 3 }]);
  },
  'the last run is shown': async (world, { automationId }) => {
    const [row] = await world.query<{ last_run: unknown }>('select last_run from automations where id = $1', [automationId]);
    expect(row?.last_run).toMatchObject({ outcome: 'done', tried: 2, confirmed: 2 });
  },
  'its next run comes': async (world) => {
    await world.attempt((app) => {
      standsAt(new Date(started.getTime() + 2 * hourMs))(app);
      return app.get(Scheduler).tick();
    });
    expect(await world.query(`select state from runs where state = 'queued'`)).toEqual([{ state: 'queued' }]);
  },
};

describe('a follow run whose scheduler and ledger die', () => {
  it('at any place reserves and reports each person once, and goes on', async () => {
    await forEachCrashPoint(scenario, { invariants, points: sizeOf({ gate: 'own', long: 'all' }) });
  }, 1_800_000);
});
