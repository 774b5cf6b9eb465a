import type { AutomationType } from '@decola/contracts';
import type { EntityManager } from 'typeorm';
import type { Announcer } from '../automations/announcer.js';
import { rowsOf } from '../rows.js';

/**
 * Forgets a customer: automations, sessions, runs and diary go. What an account of the network did stays only while another
 * customer uses the account, and then without a name for the one who left.
 */
export async function eraseUser(manager: EntityManager, announcer: Announcer, userId: string, now: Date): Promise<void> {
  await manager.query(
    `insert into entitlements (user_id, erased_at) values ($1, $2) on conflict (user_id) do update set max_slots = 0, erased_at = excluded.erased_at`,
    [userId, now],
  );
  const gone = await rowsOf<{ id: string; user_id: string; type: AutomationType }>(
    manager,
    `delete from automations where user_id = $1 returning id, user_id, type`,
    [userId],
  );
  for (const row of gone) await announcer.deleted(manager, row);
  const accounts = await rowsOf<{ account_key: string }>(
    manager,
    `select distinct account_key from instagram_sessions where user_id = $1 and account_key is not null
     union select distinct account_key from account_actions where user_id = $1`,
    [userId],
  );
  for (const table of ['instagram_sessions', 'blog_automations', 'runs', 'run_diary']) {
    await manager.query(`delete from ${table} where user_id = $1`, [userId]);
  }
  await manager.query(`update account_actions set user_id = null, automation_id = null where user_id = $1`, [userId]);
  const orphans = await rowsOf<{ account_key: string }>(
    manager,
    `select k.account_key from unnest($1::text[]) as k (account_key)
     where not exists (select 1 from instagram_sessions s where s.account_key = k.account_key)
       and not exists (select 1 from automations t where t.account_key = k.account_key)`,
    [accounts.map(({ account_key }) => account_key)],
  );
  const keys = orphans.map(({ account_key }) => account_key);
  for (const table of ['account_actions', 'account_stops', 'account_action_pauses', 'account_pages', 'keep_list', 'network_accounts']) {
    await manager.query(`delete from ${table} where account_key = any($1)`, [keys]);
  }
}
