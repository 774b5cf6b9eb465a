import { raw, type Sql, sql } from '@decola/table-api';
import { timeZoneOfRow } from '../customers/customer-settings.js';
import { type CeilingTable, warmUpDays } from '../safety/ceilings.js';
import { ownerCauses, type PauseCause, sessionCauses } from '../safety/stops.js';
import { instantSql, literal, sentenceSql } from '../texts/sentence-sql.js';
import { accountTexts, pauseSentence, sessionProgressTexts } from '../texts/texts.js';
import { afterResolvedMs } from './session-stops.js';

/*
 * Computed columns of accounts, as SQL over a row `t` of (user_id, account_key).
 */

/** Pauses of a whole account that end by themselves. */
const accountCauses = [
  'action_blocked',
  'action_blocked_long',
  'unrecognised',
  'limited',
  'rate_limited',
  'site_trouble',
] as const satisfies PauseCause[];

const resolvedAfter = `interval '${afterResolvedMs / 1000} seconds'`;

export const written = (instant: string) => instantSql(instant, timeZoneOfRow);

/**
 * The sentence of a pause, with the instants that are stored now.
 * @param causes all that `cause` may be
 * @param cause, since, until SQL expressions
 */
export function pauseSentenceSql(causes: readonly PauseCause[], cause: string, since: string, until: string | null): string {
  const sentenceOf = (each: PauseCause) => {
    const withoutEnd = sentenceSql((from = '') => pauseSentence(each, from, null), written(since));
    if (until === null) return withoutEnd;
    const withEnd = sentenceSql((from = '', to = '') => pauseSentence(each, from, to), written(since), written(until));
    return `case when ${until} is null then ${withoutEnd} else ${withEnd} end`;
  };
  return `case ${cause} ${causes.map((each) => `when ${literal(each)} then ${sentenceOf(each)}`).join(' ')} end`;
}

/** One value of the active session. */
function ofSession(value: string): string {
  return `(select ${value} from instagram_sessions s where s.user_id = t.user_id and s.account_key = t.account_key and s.is_active)`;
}

/** One value of the session that ended last. */
function ofEndedSession(value: string): string {
  return `(select ${value} from instagram_sessions s where s.user_id = t.user_id and s.account_key = t.account_key and not s.is_active
    and s.ended_cause in (${sessionCauses.map(literal).join(', ')}) order by s.ended_at desc limit 1)`;
}

/** One value of this customer's stop. */
function ofStop(value: string): string {
  return `(select ${value} from instagram_accounts c where c.user_id = t.user_id and c.account_key = t.account_key and c.stop_cause is not null)`;
}

const isSessionKept = `exists (select 1 from instagram_sessions s where s.user_id = t.user_id and s.account_key = t.account_key and s.envelope is not null)`;

const checkAfterResolved = ofStop(written(`c.resolved_at + ${resolvedAfter}`));

/** What we do since the customer gave a session after a stop, or said that they resolved it, as a sentence; null when they did neither. */
export const sessionProgress = `case
  when ${ofSession(`s.held_cause is not null and s.check_reason is not null`)} then ${ofSession('s.check_reason')}
  when ${ofSession('s.held_cause is not null')} then ${literal(sessionProgressTexts.checking)}
  when ${ofStop('c.resolved_at is not null')} and ${isSessionKept} then ${sentenceSql(sessionProgressTexts.sameSessionIsChecked, checkAfterResolved)}
  when ${ofStop('c.resolved_at is not null')} then ${sentenceSql(sessionProgressTexts.sameSessionMayBePasted, checkAfterResolved)}
  end`;

/** `@name` of the account, or its number until the name is known. */
export const accountName = `coalesce((select s.username from instagram_sessions s where s.user_id = t.user_id and s.account_key = t.account_key
  order by s.is_active desc, s.created_at desc limit 1), t.network_user_id)`;

export const checkState = `coalesce(${ofSession('s.check_state')}, (select s.check_state from instagram_sessions s
  where s.user_id = t.user_id and s.account_key = t.account_key order by s.created_at desc limit 1))`;

/** When a session of the account is checked next; null when no check is planned. */
export const nextCheckAt = `coalesce(${ofSession('s.check_again_at')},
  case when t.resolved_at is not null and ${isSessionKept} and not exists (select 1 from instagram_sessions s
    where s.user_id = t.user_id and s.account_key = t.account_key and s.is_active) then t.resolved_at + ${resolvedAfter} end)`;

/** The automations that a new session of the account switches on again (`AutomationPauses.resumePausedFor`). Finished lists stay finished. */
export const revivedAutomations = `(select coalesce(jsonb_agg(jsonb_build_object('id', x.id, 'name', x.name, 'type', x.type)
    order by x.created_at desc), '[]') from automations x
  where x.user_id = t.user_id and x.account_key = t.account_key and not x.is_active and not x.is_draft and x.completed_at is null
    and x.pause_cause in (${sessionCauses.map(literal).join(', ')}))`;

/** When the session in use was last found good: by the visit that checks it, or by a run. */
export const sessionCheckedAt = ofSession(`greatest(case when s.check_state = 'good' then s.checked_at end, s.seen_good_at)`);

/** One value of the network's pause of the account, for customers who have proven it. */
const ofNetworkPause = (column: string, now: Date) =>
  sql`(select ${raw(column)} from network_accounts a where a.account_key = t.account_key and a.paused_until > ${now} and t.proven_at is not null)`;
const ownPausedUntil = (now: Date) => sql`(case when t.paused_until > ${now}::timestamptz then t.paused_until end)`;

/** Columns over a row `t` of instagram_accounts that depend on the time of the request. */
export function pauseColumns(now: Date): { state: Sql; paused_until: Sql; pause_cause: Sql; pause_reason: Sql } {
  const network = ofNetworkPause('a.paused_until', now);
  const own = ownPausedUntil(now);
  const hasSession = raw(
    `exists (select 1 from instagram_sessions s where s.user_id = t.user_id and s.account_key = t.account_key and s.is_active)`,
  );
  const isChecked = raw(`coalesce(${ofSession(`s.held_cause is not null or s.check_state = 'checking'`)}, false)`);
  const ownEndsLast = sql`${own} is not null and ${own} >= coalesce(${network}, '-infinity')`;
  const until = sql`greatest(${own}, ${network})`;
  return {
    paused_until: until,
    state: sql`case when not ${hasSession} then 'needs_session' when ${isChecked} then 'checking' when ${until} is not null then 'paused' else 'active' end`,
    pause_cause: sql`case when t.stop_cause is not null then t.stop_cause when not ${hasSession} then ${raw(ofEndedSession('s.ended_cause'))}
      when ${ownEndsLast} then 'customer' else ${ofNetworkPause('a.paused_cause', now)} end`,
    pause_reason: sql`coalesce(${raw(sessionProgress)}, case
      when t.stop_cause is not null then ${raw(pauseSentenceSql(ownerCauses, 't.stop_cause', 't.stopped_at', null))}
      when not ${hasSession} then ${raw(ofEndedSession(pauseSentenceSql(sessionCauses, 's.ended_cause', 's.ended_at', null)))}
      when ${ownEndsLast} then ${raw(sentenceSql(accountTexts.pausedByCustomer, written('t.paused_until')))}
      else ${ofNetworkPause(pauseSentenceSql(accountCauses, 'a.paused_cause', 'a.paused_since', 'a.paused_until'), now)} end)`,
  };
}

/** Columns over a row `t` of instagram_accounts that tell customers who have proven the account why its ceilings are lower now. */
export function warmUpColumns(ceilings: CeilingTable, now: Date): { warmup_day: Sql; warmup_days: Sql; halved_until: Sql } {
  const days = warmUpDays(ceilings);
  const ofAccount = (value: Sql) =>
    sql`(select ${value} from network_accounts a where a.account_key = t.account_key and t.proven_at is not null)`;
  const day = sql`floor(extract(epoch from ${now}::timestamptz - a.first_seen_at) / 86400)::int + 1`;
  const until = sql`a.last_block_at + ${ceilings.halvedDays}::float8 * interval '1 day'`;
  return {
    warmup_day: ofAccount(sql`case when ${day} <= ${days}::int then greatest(1, ${day}) end`),
    warmup_days: sql`${days}::int`,
    halved_until: ofAccount(sql`case when ${until} > ${now}::timestamptz then ${until} end`),
  };
}
