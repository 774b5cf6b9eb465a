import { z } from 'zod';
import { actionOutcome, runAction, skipReason } from '../runs/actions.js';
import { usageKinds } from '../tools/actions.js';
import { automationType } from '../tools/automation-type.js';
import { runKind } from '../tools/run-kind.js';

const instant = z.iso.datetime({ offset: true });

/**
 * Status of an automation on the dashboard. `paused`: switched off by the customer, or because the plan has fewer slots now;
 * `blocked`: the network refused or limited the account; `done`: an extraction is complete.
 */
export const automationStatuses = ['draft', 'waiting', 'running', 'paused', 'blocked', 'done'] as const;
export const automationStatus = z.enum(automationStatuses);
export type AutomationStatus = z.infer<typeof automationStatus>;

export const lastRunSummary = z.object({
  run_id: z.uuid(),
  started_at: instant.nullable(),
  finished_at: instant,
  outcome: z.enum(['done', 'partial', 'stopped']),
  tried: z.number().int(),
  confirmed: z.number().int(),
  skipped: z.number().int(),
  pages: z.number().int(),
  /** Why it ended early, for the customer; null when it ended normally. */
  reason: z.string().nullable(),
});
export type LastRunSummary = z.infer<typeof lastRunSummary>;

/** A row of `rest/v1/automations` as its owner reads it. */
export const automationRow = z.object({
  id: z.uuid(),
  user_id: z.uuid(),
  name: z.string(),
  type: automationType,
  /** Without the session cookie. The server adds `sessionStored`, `sessionAccount`, `publicToken` and `extractedDataId`. */
  configuration: z.record(z.string(), z.unknown()),
  is_draft: z.boolean(),
  is_active: z.boolean(),
  last_run_at: instant.nullable(),
  next_run_at: instant.nullable(),
  created_at: instant,
  updated_at: instant,
  status: automationStatus,
  /** Sentences for the customer: cause, since when, what the product does about it, what to do. Null when the status needs no explanation. */
  status_reason: z.string().nullable(),
  last_run: lastRunSummary.nullable(),
  /** Only for extractions: people in the list and the total that the profile shows, as extraction told them after the last run. */
  progress: z.object({ collected: z.number().int(), profile_total: z.number().int().nullable() }).nullable(),
  session_stored: z.boolean(),
  /** `@name`, or the numeric account id until the name is known. */
  session_account: z.string().nullable(),
  /** Id of the `instagram_accounts` row whose session the automation uses; null while it has none. */
  instagram_account_id: z.uuid().nullable(),
  /** Code of the reason why the platform switched it off: a stop class, or a cause of our own. Null while it is on and when the customer switched it off. */
  pause_cause: z.string().nullable(),
});
export type AutomationRow = z.infer<typeof automationRow>;

/**
 * State of the check that opens the network's site once with a new session. `checking`: the check is running; `unchecked`: the check could not run, so
 * the first run will show it; `refused`: the network does not accept the session, and `check_reason` says why and what to do.
 */
export const sessionCheckStates = ['unchecked', 'checking', 'good', 'refused'] as const;

/** A row of `rest/v1/instagram_sessions` as its owner reads it. `cookies` is write-only and always null. */
export const instagramSessionRow = z.object({
  id: z.uuid(),
  user_id: z.uuid(),
  session_id: z.string(),
  cookies: z.null(),
  /** Numeric id of the account on the network, as text; the same as in `instagram_accounts`. */
  network_user_id: z.string().nullable(),
  /** `@name`, or the numeric account id until the name is known. */
  username: z.string().nullable(),
  is_active: z.boolean(),
  created_at: instant,
  ended_at: instant.nullable(),
  ended_cause: z.string().nullable(),
  check_state: z.enum(sessionCheckStates),
  /** Sentences for the customer; null when the state needs no explanation. */
  check_reason: z.string().nullable(),
  checked_at: instant.nullable(),
});

/** State of a customer's account. `needs_session`: it waits for a new session; `checking`: a new session is being checked. */
export const instagramAccountStates = ['active', 'checking', 'needs_session', 'paused'] as const;

/**
 * A row of `rest/v1/instagram_accounts` as its owner reads it: an account of the network with the customer's settings for it. Writable:
 * `paused_until`, `quiet_from`, `quiet_to`, `keep_list`, `resolved_at`.
 */
export const instagramAccountRow = z.object({
  id: z.uuid(),
  user_id: z.uuid(),
  /** Numeric id of the account on the network, as text. */
  network_user_id: z.string(),
  /** `@name`, or the numeric account id until the name is known. */
  username: z.string(),
  state: z.enum(instagramAccountStates),
  check_state: z.enum(sessionCheckStates).nullable(),
  /** When a waiting session is checked next. */
  next_check_at: instant.nullable(),
  /** No run starts before this instant: the later of the pause after a stop and the customer's own pause. Writing it sets the customer's own. */
  paused_until: instant.nullable(),
  /** A stop class, or `customer` for their own pause; null when the account is not paused. */
  pause_cause: z.string().nullable(),
  /** Sentences for the customer; null when the account is not paused. */
  pause_reason: z.string().nullable(),
  /** When the customer reported a stop as resolved ('Já resolvi no Instagram'). Whatever instant a client writes, the server stores the current time. */
  resolved_at: instant.nullable(),
  /** Quiet hours as `HH:MM` in `time_zone`; both null for the default at night. */
  quiet_from: z.string().nullable(),
  quiet_to: z.string().nullable(),
  time_zone: z.string(),
  /** Usernames of people who are never unfollowed, without `@`. */
  keep_list: z.array(z.string()),
  /** The customer's automations of this account that wait for a session and that a new one switches on again, newest first. */
  revives: z.array(z.object({ id: z.uuid(), name: z.string(), type: automationType })),
  /** Day of the account's warm-up, from 1, during which its daily ceilings are lower; null when it is over, and until the customer has proven the account. */
  warmup_day: z.number().int().nullable(),
  /** How many days a warm-up lasts; 0 when an operator switched it off. */
  warmup_days: z.number().int(),
  /** When the session in use was last found good, by the visit that checks it or by a run; null when it was not yet. */
  session_checked_at: instant.nullable(),
  /** Until when the ceilings are halved because the network blocked the account; null when they are not. */
  halved_until: instant.nullable(),
  created_at: instant,
});
export type InstagramAccountRow = z.infer<typeof instagramAccountRow>;

/**
 * A row of `rest/v1/account_usage`: how much of one kind an account did within the last hour and the last 24 hours, over all its
 * automations, against the ceilings in force now. There is a row of every kind, also of those that the account never did. There are none
 * until the customer has proven the account (its first session is not checked yet).
 */
export const accountUsageRow = z.object({
  id: z.uuid(),
  user_id: z.uuid(),
  instagram_account_id: z.uuid(),
  action: z.enum(usageKinds),
  hour_used: z.number().int(),
  hour_ceiling: z.number().int(),
  day_used: z.number().int(),
  day_ceiling: z.number().int(),
});
export type AccountUsageRow = z.infer<typeof accountUsageRow>;

/**
 * A row of `rest/v1/account_growth`: what the profile of an account showed on a day of the customer's time zone, as the last run of that day
 * saw it. Days on which no run opened the profile have no row.
 */
export const accountGrowthRow = z.object({
  id: z.uuid(),
  user_id: z.uuid(),
  instagram_account_id: z.uuid(),
  /** `2026-11-21`. */
  day: z.iso.date(),
  followers: z.number().int().nullable(),
  following: z.number().int().nullable(),
  posts: z.number().int().nullable(),
  seen_at: instant,
});
export type AccountGrowthRow = z.infer<typeof accountGrowthRow>;

/** A row of `rest/v1/automation_runs`: one run in the customer's activity log. */
export const automationRunRow = z.object({
  id: z.uuid(),
  automation_id: z.uuid(),
  user_id: z.uuid(),
  kind: runKind,
  state: z.enum(['queued', 'running', 'finished', 'abandoned']),
  outcome: z.enum(['done', 'partial', 'stopped']).nullable(),
  reason: z.string().nullable(),
  queued_at: instant,
  started_at: instant.nullable(),
  finished_at: instant.nullable(),
  tried: z.number().int(),
  confirmed: z.number().int(),
  skipped: z.number().int(),
  pages: z.number().int(),
  /** Picture of the page on which the network stopped the run while it was reading; null when there is none. Absent from services of an earlier version. */
  picture_id: z.uuid().nullish(),
});
export type AutomationRunRow = z.infer<typeof automationRunRow>;

/**
 * A row of `rest/v1/run_diary`: one action of a run on one target, and one more row each time that a later run looked up its outcome (`settled`).
 * Newest first is `order=at.desc,id.desc`; the next page has `at=lte.<at>&or=(at.lt.<at>,id.lt.<id>)` of the last row (the first filter is for the index).
 */
export const runDiaryRow = z.object({
  id: z.uuid(),
  automation_id: z.uuid().nullable(),
  user_id: z.uuid(),
  run_id: z.uuid(),
  /** Kind of the run; null when the run was deleted before its last reports arrived. */
  kind: runKind.nullable(),
  action: runAction,
  target_id: z.string(),
  target_username: z.string(),
  /** Shortcode of the post, or of the comment's post; null for a person. */
  post_code: z.string().nullable(),
  /** What was written: a comment, a reply or a message. */
  text: z.string().nullable(),
  outcome: actionOutcome,
  skip_reason: skipReason.nullable(),
  /** Why it was skipped, as a sentence. */
  reason: z.string().nullable(),
  proof: z.record(z.string(), z.unknown()),
  /** True when this run only looked up the outcome of an earlier run's reservation, and did not repeat the action. */
  settled: z.boolean(),
  at: instant,
  /** Id of the picture that was taken when the action failed; null when there is none. */
  picture_id: z.uuid().nullable(),
});
export type RunDiaryRow = z.infer<typeof runDiaryRow>;

/**
 * A row of `rest/v1/account_activity`: what an account did of one action on a day of the customer's time zone, over all automations of this customer.
 * Kept 90 days. An action is counted once, on the day of its try; a later look moves it to what the look showed. There is no row of a day without any.
 */
export const accountActivityRow = z.object({
  id: z.uuid(),
  user_id: z.uuid(),
  instagram_account_id: z.uuid(),
  /** `2026-11-21`. */
  day: z.iso.date(),
  action: runAction,
  /** Confirmed, or requested of a private account. */
  confirmed: z.number().int(),
  skipped: z.number().int(),
  refused: z.number().int(),
  /** Tried without proof of the effect. */
  unconfirmed: z.number().int(),
});
export type AccountActivityRow = z.infer<typeof accountActivityRow>;

/** Days after a follow at which follow-backs are counted. */
export const followBackDays = [3, 7, 14] as const;

/**
 * A row of `rest/v1/follow_backs`: of the people whom an account followed for this customer within the last 90 days and at least `days` days ago, and
 * who did not follow it before. Three rows of each account. No page is opened to find out, so `seen` may be far below `followed`.
 */
export const followBacksRow = z.object({
  id: z.uuid(),
  user_id: z.uuid(),
  instagram_account_id: z.uuid(),
  days: z.union([z.literal(3), z.literal(7), z.literal(14)]),
  followed: z.number().int(),
  /** Of these, how many were seen again in passing, at least `days` days after the follow. */
  seen: z.number().int(),
  /** Of those seen, how many followed the customer when they were last seen. */
  followed_back: z.number().int(),
});
export type FollowBacksRow = z.infer<typeof followBacksRow>;

/**
 * A row of `rest/v1/account_pauses`: a pause of a customer's account that began within the last 90 days, or still lasts. It is over when `resolved_at`
 * is set or `until` has passed.
 */
export const accountPauseRow = z.object({
  id: z.uuid(),
  user_id: z.uuid(),
  instagram_account_id: z.uuid(),
  /** A stop class, or `customer` for their own pause. */
  cause: z.string(),
  /** What was paused: a `RunAction`, `lists` (everything that reads lists of people), `run:<kind>` (runs of one kind), or null for the whole account. */
  part: z.string().nullable(),
  /** Sentences for the customer: cause, since when, what the product does about it, what to do. */
  reason: z.string(),
  began_at: instant,
  /** When it ends by itself; null while it waits for the customer. */
  until: instant.nullable(),
  /** When it ended before `until`: a good session, or the customer ended their own pause. */
  resolved_at: instant.nullable(),
});
export type AccountPauseRow = z.infer<typeof accountPauseRow>;
