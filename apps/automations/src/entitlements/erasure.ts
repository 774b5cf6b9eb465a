import { automationDeleted, type AutomationType } from '@decola/contracts';
import { forgetMessages } from '@decola/messaging';
import { RestError } from '@decola/table-api';
import type { EntityManager } from 'typeorm';
import type { Announcer } from '../automations/announcer.js';
import { type Database, rowOf, rowsOf } from '../rows.js';

/**
 * Whether a customer is gone for good. Until the transaction ends nobody can erase them, so that what it writes is either erased with the
 * rest or not written at all.
 */
export async function isErased(db: Database, userId: string): Promise<boolean> {
  await db.query('select pg_advisory_xact_lock_shared(hashtextextended($1, 0))', [userId]);
  return (await rowOf(db, 'select 1 from entitlements where user_id = $1 and erased_at is not null', [userId])) !== undefined;
}

/** For writes of people: a token may outlive its account by a few seconds. @throws RestError when the account is gone. */
export async function requireNotErased(db: Database, userId: string): Promise<void> {
  if (await isErased(db, userId)) throw new RestError(403, '42501', 'the account does not exist any more');
}

/**
 * Forgets a customer: automations, sessions, runs and diary go, and so do messages about them. What an account of the network did stays
 * only while another customer uses the account, and then without a name for the one who left. Safe to run twice.
 */
export async function eraseUser(manager: EntityManager, announcer: Announcer, userId: string, now: Date): Promise<void> {
  await manager.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [userId]);
  // All that stays: that this id is gone, so that late news of it changes nothing.
  await manager.query(
    `insert into entitlements (user_id, erased_at) values ($1, $2)
     on conflict (user_id) do update set max_slots = 0, erased_at = coalesce(entitlements.erased_at, excluded.erased_at)`,
    [userId, now],
  );
  const gone = await rowsOf<{ id: string; user_id: string; type: AutomationType; account_key: string | null }>(
    manager,
    `delete from automations where user_id = $1 returning id, user_id, type, account_key`,
    [userId],
  );
  const accounts = await rowsOf<{ account_key: string }>(
    manager,
    `select account_key from unnest($2::text[]) as k (account_key)
     union select account_key from instagram_sessions where user_id = $1 and account_key is not null
     union select account_key from runs where user_id = $1
     union select account_key from account_actions where user_id = $1`,
    [userId, gone.flatMap(({ account_key }) => account_key ?? [])],
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
  // Jobs carry the sealed session, events the configuration: neither outlives the rows they came from.
  await forgetMessages(manager, [userId, ...gone.map(({ id }) => id)], { keep: [automationDeleted.type] });
  for (const row of gone) await announcer.deleted(manager, row);
}
