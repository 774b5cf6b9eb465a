import { migrations } from '../src/migrations/index.js';
import { Bench } from './support.js';

describe('the migrations of accounts', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.start();
  });
  afterAll(() => bench?.stop());

  it('can be applied and reverted, and keep existing accounts, stops, keep lists and diaries', async () => {
    const query = bench.db.createQueryRunner();
    const from = migrations.findIndex(({ name }) => name === 'ConnectAccounts1764100000000');
    const newer = migrations.slice(from).map((Migration) => new Migration());
    for (const migration of [...newer].reverse()) await migration.down(query);
    await query.query(`insert into network_accounts (account_key, first_seen_at, session_needed_cause, session_needed_since) values
      ('account-that-waits', now() - interval '9 days', 'challenge', now() - interval '2 days'),
      ('account-that-goes-on', now() - interval '9 days', 'challenge', now() - interval '2 days')`);
    await query.query(`insert into instagram_sessions (user_id, account_key, network_user_id, envelope, is_active, created_at, ended_at, ended_cause) values
      ('00000000-0000-4000-8000-000000000001', 'account-that-waits', '1', null, false, now() - interval '9 days', now() - interval '2 days', 'challenge'),
      ('00000000-0000-4000-8000-000000000002', 'account-that-goes-on', '2', null, false, now() - interval '9 days', now() - interval '2 days', 'challenge'),
      ('00000000-0000-4000-8000-000000000002', 'account-that-goes-on', '2', 'v1.a', true, now() - interval '1 day', null, null)`);
    const [user, automation, run] = [
      '00000000-0000-4000-8000-000000000002',
      '00000000-0000-4000-8000-00000000000a',
      '00000000-0000-4000-8000-00000000000b',
    ];
    await query.query(
      `insert into runs (id, automation_id, automation_type, user_id, account_key, session_id, kind, queue, plan, budget, state, outcome, queued_at, expires_at)
       values ($1, $2, 'auto-follow-unfollow', $3, 'account-that-goes-on', $1, 'follow', 'q', '{}', 1, 'finished', 'done', now(), now())`,
      [run, automation, user],
    );
    await query.query(
      `insert into run_diary (automation_id, user_id, run_id, reservation_id, action, target_id, target_username, outcome, proof, settled, at)
       select $1, $2, $3, reservation::uuid, 'follow', '1', 'bia', outcome, '{}', settled, now() - interval '1 hour' * hours
       from (values ('00000000-0000-4000-8000-0000000000c1', 'not_confirmed', false, 3), ('00000000-0000-4000-8000-0000000000c1', 'confirmed', true, 2),
         ('00000000-0000-4000-8000-0000000000c2', 'refused', false, 2), (null, 'skipped', false, 2), (null, 'skipped', false, 2),
         ('00000000-0000-4000-8000-0000000000c3', 'unknown', true, 2)) as d (reservation, outcome, settled, hours)`,
      [automation, user, run],
    );
    await query.query(`update network_accounts set paused_cause = 'limited', paused_since = now(), paused_until = now() + interval '1 hour'
      where account_key = 'account-that-goes-on'`);
    await query.query(`insert into keep_list (account_key, target_id) values ('account-that-waits', '77')`);
    for (const migration of newer) await migration.up(query);

    expect(
      await query.query(`select c.account_key, c.network_user_id, c.stop_cause, c.stopped_at = a.session_needed_since as since, a.session_needed_cause
        from instagram_accounts c join network_accounts a using (account_key) order by 1`),
    ).toEqual([
      { account_key: 'account-that-goes-on', network_user_id: '2', stop_cause: null, since: null, session_needed_cause: null },
      { account_key: 'account-that-waits', network_user_id: '1', stop_cause: 'challenge', since: true, session_needed_cause: 'challenge' },
    ]);
    expect(await query.query('select account_key, target_id, username from keep_list')).toEqual([
      { account_key: 'account-that-waits', target_id: '77', username: null },
    ]);
    expect(await query.query('select distinct kind from run_diary')).toEqual([{ kind: 'follow' }]);
    // An action that was looked at later counts once. The diary may have begun yesterday.
    expect(
      await query.query(`select user_id, action, sum(confirmed)::int as confirmed, sum(skipped)::int as skipped, sum(refused)::int as refused,
        sum(unconfirmed)::int as unconfirmed from account_activity group by 1, 2`),
    ).toEqual([{ user_id: user, action: 'follow', confirmed: 1, skipped: 2, refused: 1, unconfirmed: 0 }]);
    expect(await query.query(`select user_id, cause, part, until is null as is_open from account_pauses order by user_id`)).toEqual([
      { user_id: '00000000-0000-4000-8000-000000000001', cause: 'challenge', part: null, is_open: true },
      { user_id: user, cause: 'limited', part: null, is_open: false },
    ]);
    await query.release();
  });
});
