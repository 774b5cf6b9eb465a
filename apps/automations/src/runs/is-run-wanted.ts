import { type Database, rowOf } from '@decola/database';
import { isPausedByCustomer } from '../accounts/account-pauses.js';
import { isUsableSession } from '../sessions/usable-session.js';

/**
 * Whether a run, or the visit of a new session, is still wanted: its automation exists and is on, the run was not given up, its session was
 * neither deleted nor replaced, and neither the account's quiet hours nor the customer's own pause have begun. Tries that an unwanted run
 * leaves without an outcome are looked at by the account's next run.
 */
export async function isRunWanted(
  db: Database,
  { runId, userId, accountKey }: { runId: string; userId: string; accountKey: string },
  now: Date,
): Promise<boolean> {
  const wanted = await rowOf(
    db,
    `select 1 from runs r join automations t on t.id = r.automation_id
     join instagram_sessions s on s.id = r.session_id
     where r.id = $1 and r.user_id = $2 and r.account_key = $3 and r.state in ('queued', 'running')
       and t.is_active and ${isUsableSession} and coalesce(r.ends_at > $4, true) and not ${isPausedByCustomer('$2', '$3', '$4')}
     union all
     select 1 from instagram_sessions s where s.check_run_id = $1 and s.user_id = $2 and s.is_active and s.envelope is not null`,
    [runId, userId, accountKey, now],
  );
  return wanted !== undefined;
}
