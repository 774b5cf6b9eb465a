import { actionFacts, type PayloadOf, returnedAction, type runActionDone } from '@decola/contracts';
import type { Database } from '@decola/database';

/**
 * Stores on the account's follow of a person whether they follow the account, as a run saw it in passing. What the follow's own report says is
 * from before the follow.
 */
export async function storeSight(
  db: Database,
  { accountKey, action, reservationId, settled, target, at }: PayloadOf<typeof runActionDone>,
  followsCustomer: boolean,
): Promise<void> {
  const { target: kind } = actionFacts[action];
  if (kind !== 'person' && kind !== 'story') return;
  if (action === returnedAction && !settled) {
    await db.query(`update account_actions set followed_before = $2 where id = $1`, [reservationId, followsCustomer]);
    return;
  }
  await db.query(
    `update account_actions set follows_back = $3, seen_again_at = $4
     where account_key = $1 and action = $5 and target_id = $2 and not is_key and coalesce(seen_again_at < $4, true)`,
    [accountKey, target.targetId, followsCustomer, at, returnedAction],
  );
}
