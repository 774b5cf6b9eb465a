import type { LedgerTarget } from '@decola/contracts';
import { type Database, rowsOf } from '@decola/database';

/** A public answer that comes later would surprise people. */
const longestDelayHours = 24;

/**
 * People to whom each account has sent a message whose public answer it has not tried: the run ended in between, or the message was proved later.
 * The post is the one on which they commented.
 * @returns by account key, those who wait longest coming first
 */
export async function owedAnswersOf(db: Database, accountKeys: readonly string[], now: Date): Promise<Map<string, LedgerTarget[]>> {
  const rows = await rowsOf<{ account_key: string; target_id: string; username: string; post_code: string }>(
    db,
    `select m.account_key, m.target_id, m.target_username as username, m.post_code from account_actions m
     where m.account_key = any($1) and m.action = 'message' and m.reserved_at > $2::timestamptz - $3 * interval '1 hour'
       and m.state = 'confirmed' and m.post_code is not null
       and not exists (
         select 1 from account_actions r where r.account_key = m.account_key and r.action = 'reply' and r.reserved_at >= m.reserved_at
           and r.author_id = m.target_id and r.post_code = m.post_code)
     order by m.reserved_at`,
    [accountKeys, now, longestDelayHours],
  );
  const owed = new Map<string, LedgerTarget[]>();
  for (const { account_key, target_id, username, post_code } of rows) {
    const target = { targetId: target_id, username, postCode: post_code };
    const known = owed.get(account_key);
    if (known) known.push(target);
    else owed.set(account_key, [target]);
  }
  return owed;
}
