import { type AutomationType, productTimeZone, type RunKind } from '@decola/contracts';
import { type Database, rowsOf } from '@decola/database';
import { isContested } from '../accounts/account-proof.js';
import { productLocale } from '../customers/customer-settings.js';
import { type QuietHours, quietHoursOf } from '../safety/quiet-hours.js';
import { type PauseCause, sessionCauses } from '../safety/stops.js';
import { literal } from '../texts/sentence-sql.js';
import { runModules } from '../tools/registry.js';
import type { DueAutomation } from './decide.js';

interface DueRow {
  id: string;
  user_id: string;
  type: AutomationType;
  configuration: Record<string, unknown>;
  next_run_at: Date;
  account_key: string | null;
  run_kind: RunKind;
  run_count: number;
  next_is_interactive: boolean;
  remaining_budget: number | null;
  source_offset: number;
  session_id: string | null;
  envelope: string | null;
  network_user_id: string | null;
  check_ends_at: Date | null;
  quiet_from: string | null;
  quiet_to: string | null;
  own_paused_until: Date | null;
  is_unproven: boolean;
  time_zone: string | null;
  locale: string | null;
  session_cause: PauseCause | null;
  first_seen_at: Date | null;
  last_block_at: Date | null;
  paused_cause: PauseCause | null;
  paused_since: Date | null;
  paused_until: Date | null;
}

/**
 * Claims up to `limit` due automations, those that are due longest coming first, with everything that `decide` needs of them. Rows that another
 * replica has locked are skipped; the claim ends with the transaction. Kinds of runs that only a newer replica knows are left to it.
 * @param usualQuietHours for accounts whose customer has set none
 */
export function claimDue(db: Database, limit: number, usualQuietHours: QuietHours, now: Date): Promise<DueAutomation[]> {
  const due = `is_active and next_run_at <= $1 and run_kind = any($3) order by next_run_at limit $2 for update skip locked`;
  return loadAutomations(db, due, [limit, Object.keys(runModules)], usualQuietHours, now);
}

/** Loads automations that this transaction has claimed once more, as they and everything around them are by now. */
export function loadClaimed(db: Database, ids: readonly string[], usualQuietHours: QuietHours, now: Date): Promise<DueAutomation[]> {
  return loadAutomations(db, 'id = any($2)', [ids], usualQuietHours, now);
}

/**
 * The same of one automation, as if it were due now, whether it is on or off or a draft; undefined when it needs no runs. It is not claimed.
 * @param usualQuietHours for accounts whose customer has set none
 */
export async function loadAsIfDue(db: Database, id: string, usualQuietHours: QuietHours, now: Date): Promise<DueAutomation | undefined> {
  const [automation] = await loadAutomations(db, 'id = $2 and run_kind = any($3)', [id, Object.keys(runModules)], usualQuietHours, now);
  return automation && { ...automation, dueAt: now };
}

/** @param condition of rows of `automations`; its parameters begin with $2, and $1 is `now` */
async function loadAutomations(
  db: Database,
  condition: string,
  parameters: readonly unknown[],
  usualQuietHours: QuietHours,
  now: Date,
): Promise<DueAutomation[]> {
  const rows = await rowsOf<DueRow>(
    db,
    `with due as materialized (
       select id, user_id, type, configuration, next_run_at, account_key, run_kind, run_count, next_is_interactive, remaining_budget,
         source_offset
       from automations where ${condition})
     select t.*, s.id as session_id, s.envelope, s.network_user_id,
       case when s.held_cause is null and not ${isContested} then s.check_ends_at
         else greatest(s.check_ends_at, s.check_again_at, $1::timestamptz + interval '1 minute') end as check_ends_at,
       c.quiet_from, c.quiet_to, c.paused_until as own_paused_until, c.user_id is not null and c.proven_at is null as is_unproven, u.time_zone, u.locale,
       case when s.id is null then coalesce(case when c.proven_at is not null then a.session_needed_cause end, (select e.ended_cause from instagram_sessions e
         where e.user_id = t.user_id and e.account_key = t.account_key and e.ended_cause in (${sessionCauses.map(literal).join(', ')})
         order by e.ended_at desc limit 1)) end as session_cause,
       a.first_seen_at, a.last_block_at, a.paused_cause, a.paused_since, a.paused_until
     from due t
     left join network_accounts a on a.account_key = t.account_key
     left join instagram_sessions s on s.user_id = t.user_id and s.account_key = t.account_key and s.is_active and s.envelope is not null
     left join instagram_accounts c on c.user_id = t.user_id and c.account_key = t.account_key
     left join customers u on u.user_id = t.user_id
     order by t.next_run_at, t.id`,
    [now, ...parameters],
  );
  return rows.map((row) => ({
    id: row.id,
    userId: row.user_id,
    type: row.type,
    configuration: row.configuration,
    dueAt: row.next_run_at,
    accountKey: row.account_key,
    kind: row.run_kind,
    runCount: row.run_count,
    isInteractive: row.next_is_interactive,
    remainingBudget: row.remaining_budget,
    session:
      row.session_id && row.envelope && row.network_user_id
        ? { id: row.session_id, envelope: row.envelope, networkUserId: row.network_user_id, checkEndsAt: row.check_ends_at }
        : null,
    sessionCause: row.session_cause,
    quietHours: quietHoursOf({ from: row.quiet_from, to: row.quiet_to }, usualQuietHours),
    ownPausedUntil: row.own_paused_until,
    isUnproven: row.is_unproven,
    timeZone: row.time_zone ?? productTimeZone,
    locale: row.locale ?? productLocale,
    account: row.first_seen_at && {
      firstSeenAt: row.first_seen_at,
      lastBlockAt: row.last_block_at,
      pausedCause: row.paused_cause,
      pausedSince: row.paused_since,
      pausedUntil: row.paused_until,
    },
    sourceOffset: row.source_offset,
  }));
}
