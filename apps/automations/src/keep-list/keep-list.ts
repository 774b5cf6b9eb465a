import { actionFacts, type LedgerTarget, normaliseUsername, runActions } from '@decola/contracts';
import { type Database } from '@decola/database';

/*
 * People who are never unfollowed for an account. A row has the name that a customer listed, the person's id, or both. The rows of all
 * customers of an account protect, and so do rows without a customer, which the service inserts itself.
 */

/** Actions whose entries in the ledger name a person; the others name a post, a story or a comment. */
const actionsOnPeople = runActions.filter((action) => actionFacts[action].target === 'person');

/** Most people that a customer may list for one account: more than an account can follow. */
export const mostKept = 10_000;

/**
 * Normalises names as they are stored: lower case, without `@`, each once, in the customer's order.
 * @returns `problem`: the first text that is not a profile name
 */
export function keptNames(sent: readonly (string | null)[]): { names: string[] } | { problem: string } {
  const names = new Set<string>();
  for (const text of sent) {
    const name = normaliseUsername(text ?? '');
    if (name === null) return { problem: text ?? '' };
    names.add(name);
  }
  return { names: [...names] };
}

/**
 * Replaces the rows of a customer's list, and adds the ids of people whom the account's ledger knows: names may change.
 * @param people listed people whose ids are known
 */
export async function storeKeepList(
  db: Database,
  { userId, accountKey }: { userId: string; accountKey: string },
  names: readonly string[],
  people: readonly LedgerTarget[] = [],
): Promise<void> {
  await db.query(`delete from keep_list where user_id = $1 and account_key = $2 and username <> all($3)`, [userId, accountKey, names]);
  await db.query(
    `insert into keep_list (account_key, user_id, username) select $2, $1, name from unnest($3::text[]) as n (name) on conflict do nothing`,
    [userId, accountKey, names],
  );
  await db.query(
    `update keep_list k set target_id = p.id from unnest($3::text[], $4::text[]) as p (id, name)
     where k.user_id = $1 and k.account_key = $2 and k.username = p.name and k.target_id is null`,
    [userId, accountKey, people.map(({ targetId }) => targetId), people.map(({ username }) => username.toLowerCase())],
  );
  await addKeptIds(db, accountKey);
}

/** Adds the ids of listed people whom the ledger knows by now. @param accountKey null: of all accounts */
export async function addKeptIds(db: Database, accountKey: string | null): Promise<void> {
  await db.query(
    `update keep_list k set target_id = known.target_id
     from (select distinct on (n.id) n.id, l.target_id from keep_list n
           join account_actions l on l.account_key = n.account_key and lower(l.target_username) = n.username and not l.is_key
             and l.action = any($2)
           where n.target_id is null and n.username is not null and ($1::text is null or n.account_key = $1)
           order by n.id, l.reserved_at desc) known
     where k.id = known.id`,
    [accountKey, actionsOnPeople],
  );
}

/** Protects people whom the customer follows by their own choice by now. No customer is named in these rows. */
export async function keepForAccount(db: Database, accountKey: string, targetIds: readonly string[]): Promise<void> {
  await db.query(
    `insert into keep_list (account_key, target_id) select $1, target_id from unnest($2::text[]) as p (target_id)
     where not exists (select 1 from keep_list k where k.account_key = $1 and k.target_id = p.target_id)`,
    [accountKey, targetIds],
  );
}

/**
 * SQL: the person of a row is on the account's keep list.
 * @param row alias of a row with `account_key` and `target_id`
 * @param username its column with the person's name
 */
export function isKept(row: string, username: string): string {
  return `exists (select 1 from keep_list k where k.account_key = ${row}.account_key
    and (k.target_id = ${row}.target_id or k.username = lower(${row}.${username})))`;
}
