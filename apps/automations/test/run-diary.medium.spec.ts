import { type RunDiaryRow, runDiaryRow, userDeleted } from '@decola/contracts';
import { PreparedReads } from '@decola/database';
import { accountExportOf, authenticated } from '@decola/testing';
import { jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { forgetOld } from '../src/schedule/housekeeping.js';
import { hourMs, person, RunKit } from './run-kit.js';
import type { Bench, Json } from './support.js';

const kit = new RunKit();
const { reserveOne, announce, act, look, finish, followRun, nextRun } = kit;
let bench: Bench;
beforeAll(async () => {
  bench = await kit.start();
});
afterAll(() => kit.stop());

describe('run_diary', () => {
  const diary = async (userId: string, query = ''): Promise<RunDiaryRow[]> =>
    runDiaryRow.array().parse((await bench.call('GET', `run_diary?order=at.desc,id.desc&${query}`, userId)).body);

  it('has a row of each target and look with the kind of its run, also after the run is deleted, and without the kind from an earlier version', async () => {
    const { userId, id, job, fence } = await followRun();
    const [first, second] = [person(), person()];
    const reserved = await reserveOne(job, first, fence);
    await announce(job, fence, reserved);
    await act(job, fence, reserved, 'not_confirmed', { proof: { header: 'follow' } });
    kit.later(1_000);
    await act(job, fence, { ...second, reservationId: randomUUID() }, 'skipped', { skipReason: 'target_private' });
    await finish(job, fence, { tried: 1 });
    const next = await nextRun(id, 2 * hourMs);
    await look(next.job, next.fence, reserved, 'confirmed');
    const common = { automation_id: id, user_id: userId, kind: 'follow', action: 'follow', picture_id: null };
    const rows = await diary(userId);
    expect(rows).toMatchObject([
      { ...common, run_id: next.job.runId, target_id: first.targetId, outcome: 'confirmed', settled: true },
      { ...common, run_id: job.runId, target_id: second.targetId, outcome: 'skipped', reason: 'O perfil é privado.', settled: false },
      { ...common, run_id: job.runId, target_id: first.targetId, outcome: 'not_confirmed', reason: null, proof: { header: 'follow' } },
    ]);
    // What a replica of the version before stores.
    await bench.db.query(`update run_diary set kind = null where run_id = $1`, [job.runId]);
    expect((await diary(userId, `run_id=eq.${job.runId}&kind=eq.follow`)).map(({ kind }) => kind)).toEqual(['follow', 'follow']);
    await bench.db.query(`delete from runs where id = any($1)`, [[job.runId, next.job.runId]]);
    expect((await diary(userId)).map(({ kind }) => kind)).toEqual(['follow', null, null]);
  });

  it('is answered as CSV, part of the export, and deleted with its customer and after 180 days', async () => {
    const { userId, id, job, fence } = await followRun();
    const target = person();
    await act(job, fence, { ...target, reservationId: randomUUID() }, 'skipped', { skipReason: 'own' });
    const answer = await fetch(`${bench.url}/rest/v1/run_diary?select=at,target_username,outcome,reason&automation_id=eq.${id}`, {
      headers: { ...authenticated(userId), accept: 'text/csv' },
    });
    expect(answer.headers.get('content-type')).toMatch(/^text\/csv/);
    expect((await answer.text()).trimEnd().split('\n')).toEqual([
      'at,target_username,outcome,reason',
      expect.stringMatching(new RegExp(`^"?2026-11-[^,]*,${target.username},skipped,É da sua própria conta.$`)),
    ]);
    const files = await accountExportOf(bench.url, userId);
    expect(JSON.parse(files['automacoes/diario.json']!)).toMatchObject([{ perfil: target.username, trabalho: 'follow', motivo: 'own' }]);
    const other = await followRun();
    await act(other.job, other.fence, { ...person(), reservationId: randomUUID() }, 'skipped', { skipReason: 'own' });
    await kit.tell(userDeleted, { userId, deletedAt: kit.now.toISOString() });
    const left = () => bench.db.query(`select user_id from run_diary where user_id = any($1)`, [[userId, other.userId]]);
    expect(await left()).toEqual([{ user_id: other.userId }]);
    await forgetOld(bench.db.manager, new Date(kit.now.getTime() + 181 * 24 * hourMs));
    expect(await left()).toEqual([]);
  });
});

/** 100,000 rows of one automation among rows of other automations and other customers. */
describe('a long diary', () => {
  const [userId, otherUserId] = [randomUUID(), randomUUID()];
  const [automationId, otherId] = [randomUUID(), randomUUID()];
  const rareRun = randomUUID();

  beforeAll(async () => {
    const insert = (user: string, automation: string, rows: number) =>
      bench.db.query(
        `insert into run_diary (automation_id, user_id, run_id, kind, action, target_id, target_username, outcome, skip_reason, proof, settled, at)
         select $1, $2, case when n = 50000 then $4::uuid else gen_random_uuid() end, 'follow', case when n = 70000 then 'unfollow' else 'follow' end,
           n::text, 'pessoa_' || n, case when n % 20000 = 7 then 'refused' when n % 10 < 2 then 'skipped' else 'confirmed' end,
           case when n % 20000 = 7 then null when n = 60000 then 'target_gone' when n % 10 < 2 then 'already_so' end, '{"header":"following"}', false,
           timestamptz '2026-11-21T15:00:00Z' - (n / 2) * interval '1 minute'
         from generate_series(1, $3::int) n`,
        [automation, user, rows, automation === automationId ? rareRun : randomUUID()],
      );
    // The indexes are built at the end, which is many times faster than to maintain them.
    const indexes = await bench.db.query(
      `select indexname, indexdef from pg_indexes where schemaname = current_schema() and tablename = 'run_diary' and indexname <> 'run_diary_pkey'`,
    );
    for (const { indexname } of indexes) await bench.db.query(`drop index ${indexname}`);
    await insert(userId, automationId, 100_000);
    await insert(userId, otherId, 10_000);
    await insert(otherUserId, randomUUID(), 20_000);
    for (const { indexdef } of indexes) await bench.db.query(indexdef);
    await bench.db.query('vacuum analyze run_diary');
  });

  /** The rows that a request answers, and what PostgreSQL read for them. */
  const read = async (query: string, as = userId) => {
    const statements = jest.spyOn(PreparedReads.prototype, 'read');
    const { body } = await bench.call('GET', `run_diary?automation_id=eq.${automationId}&order=at.desc,id.desc&limit=50${query}`, as);
    const [{ text, values }] = statements.mock.calls.find(([statement]) => statement.text.includes('"run_diary"'))!;
    statements.mockRestore();
    const [{ 'QUERY PLAN': plans }] = await bench.db.query(`explain (analyze, format json) ${text}`, [...values]);
    const nodes: Json[] = [];
    const collect = (node: Json): void => {
      nodes.push(node);
      node.Plans?.forEach(collect);
    };
    collect(plans[0].Plan);
    const touched = nodes
      .filter((node) => node['Relation Name'] === 'run_diary')
      .reduce((sum, node) => sum + node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)), 0);
    return {
      rows: runDiaryRow.array().parse(body),
      indexes: nodes.flatMap((node) => node['Index Name'] ?? []).filter((index: string) => index.startsWith('run_diary')),
      touched,
    };
  };

  it('reads only the rows of a page, however far it is from the newest row', async () => {
    const first = await read('');
    expect(first).toMatchObject({ indexes: ['run_diary_newest'], touched: 50 });
    const seen = new Set(first.rows.map(({ id }) => id));
    const last = first.rows.at(-1)!;
    // Two rows of each minute have the same time.
    const at = encodeURIComponent(last.at);
    const second = await read(`&at=lte.${at}&or=(at.lt.${at},id.lt.${last.id})`);
    expect(second.rows).toHaveLength(50);
    expect(second.rows.filter(({ id }) => seen.has(id))).toEqual([]);
    expect(second.indexes).toEqual(['run_diary_newest']);
    expect(second.touched).toBeLessThanOrEqual(52);
    const far = '2026-10-20T00:00:00Z';
    const deep = await read(`&at=lte.${far}&or=(at.lt.${far},id.lt.${last.id})`);
    expect(deep.indexes).toEqual(['run_diary_newest']);
    expect(deep.touched).toBeLessThanOrEqual(52);
  });

  it.each([
    ['a rare outcome', '&outcome=eq.refused', 5, 'run_diary_by_outcome'],
    ['several rare outcomes', '&outcome=in.(refused,not_confirmed,unknown)', 5, 'run_diary_by_outcome'],
    ['a frequent outcome', '&outcome=eq.skipped', 50, 'run_diary_by_outcome'],
    ['a rare reason', '&skip_reason=eq.target_gone', 1, 'run_diary_by_skip'],
    ['a rare action', '&action=eq.unfollow', 1, 'run_diary_by_action'],
    ['an action that is not there', '&action=eq.message', 0, 'run_diary_by_action'],
    ['one run', `&run_id=eq.${rareRun}`, 1, 'run_diary_by_run'],
    ['a time', '&at=gte.2026-11-01T00:00:00Z&at=lt.2026-11-01T00:10:00Z', 20, 'run_diary_newest'],
    ['a name', '&target_username=ilike.*Pessoa%5C_77777*', 1, 'run_diary_by_name'],
    ['a part of a name', '&target_username=ilike.*_9999*', 19, 'run_diary_by_name'],
    ['a name of nobody', '&target_username=ilike.*fulana*', 0, 'run_diary_by_name'],
    ['what every name has', '&target_username=ilike.*pessoa*', 50, 'run_diary_newest'],
    ['two letters', '&target_username=ilike.*pe*', 50, 'run_diary_newest'],
  ])('finds %s by an index', async (_what, query, expected, index) => {
    const { rows, indexes, touched } = await read(query);
    expect(rows).toHaveLength(expected);
    expect(indexes).toEqual([index]);
    expect(touched).toBeLessThanOrEqual(500);
  });

  it('finds the same rows by a name as without the index, and no rows of another customer', async () => {
    const found = await read('&target_username=ilike.*soa_123*');
    expect(found.rows.map(({ target_username }) => target_username)).toEqual(
      (
        await bench.db.query(
          `select target_username from run_diary where automation_id = $1 and target_username like '%soa\\_123%' order by at desc, id desc limit 50`,
          [automationId],
        )
      ).map(({ target_username }: Json) => target_username),
    );
    expect((await read('&target_username=ilike.*pessoa_7*', otherUserId)).rows).toEqual([]);
  });
});
