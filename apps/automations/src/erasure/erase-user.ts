import { automationDeleted, type AutomationType } from '@decola/contracts';
import { rowsOf } from '@decola/database';
import { deleteOutboxMessagesAbout } from '@decola/messaging';
import type { EntityManager } from 'typeorm';
import type { AutomationEvents } from '../automation-state/automation-events.service.js';
import { lockForErasure } from '../customers/erased-customers.js';
import { keepProtection, type LedgerKeys, reduceLedger } from './kept-protection.js';

/** Tables whose rows of a customer are deleted. `automations` goes first, and the ledger is reduced instead. */
const erasedTables = [
  'instagram_sessions',
  'account_growth',
  'account_activity',
  'account_pauses',
  'instagram_accounts',
  'customers',
  'keep_list',
  'blog_automations',
  'runs',
  'run_diary',
  'previews',
  'run_pictures',
  'site_sightings',
  'session_check_tries',
  'own_list_readings',
];

/**
 * Erases a customer: automations, sessions, runs, the diary and messages about them. What protects their accounts of the network stays under
 * HMACs (docs/decisions/0022-protection-outlives-erasure.md). Idempotent.
 */
export async function eraseUser(
  manager: EntityManager,
  events: AutomationEvents,
  keys: LedgerKeys,
  userId: string,
  now: Date,
): Promise<void> {
  await lockForErasure(manager, userId);
  // This row stays, so that late events about the customer change nothing.
  await manager.query(
    `insert into entitlements (user_id, erased_at) values ($1, $2)
     on conflict (user_id) do update set max_slots = 0, erased_at = coalesce(entitlements.erased_at, excluded.erased_at)`,
    [userId, now],
  );
  const automations = await rowsOf<{ id: string; user_id: string; type: AutomationType; account_key: string | null }>(
    manager,
    `delete from automations where user_id = $1 returning id, user_id, type, account_key`,
    [userId],
  );
  const accounts = await rowsOf<{ account_key: string }>(
    manager,
    `select account_key from unnest($2::text[]) as k (account_key)
     union select account_key from instagram_accounts where user_id = $1
     union select account_key from instagram_sessions where user_id = $1 and account_key is not null
     union select account_key from runs where user_id = $1
     union select account_key from account_actions where user_id = $1`,
    [userId, automations.flatMap(({ account_key }) => account_key ?? [])],
  );
  for (const table of erasedTables) await manager.query(`delete from ${table} where user_id = $1`, [userId]);
  await reduceLedger(manager, keys, `user_id = $2`, [userId]);
  const withoutCustomers = await rowsOf<{ account_key: string }>(
    manager,
    `select k.account_key from unnest($1::text[]) as k (account_key)
     where not exists (select 1 from instagram_sessions s where s.account_key = k.account_key)
       and not exists (select 1 from instagram_accounts c where c.account_key = k.account_key)
       and not exists (select 1 from automations t where t.account_key = k.account_key)`,
    [accounts.map(({ account_key }) => account_key)],
  );
  await keepProtection(
    manager,
    keys,
    withoutCustomers.map(({ account_key }) => account_key),
    now,
  );
  // Jobs contain the sealed session, and events the configuration.
  await deleteOutboxMessagesAbout(manager, [userId, ...automations.map(({ id }) => id)], { keep: [automationDeleted.type] });
  for (const row of automations) await events.deleted(manager, row);
}
