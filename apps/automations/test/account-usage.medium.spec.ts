import { accountUsageRow, type AccountUsageRow, actionFacts, instagramAccountRow, runActions, usageKinds } from '@decola/contracts';
import { randomUUID } from 'node:crypto';
import { ceilingsOf, defaultCeilings } from '../src/safety/ceilings.js';
import { addPages, usageOf } from '../src/safety/usage.js';
import { Bench, followConfiguration, networkId } from './support.js';

const minuteMs = 60_000;
const dayMs = 86_400_000;

describe('account_usage', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.start();
  });
  afterAll(() => bench?.stop());

  const ago = (ms: number) => new Date(Date.now() - ms);
  const accountOf = async (userId: string) => {
    await bench.made(userId);
    const [account] = await bench.db.query(`select id, account_key from instagram_accounts where user_id = $1`, [userId]);
    return account as { id: string; account_key: string };
  };
  const did = (accountKey: string, action: string, at: Date, state = 'confirmed') =>
    bench.db.query(
      `insert into account_actions (id, account_key, action, target_id, target_username, state, run_id, reserved_at)
       values ($1, $2, $3, $4, 'alguem', $5, $1, $6)`,
      [randomUUID(), accountKey, action, networkId(), state, at],
    );
  const usage = async (userId: string): Promise<AccountUsageRow[]> =>
    accountUsageRow.array().parse((await bench.call('GET', 'account_usage?order=action', userId)).body);

  it('counts each kind like the ceilings, and has a row also for kinds without usage', async () => {
    const userId = await bench.customer(1);
    const { id, account_key: key } = await accountOf(userId);
    for (const minutes of [1, 59, 61, 23 * 60]) await did(key, 'follow', ago(minutes * minuteMs));
    await did(key, 'follow', ago(25 * 60 * minuteMs));
    await did(key, 'unfollow', ago(minuteMs), 'skipped');
    await did(key, 'unfollow', ago(minuteMs), 'reserved');
    await addPages(bench.db.manager, key, { pages: 4, views: 9 }, ago(2 * minuteMs));
    await addPages(bench.db.manager, key, { pages: 2, views: 3 }, ago(3 * 60 * minuteMs));
    const rows = await usage(userId);
    expect(rows.map(({ action }) => action).sort()).toEqual([...usageKinds].sort());
    const used = Object.fromEntries(rows.map(({ action, hour_used, day_used }) => [action, [hour_used, day_used]]));
    expect(used).toMatchObject({ follow: [2, 4], unfollow: [1, 1], like: [0, 0], 'list-page': [4, 6], 'page-view': [9, 12] });
    const { hour, day } = (await usageOf(bench.db.manager, [key], new Date())).get(key)!;
    for (const kind of usageKinds) expect([kind, used[kind]]).toEqual([kind, [hour[kind] ?? 0, day[kind] ?? 0]]);
    expect(rows.every((row) => row.user_id === userId && row.instagram_account_id === id)).toBe(true);
    expect((await bench.call('GET', `account_usage?select=day_used&id=eq.${rows[0]!.id}`, userId)).body).toEqual([
      { day_used: rows[0]!.day_used },
    ]);
  });

  it('counts every action towards the ceiling that its facts name', async () => {
    const userId = await bench.customer(1);
    const { account_key: key } = await accountOf(userId);
    for (const action of runActions) await did(key, action, ago(minuteMs));
    const expected = Object.fromEntries(
      usageKinds.map((kind) => [kind, runActions.filter((action) => actionFacts[action].ceiling === kind).length]),
    );
    expect(expected['comment']).toBe(2);
    const used = (await usage(userId)).map(({ action, hour_used }) => [action, hour_used]);
    expect(Object.fromEntries(used)).toEqual(expected);
    const { hour } = (await usageOf(bench.db.manager, [key], new Date())).get(key)!;
    for (const kind of usageKinds) expect([kind, hour[kind] ?? 0]).toEqual([kind, expected[kind]]);
  });

  it('shows the ceilings in force: by age, and halved after a block', async () => {
    const userId = await bench.customer(1);
    const { account_key: key } = await accountOf(userId);
    for (const days of [0.5, 2.9, 3.1, 13.9, 14.1, 400])
      for (const blocked of [null, 1, 13, 15]) {
        const account = { firstSeenAt: ago(days * dayMs), lastBlockAt: blocked === null ? null : ago(blocked * dayMs) };
        await bench.db.query(`update network_accounts set first_seen_at = $2, last_block_at = $3 where account_key = $1`, [
          key,
          account.firstSeenAt,
          account.lastBlockAt,
        ]);
        const { perHour, perDay } = ceilingsOf(defaultCeilings, account, new Date());
        for (const row of await usage(userId))
          expect([days, blocked, row.action, row.hour_ceiling, row.day_ceiling]).toEqual([
            days,
            blocked,
            row.action,
            perHour[row.action],
            perDay[row.action],
          ]);
      }
  });

  it('shows customers neither the usage of an account that they have not proven, nor that of others', async () => {
    const [owner, stranger] = await Promise.all([bench.customer(1), bench.customer(1)]);
    const account = await accountOf(owner);
    expect(await usage(stranger)).toEqual([]);
    expect((await bench.call('GET', `account_usage?user_id=eq.${owner}`, stranger)).body).toEqual([]);
    expect((await bench.call('GET', 'account_usage', null)).status).toBe(401);
    await bench.db.query(`update instagram_accounts set proven_at = null where id = $1`, [account.id]);
    expect(await usage(owner)).toEqual([]);
  });

  it.each(['account_usage', 'account_growth'])('lets nobody write %s', async (table) => {
    const userId = await bench.customer(1);
    await accountOf(userId);
    const path = `${table}?user_id=eq.${userId}`;
    expect((await bench.call('POST', table, userId, { user_id: userId })).status).toBe(403);
    expect((await bench.call('PATCH', path, userId, { user_id: userId })).status).toBe(403);
    expect((await bench.call('DELETE', path, userId)).status).toBe(403);
  });

  it('is cheap to read for somebody with 1,000 automations and a long ledger', async () => {
    const userId = await bench.customer(1);
    const accounts: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      const { id } = (await bench.create(userId, { is_draft: true, is_active: false, configuration: followConfiguration() })).body;
      const [row] = await bench.db.query(`select configuration ->> 'sessionAccount' as account from automations where id = $1`, [id]);
      const [known] = await bench.db.query(`select account_key from instagram_accounts where network_user_id = $1`, [row.account]);
      accounts.push(known.account_key);
    }
    await bench.db.query(
      `insert into automations (user_id, name, type, is_active, account_key, pause_cause, pause_reason, pause_since)
       select $1, 'Automação ' || n, 'auto-follow-unfollow', n % 2 = 0, ($2::text[])[1 + n % 5], cause, case when cause is not null then 'x' end,
         case when cause is not null then now() end
       from generate_series(1, 1000) n, lateral (select case when n % 4 = 1 then 'challenge' end) as paused (cause)`,
      [userId, accounts],
    );
    await bench.db.query(
      `insert into account_actions (id, account_key, action, target_id, target_username, state, run_id, reserved_at)
       select gen_random_uuid(), k, 'follow', n::text, 'alguem', 'confirmed', gen_random_uuid(), now() - n * interval '20 minutes'
       from unnest($1::text[]) k, generate_series(1, 8000) n`,
      [accounts],
    );
    await bench.db.query(
      `insert into account_growth (user_id, instagram_account_id, day, followers, seen_at)
       select user_id, id, current_date - n, n, now() - n * interval '1 day' from instagram_accounts, generate_series(0, 399) n where user_id = $1`,
      [userId],
    );
    await bench.db.query('analyze');
    const explained = async (query: string) => {
      const rows = await bench.db.query(`explain (analyze, buffers, format json) ${query}`, [userId]);
      const [{ Plan: plan, 'Execution Time': ms }] = rows[0]['QUERY PLAN'];
      return { ms: ms as number, buffers: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'], text: JSON.stringify(plan) };
    };
    const counted = await explained('select * from account_usage t where t.user_id = $1');
    expect(counted.text).not.toMatch(/"Node Type":"Seq Scan"[^{}]*"Relation Name":"account_actions"/);
    expect(counted.text).toContain('account_actions_usage');
    // 40,000 entries of the ledger: only those of a day are read.
    expect(counted.buffers).toBeLessThan(2_000);
    const grown = await explained('select * from account_growth t where t.user_id = $1 order by day desc limit 90');
    expect(grown.text).toContain('account_growth_by_owner');
    expect(grown.buffers).toBeLessThan(300);
    expect((await usage(userId)).find(({ action }) => action === 'follow')).toMatchObject({ hour_used: 2, day_used: 71 });
    // One read returns which automations a new session switches on again.
    const read = instagramAccountRow.array().parse((await bench.call('GET', 'instagram_accounts', userId)).body);
    expect(read.map(({ revives }) => revives.length)).toEqual([50, 50, 50, 50, 50]);
  });
});
