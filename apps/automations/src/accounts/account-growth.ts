import type { ProfileCounters } from '@decola/contracts';
import type { Database } from '@decola/database';
import { browserSettingsOf } from '../customers/customer-settings.js';

/**
 * Stores what a run saw on the account's own profile, under the day in the customer's time zone. A later run of the same day replaces the
 * values, except for numbers that its page did not show. Nothing is stored for a customer who deleted the account.
 */
export async function storeGrowth(
  db: Database,
  { userId, accountKey }: { userId: string; accountKey: string },
  { followers, following, posts, seenAt }: ProfileCounters,
): Promise<void> {
  if (followers === null && following === null && posts === null) return;
  const { timeZone } = await browserSettingsOf(db, userId);
  await db.query(
    `insert into account_growth (user_id, instagram_account_id, day, followers, following, posts, seen_at)
     select user_id, id, ($3::timestamptz at time zone $4)::date, $5, $6, $7, $3
     from instagram_accounts where user_id = $1 and account_key = $2
     on conflict (instagram_account_id, day) do update set followers = coalesce(excluded.followers, account_growth.followers),
       following = coalesce(excluded.following, account_growth.following), posts = coalesce(excluded.posts, account_growth.posts),
       seen_at = excluded.seen_at
     where account_growth.seen_at < excluded.seen_at`,
    [userId, accountKey, seenAt, timeZone, followers, following, posts],
  );
}
