import { randomBytes, randomUUID } from 'node:crypto';
import { Scheduler } from '../src/schedule/scheduler.service.js';
import { Bench } from './support.js';

const accounts = 40;
const automationsPerAccount = 3;

describe('several schedulers at once', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.start({ SCHEDULER_BATCH: '7' });
    await bench.db.query(
      `insert into network_accounts (account_key, first_seen_at) select 'account-of-the-test-' || n, now() - interval '60 days' from generate_series(1, $1::int) n`,
      [accounts],
    );
    await bench.db.query(
      `with owners as (select gen_random_uuid() as user_id, 'account-of-the-test-' || n as account_key from generate_series(1, $1::int) n),
         given as (insert into instagram_sessions (user_id, account_key, network_user_id, envelope) select user_id, account_key, '77', 'v1.a.b.c' from owners)
       insert into automations (user_id, name, type, configuration, account_key, run_kind, frequency_ms, next_run_at)
       select user_id, 'x', 'auto-follow-unfollow', '{"action":"follow","method":"hashtag","targets":"#cafe","frequency":"1hour","rowsPerLaunch":3}',
         account_key, 'follow', 3600000, now() - interval '3 days' from owners, generate_series(1, $2::int)`,
      [accounts, automationsPerAccount],
    );
  });
  afterAll(() => bench?.stop());

  it('give each account one run at a time, and each automation its turn once', async () => {
    const scheduler = bench.app.get(Scheduler);
    for (let round = 1; round <= automationsPerAccount; round += 1) {
      await Promise.all(Array.from({ length: 5 }, () => scheduler.tick()));
      const open: { account_key: string; runs: number }[] = await bench.db.query(
        `select account_key, count(*)::int as runs from runs where state in ('queued', 'running') group by 1`,
      );
      expect(open).toHaveLength(accounts);
      expect(open.every(({ runs }) => runs === 1)).toBe(true);
      // All runs end; the automations that waited for them are due.
      await bench.db.query(`update runs set state = 'finished', finished_at = now() where state = 'queued'`);
      await bench.db.query(`update automations set next_run_at = now() where hold_code = 'account_busy'`);
    }
    const turns: { runs: number }[] = await bench.db.query('select automation_id, count(*)::int as runs from runs group by 1');
    expect(turns).toHaveLength(accounts * automationsPerAccount);
    expect(turns.every(({ runs }) => runs === 1)).toBe(true);
    expect(await bench.jobs()).toHaveLength(accounts * automationsPerAccount);
    // The missed runs of three days are not made up for.
    const [due] = await bench.db.query('select count(*)::int as due from automations where next_run_at <= now()');
    expect(due).toEqual({ due: 0 });
  });

  it('leave jobs to the relay as they are, neither compressed nor in a second table', async () => {
    const [row] = await bench.db.query(
      `insert into outbox (id, kind, queue, type, version, subject, payload) values ($1, 'job', 'no.queue', 'test', 1, 's', $2)
       returning pg_column_compression(payload) as compression, pg_column_size(payload) as bytes`,
      [randomUUID(), JSON.stringify({ envelope: randomBytes(1_500).toString('base64'), plan: 'a'.repeat(500) })],
    );
    expect(row.compression).toBeNull();
    expect(row.bytes).toBeGreaterThan(2_500);
  });
});
