import { until } from '../../../scripts/lib/customer.mjs';
import { makeDue } from '../src/database.js';
import { deadline } from '../src/deadlines.js';
import type { Harness } from '../src/harness.js';
import { expect, test } from '../src/journey.js';
import { type Customer, customer, follower, followsOf, network, stateOf } from '../src/people.js';

let harness: Harness;

test.beforeAll(async ({ harness: shared }) => {
  harness = shared;
  await Promise.all([0, 1].map((index) => harness.system.startWorker(index)));
});
test.afterAll(() => stopWorkers());

const stopWorkers = async () => {
  for (const worker of ['browser-worker', 'browser-worker-2']) await harness.system.stopProcess(worker);
};

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
  expect(await followsOf(harness, free)).toHaveLength(2);
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
