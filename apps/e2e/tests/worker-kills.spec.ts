import { setTimeout as wait } from 'node:timers/promises';
import { longestInterruptionPauseMs } from '@decola/contracts/interruptions';
import { until } from '../../../scripts/lib/customer.mjs';
import { makeDue, query } from '../src/database.js';
import { deadline } from '../src/deadlines.js';
import type { Harness } from '../src/harness.js';
import { expect, test } from '../src/journey.js';
import { type Customer, customer, extractor, follower, followsOf, isOver, listOf, network, stateOf } from '../src/people.js';

let harness: Harness;

test.beforeAll(async ({ harness: shared }) => {
  harness = shared;
  await Promise.all([0, 1].map((index) => harness.system.startWorker(index)));
});
test.afterAll(async () => {
  for (const worker of ['browser-worker', 'browser-worker-2']) await harness.system.stopProcess(worker);
});

/** Waits until the automation's last run has ended; the error shows its state. */
const untilDone = (what: string, customer: Customer, automationId: string) =>
  until(
    what,
    async () => {
      const { last_run: run, status, status_reason: reason } = await stateOf(customer, automationId);
      if (run?.outcome === 'done') return true;
      throw new Error(JSON.stringify({ run, status, reason }));
    },
    { timeoutMs: deadline(60_000, longestInterruptionPauseMs) },
  );

test('a worker killed at 20 moments repeats nothing, loses nothing and affects nobody else', async () => {
  // Each of the four results that the test waits for at the end may have been interrupted just before.
  test.setTimeout(deadline(6 * 60_000, ...Array<number>(4).fill(longestInterruptionPauseMs)));
  await network.account(harness, { username: 'alvo.da.queda', followers: 240, following: 5, posts: 3 });
  // Usually a pass loses an eighth of the rows, and a list ends short when a pass adds nobody, kills or not.
  await network.lists(harness, 'alvo.da.queda', { lossRate: 0 });
  const victim = await customer(harness);
  const other = await customer(harness);
  const list = await extractor(victim, 'alvo.da.queda');
  const follow = await follower(victim, { rowsPerLaunch: 5 });
  const steady = await follower(other, { rowsPerLaunch: 3, targets: '#brasil' });
  await harness.system.stopProcess('browser-worker-2');
  for (let kills = 0; kills < 20; kills++) {
    // Other moments of the run each time, the same in each test.
    await wait(400 + ((kills * 733) % 1_800));
    await harness.system.kill('browser-worker');
    await harness.system.startWorker(0);
    await makeDue(harness, follow.id);
  }
  await harness.system.startWorker(1);
  const finished = await until(
    'the list',
    async () => {
      const found = await listOf(victim, list.id);
      return isOver(found) ? found : undefined;
    },
    { timeoutMs: deadline(90_000, longestInterruptionPauseMs) },
  );
  const truth = await network.followers(harness, 'alvo.da.queda');
  expect(finished.total_records).toBe(truth.length);
  const pages = await query<{ pages: number; distinct_pages: number }>(
    harness,
    'extraction',
    'select count(*)::int as pages, count(distinct page)::int as distinct_pages from stored_pages where extracted_data_id = $1',
    [finished.id],
  );
  expect(pages[0]?.pages).toBe(pages[0]?.distinct_pages);
  await untilDone('a finished follow run', victim, follow.id);
  await untilDone('the other account', other, steady.id);
  for (const each of [victim, other]) {
    const follows = await followsOf(harness, each);
    expect(new Set(follows).size).toBe(follows.length);
  }
  // Every follow that the network saw is in our ledger as done. A reservation that was never clicked may still wait for its second look.
  await until(
    'the ledger',
    async () => {
      const seen = await followsOf(harness, victim);
      const rows = await query<{ target_username: string; state: string }>(
        harness,
        'automations',
        `select l.target_username, l.state from account_actions l join automations t on t.account_key = l.account_key where t.id = $1`,
        [follow.id],
      );
      const known = new Map(rows.map(({ target_username, state }) => [target_username, state]));
      const unsettled = seen.filter((target) => !['confirmed', 'requested'].includes(known.get(target) ?? ''));
      if (unsettled.length === 0) return true;
      await makeDue(harness, follow.id);
      throw new Error(`without an outcome: ${unsettled.map((target) => `${target} ${known.get(target) ?? 'forgotten'}`).join(', ')}`);
    },
    { timeoutMs: deadline(60_000, longestInterruptionPauseMs), everyMs: 500 },
  );
});

test('two workers share 50 accounts: never two runs at once for one account, all done, both used', async () => {
  test.setTimeout(deadline(8 * 60_000));
  const people: Customer[] = [];
  for (let batch = 0; batch < 10; batch++) people.push(...(await Promise.all(Array.from({ length: 5 }, () => customer(harness)))));
  const automations = await Promise.all(
    people.map(async (person) => ({ person, automation: await follower(person, { rowsPerLaunch: 1 }) })),
  );
  await until(
    'all 50 follows',
    async () => {
      const rows = await query<{ id: string; done: boolean; outcomes: string | null; hold: string | null }>(
        harness,
        'automations',
        `select t.id, coalesce(bool_or(r.outcome = 'done' and r.confirmed > 0), false) as done, t.hold_reason as hold,
           string_agg(concat_ws(' ', r.state, r.outcome, r.tried || '/' || r.confirmed || '/' || r.skipped, r.reason), ', ' order by r.queued_at) as outcomes
         from automations t left join runs r on r.automation_id = t.id where t.id = any($1) group by t.id`,
        [automations.map(({ automation }) => automation.id)],
      );
      const waiting = rows.filter(({ done }) => !done);
      if (waiting.length === 0) return true;
      throw new Error(`${waiting.length} wait: ${JSON.stringify(waiting.slice(0, 5))}`);
    },
    { timeoutMs: deadline(6 * 60_000), everyMs: 1_000 },
  );
  for (const { person } of automations) expect(await followsOf(harness, person)).toHaveLength(1);
  const overlapping = await query(
    harness,
    'automations',
    `select 1 from runs a join runs b on a.account_key = b.account_key and a.id < b.id where a.started_at < b.finished_at and b.started_at < a.finished_at`,
  );
  expect(overlapping).toEqual([]);
  const workers = await query<{ worker_id: string }>(
    harness,
    'automations',
    'select distinct worker_id from runs where worker_id is not null and automation_id = any($1)',
    [automations.map(({ automation }) => automation.id)],
  );
  expect(workers.length).toBe(2);
});
