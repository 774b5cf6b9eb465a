import { type Database, rowOf } from '../rows.js';

/**
 * Whether a run, or the visit of a new session, is still wanted: its automation is there and on, nobody gave it up, and its own session
 * was not taken away or replaced. What it leaves open is looked at by the account's next run.
 */
export async function mayGoOn(
  db: Database,
  { runId, userId, accountKey }: { runId: string; userId: string; accountKey: string },
): Promise<boolean> {
  const wanted = await rowOf(
    db,
    `select 1 from runs r join automations t on t.id = r.automation_id
     join instagram_sessions s on s.id = r.session_id
     where r.id = $1 and r.user_id = $2 and r.account_key = $3 and r.state in ('queued', 'running')
       and t.is_active and s.is_active and s.envelope is not null
     union all
     select 1 from instagram_sessions s where s.check_run_id = $1 and s.user_id = $2 and s.account_key = $3
       and s.is_active and s.envelope is not null`,
    [runId, userId, accountKey],
  );
  return wanted !== undefined;
}
