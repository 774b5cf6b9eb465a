import { type Database, rowsOf } from '@decola/database';
import { randomUUID } from 'node:crypto';
import type { SessionVault } from '../sessions/session-vault.service.js';

/** Makes the HMACs that replace people's ids in the ledger. */
export type LedgerKeys = Pick<SessionVault, 'targetKeyOf'>;

/** How long ledger entries of erased customers are kept, with an HMAC in place of the person's id. */
const ledgerKeyDays = 180;

/** Rows that one statement reduces. */
const batchRows = 1_000;

interface LedgerRow {
  account_key: string;
  action: string;
  target_id: string;
  author_id: string | null;
  state: string;
  reserved_at: Date;
}

/**
 * Reduces ledger rows to what protects the account: HMACs of the target's id and its author's, so that nobody gets the same action twice, and
 * the time, which counts against the ceilings. No name, text, proof, customer, automation or run is left. A try keeps counting as a try, whatever its
 * outcome.
 * @param condition SQL over account_actions; its parameters begin at $2
 */
export async function reduceLedger(db: Database, keys: LedgerKeys, condition: string, parameters: readonly unknown[]): Promise<void> {
  for (;;) {
    const rows = await rowsOf<LedgerRow>(
      db,
      `delete from account_actions where id in (select id from account_actions where not is_key and (${condition}) limit $1)
       returning account_key, action, target_id, author_id, state, reserved_at`,
      [batchRows, ...parameters],
    );
    if (rows.length === 0) return;
    const records = rows.map(({ account_key, action, target_id, author_id, state, reserved_at }) => ({
      id: randomUUID(),
      account_key,
      action,
      target_id: keys.targetKeyOf(account_key, target_id),
      author_id: author_id === null ? null : keys.targetKeyOf(account_key, author_id),
      state: state === 'skipped' ? 'skipped' : 'kept',
      run_id: randomUUID(),
      reserved_at,
    }));
    await db.query(
      `insert into account_actions (id, account_key, action, target_id, target_username, author_id, state, run_id, reserved_at, is_key)
       select id, account_key, action, target_id, '', author_id, state, run_id, reserved_at, true
       from jsonb_to_recordset($1::jsonb) as r (id uuid, account_key text, action text, target_id text, author_id text, state text,
         run_id uuid, reserved_at timestamptz)
       on conflict (account_key, action, target_id) do update set reserved_at = greatest(account_actions.reserved_at, excluded.reserved_at),
         author_id = coalesce(excluded.author_id, account_actions.author_id),
         state = case when excluded.state = 'kept' then 'kept' else account_actions.state end`,
      [JSON.stringify(records)],
    );
  }
}

/**
 * Removes from accounts without customers everything but their protection: blocks and pauses until their end, stops that lengthen pauses,
 * usage, the account's age, and the reduced ledger.
 */
export async function keepProtection(db: Database, keys: LedgerKeys, accountKeys: readonly string[], now: Date): Promise<void> {
  if (accountKeys.length === 0) return;
  await reduceLedger(db, keys, `account_key = any($2)`, [accountKeys]);
  await db.query(`delete from keep_list where account_key = any($1)`, [accountKeys]);
  await db.query(`update account_stops set run_id = gen_random_uuid() where account_key = any($1)`, [accountKeys]);
  await db.query(`update network_accounts set username = null, left_at = $2 where account_key = any($1)`, [accountKeys, now]);
}

/** Deletes what was kept for accounts without customers, after its time. @returns number of deleted rows */
export async function forgetProtection(db: Database, now: Date, step: number): Promise<number> {
  const before = new Date(now.getTime() - ledgerKeyDays * 86_400_000);
  const keys = await rowsOf(
    db,
    `delete from account_actions where ctid in (select ctid from account_actions where is_key and reserved_at < $1 limit ${step}) returning 1`,
    [before],
  );
  const accounts = await rowsOf(
    db,
    `delete from network_accounts where account_key in (
       select a.account_key from network_accounts a where a.left_at < $1 and (a.paused_until is null or a.paused_until <= $2)
         and not exists (select 1 from account_actions l where l.account_key = a.account_key)
         and not exists (select 1 from account_action_pauses p where p.account_key = a.account_key)
         and not exists (select 1 from instagram_accounts c where c.account_key = a.account_key)
         and not exists (select 1 from instagram_sessions s where s.account_key = a.account_key)
         and not exists (select 1 from automations t where t.account_key = a.account_key)
       limit ${step} for update skip locked)
     returning 1`,
    [before, now],
  );
  return keys.length + accounts.length;
}
