import { z } from 'zod';
import { actionOutcome, runAction, skipReason } from '../runs/actions.js';
import { automationType } from './types.js';

const instant = z.iso.datetime({ offset: true });

/**
 * What the dashboard says of an automation in one word. `paused`: switched off by the customer or because the plan shrank;
 * `blocked`: the network objected; `done`: an extraction is over.
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
  /** Why it ended early, for the customer; null when it simply ended. */
  reason: z.string().nullable(),
});
export type LastRunSummary = z.infer<typeof lastRunSummary>;

/** A row of `rest/v1/automations` as its owner reads it. */
export const automationRow = z.object({
  id: z.uuid(),
  user_id: z.uuid(),
  name: z.string(),
  type: automationType,
  /** Without any session. The server adds `sessionStored`, `sessionAccount`, `publicToken` and `extractedDataId`. */
  configuration: z.record(z.string(), z.unknown()),
  is_draft: z.boolean(),
  is_active: z.boolean(),
  last_run_at: instant.nullable(),
  next_run_at: instant.nullable(),
  created_at: instant,
  updated_at: instant,
  status: automationStatus,
  /** For the customer, in sentences: cause, since when, what we do, what to do. Null when there is nothing to say. */
  status_reason: z.string().nullable(),
  last_run: lastRunSummary.nullable(),
  /** Of an extraction: rows read so far (repeats included) of the total that the profile shows. */
  progress: z
    .object({ collected: z.number().int(), profile_total: z.number().int().nullable(), pass: z.number().int(), pages: z.number().int() })
    .nullable(),
  session_stored: z.boolean(),
  /** `@name`, or the account's number until its name is known. */
  session_account: z.string().nullable(),
});
export type AutomationRow = z.infer<typeof automationRow>;

/**
 * What one visit of the network said of a session. `checking`: the visit is under way; `unchecked`: nobody could look, the first run
 * will; `refused`: the network does not take it, `check_reason` says why and what to do.
 */
export const sessionCheckStates = ['unchecked', 'checking', 'good', 'refused'] as const;

/** A row of `rest/v1/instagram_sessions` as its owner reads it. `cookies` is write-only and always null. */
export const instagramSessionRow = z.object({
  id: z.uuid(),
  user_id: z.uuid(),
  session_id: z.string(),
  cookies: z.null(),
  /** `@name`, or the account's number until its name is known. */
  username: z.string().nullable(),
  is_active: z.boolean(),
  created_at: instant,
  ended_at: instant.nullable(),
  ended_cause: z.string().nullable(),
  check_state: z.enum(sessionCheckStates),
  /** For the customer, in sentences; null when there is nothing to say. */
  check_reason: z.string().nullable(),
  checked_at: instant.nullable(),
});
export type InstagramSessionRow = z.infer<typeof instagramSessionRow>;

/** A row of `rest/v1/automation_runs`: one run in the customer's diary. */
export const automationRunRow = z.object({
  id: z.uuid(),
  automation_id: z.uuid(),
  user_id: z.uuid(),
  kind: z.enum(['follow', 'unfollow', 'extract-list', 'check-session']),
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
});
export type AutomationRunRow = z.infer<typeof automationRunRow>;

/** A row of `rest/v1/automation_actions`: one person in the diary of a run. */
export const automationActionRow = z.object({
  id: z.uuid(),
  automation_id: z.uuid().nullable(),
  user_id: z.uuid(),
  run_id: z.uuid(),
  action: runAction,
  target_id: z.string(),
  target_username: z.string(),
  outcome: actionOutcome,
  skip_reason: skipReason.nullable(),
  proof: z.record(z.string(), z.unknown()),
  /** The outcome of an earlier run's reservation, seen on the page and not done again. */
  settled: z.boolean(),
  at: instant,
});
export type AutomationActionRow = z.infer<typeof automationActionRow>;
