import { setTimeout as wait } from 'node:timers/promises';
import { longestInterruptionPauseMs } from '@decola/contracts/interruptions';
import { until } from '../../../scripts/lib/customer.mjs';
import { makeDue, query } from '../src/database.js';
import { deadline } from '../src/deadlines.js';
import type { Harness } from '../src/harness.js';
import { expect, test } from '../src/journey.js';
import { type Customer, customer, extractor, follower, isOver, listOf, network, stateOf } from '../src/people.js';

let harness: Harness;

test.beforeAll(async ({ harness: shared }) => {
  harness = shared;
  await Promise.all([0, 1].map((index) => harness.system.startWorker(index)));
});
test.afterAll(() => stopWorkers());

const stopWorkers = async () => {
  for (const worker of ['browser-worker', 'browser-worker-2']) await harness.system.stopProcess(worker);
};

/** Everybody whom an account followed according to the sandbox; asserts that there are no verdicts. */
async function followsOf({ account }: Customer): Promise<string[]> {
  const entries = await network.ledger(harness, `account=${account}&action=follow`);
  expect(entries.flatMap(({ verdicts }) => verdicts)).toEqual([]);
  return entries.map(({ target }) => target);
}

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

test('a worker killed at 20 random moments repeats nothing, loses nothing and affects nobody else', async () => {
  // Each of the four results that the test waits for at the end may have been interrupted just before.
  test.setTimeout(deadline(6 * 60_000, ...Array<number>(4).fill(longestInterruptionPauseMs)));
  await network.account(harness, { username: 'alvo.da.queda', followers: 240, following: 5, posts: 3 });
  const victim = await customer(harness);
  const other = await customer(harness);
  const list = await extractor(victim, 'alvo.da.queda');
  const follow = await follower(victim, { rowsPerLaunch: 5 });
  const steady = await follower(other, { rowsPerLaunch: 3, targets: '#brasil' });
  await harness.system.stopProcess('browser-worker-2');
  for (let kills = 0; kills < 20; kills++) {
    await wait(400 + Math.random() * 1_800);
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
    const follows = await followsOf(each);
    expect(new Set(follows).size).toBe(follows.length);
  }
  // Every follow that the network saw is in our ledger as done. A reservation that was never clicked may still wait for its second look.
  await until(
    'the ledger',
    async () => {
      const seen = await followsOf(victim);
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
  for (const { person } of automations) expect(await followsOf(person)).toHaveLength(1);
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

test('an action block stops that account at once, is explained to its customer, and affects nobody else', async () => {
  test.setTimeout(deadline(4 * 60_000));
  const blocked = await customer(harness);
  const free = await customer(harness);
  await network.objection(harness, { kind: 'feedback_required', username: blocked.account, call: 'follow', afterCalls: 1, times: null });
  const stopped = await follower(blocked, { rowsPerLaunch: 5 });
  const going = await follower(free, { rowsPerLaunch: 2 });
  const state = await until(
    'the pause',
    async () => {
      const found = await stateOf(blocked, stopped.id);
      return found.is_active ? undefined : found;
    },
    { timeoutMs: deadline(90_000) },
  );
  expect(state.status).toBe('blocked');
  expect(state.status_reason).toMatch(/Instagram/);
  await makeDue(harness, stopped.id);
  await until('the other account', async () => (await stateOf(free, going.id)).last_run?.outcome === 'done' || undefined, {
    timeoutMs: deadline(60_000),
  });
  const tried = await network.ledger(harness, `account=${blocked.account}&action=follow`);
  expect(tried.map(({ result }) => result).filter((result) => result === 'done')).toHaveLength(1);
  expect(tried).toHaveLength(2);
  expect(tried.flatMap(({ verdicts }) => verdicts)).toEqual([]);
  expect(await followsOf(free)).toHaveLength(2);
});

test('the last slot goes to one of 20 simultaneous creations', async () => {
  // A plan with three slots and no trial, because a card gets only one trial.
  const person = await customer(harness, { plan: 'pro' });
  await Promise.all([follower(person, {}, 'Primeira'), follower(person, {}, 'Segunda')]);
  const results = await Promise.allSettled(Array.from({ length: 20 }, (_, index) => follower(person, {}, `Corrida ${index}`)));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const { data } = await person.client.from('automations').select('id');
  expect(data).toHaveLength(3);
});

/** Rows of a person in these tables, without the columns that runs change meanwhile. */
async function everythingOf({ client }: Customer, tables: readonly string[]): Promise<unknown[]> {
  const changing = ['status', 'status_reason', 'next_run_at', 'last_run_at', 'last_run', 'session_account', 'username'];
  return Promise.all(
    tables.map(async (table) => {
      if (table.startsWith('automation_')) return [];
      const { data } = await client.from(table).select('*');
      return ((data ?? []) as Record<string, unknown>[]).map((row) =>
        Object.fromEntries(Object.entries(row).filter(([key]) => !changing.includes(key))),
      );
    }),
  );
}

test('nobody can read or change another person’s rows, for all tables and methods', async () => {
  // No worker runs, so that rows change only by these requests.
  await stopWorkers();
  const owner = await customer(harness);
  const stranger = await customer(harness);
  const automation = await follower(owner);
  await owner.client.from('user_keywords').insert({ user_id: owner.userId, keyword: 'marketing' });
  await owner.client
    .from('user_tokens')
    .upsert({ user_id: owner.userId, token: 'segredo-do-site', token_type: 'webhook' }, { onConflict: 'user_id,token_type' });
  const tables = [
    'profiles',
    'user_roles',
    'subscriptions',
    'automations',
    'automation_runs',
    'run_diary',
    'blog_automations',
    'instagram_sessions',
    'instagram_accounts',
    'account_usage',
    'account_growth',
    'account_activity',
    'account_pauses',
    'follow_backs',
    'previews',
    'extracted_data',
    'leads',
    'user_keywords',
    'user_tokens',
  ];
  const before = await everythingOf(owner, tables);
  expect(JSON.stringify(before)).toContain(automation.id);
  for (const table of tables) {
    const read = await stranger.client.from(table).select('*').eq('user_id', owner.userId);
    expect([table, read.data ?? []]).toEqual([table, []]);
    await stranger.client.from(table).update({ user_id: stranger.userId }).eq('user_id', owner.userId);
    await stranger.client.from(table).delete().eq('user_id', owner.userId);
    const insert = await stranger.client.from(table).insert({ user_id: owner.userId });
    expect([table, insert.error === null]).toEqual([table, false]);
  }
  for (const [name, args] of [
    ['get_available_slots', { p_user_id: owner.userId }],
    ['get_extracted_slots', { p_user_id: owner.userId, p_allowed_types: ['followers'] }],
  ] as const) {
    const answer = await stranger.client.rpc(name, args);
    expect(answer.data ?? []).toEqual([]);
  }
  expect(await everythingOf(owner, tables)).toEqual(before);
});
