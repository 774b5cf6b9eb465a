import type { RunAction } from '@decola/contracts';
import type { Database } from '@decola/database';
import { timeZoneOfRow } from '../customers/customer-settings.js';

/** Columns of `account_activity`. */
export type CountedOutcome = 'confirmed' | 'skipped' | 'refused' | 'unconfirmed';

/** Whose action is counted. */
interface Actor {
  userId: string;
  accountKey: string;
  action: RunAction;
}

/** SQL over a row `t` of instagram_accounts: the day of `$3` in the customer's time zone. */
const day = `($3::timestamptz at time zone ${timeZoneOfRow})::date`;

/** Counts one action on the day of `at` in the customer's time zone. Nothing is stored for a customer who deleted the account. */
export async function countActivity(db: Database, actor: Actor, outcome: CountedOutcome, at: Date): Promise<void> {
  await db.query(
    `insert into account_activity (user_id, instagram_account_id, day, action, ${outcome})
     select t.user_id, t.id, ${day}, $4, 1 from instagram_accounts t where t.user_id = $1 and t.account_key = $2
     on conflict (instagram_account_id, day, action) do update set ${outcome} = account_activity.${outcome} + 1`,
    [actor.userId, actor.accountKey, at, actor.action],
  );
}

/**
 * Counts an action whose outcome became known, or changed after a look.
 * @param before as what it was counted; null when it was not
 * @param triedAt when the action was tried: it counts on that day, whenever its outcome became known
 */
export async function moveActivity(
  db: Database,
  actor: Actor,
  before: CountedOutcome | null,
  after: CountedOutcome | null,
  triedAt: Date,
): Promise<void> {
  if (before === after) return;
  if (before !== null) await uncountActivity(db, actor, before, triedAt);
  if (after !== null) await countActivity(db, actor, after, triedAt);
}

async function uncountActivity(db: Database, { userId, accountKey, action }: Actor, outcome: CountedOutcome, at: Date): Promise<void> {
  await db.query(
    `update account_activity d set ${outcome} = ${outcome} - 1 from instagram_accounts t
     where t.user_id = $1 and t.account_key = $2 and d.instagram_account_id = t.id and d.day = ${day} and d.action = $4 and ${outcome} > 0`,
    [userId, accountKey, at, action],
  );
}
