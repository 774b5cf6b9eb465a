import { z } from 'zod';

/** What a run may do to somebody on the network. Each has ceilings of its own per account, hour and day. */
export const runActions = ['follow', 'unfollow', 'like', 'comment', 'view-story', 'message'] as const;
export const runAction = z.enum(runActions);
export type RunAction = z.infer<typeof runAction>;

/**
 * How one action ended. `confirmed`: the network said so and the page shows it. `requested`: a private account has the
 * request. `not_confirmed`: tried, but nothing proves it; never tried again blindly. `refused`: the network said no.
 * `skipped`: not tried, with the reason.
 */
export const actionOutcomes = ['confirmed', 'requested', 'not_confirmed', 'refused', 'skipped'] as const;
export const actionOutcome = z.enum(actionOutcomes);
export type ActionOutcome = z.infer<typeof actionOutcome>;

/** Why a target was passed over without being tried. `target_blocked_us`: one of the two has blocked the other. */
export const skipReasons = [
  'already_so',
  'target_gone',
  'target_private',
  'target_blocked_us',
  'not_ours',
  'keep_list',
  'already_in_ledger',
  'ceiling',
  'limit_of_network',
  'unsettled',
] as const;
export const skipReason = z.enum(skipReasons);
export type SkipReason = z.infer<typeof skipReason>;

/** The network's objections, as the classifier names them (instagram-web.md, section 7). */
export const stopClasses = [
  'action_blocked',
  'action_blocked_long',
  'challenge',
  'suspended',
  'session_ended',
  'limited',
  'rate_limited',
  'site_trouble',
  'site_changed',
  'silent_block',
  'wrong_account',
  'lease_lost',
  'worker_stopped',
] as const;
export const stopClass = z.enum(stopClasses);
export type StopClass = z.infer<typeof stopClass>;

export const stopSignal = z.object({
  class: stopClass,
  /** Row of the classifier's table that applied, 1-17; null for our own reasons. */
  row: z.number().int().min(1).max(17).nullable(),
  /** The action that met the objection; null when reading did. */
  action: runAction.nullable(),
  /** Facts for operators: address without query, HTTP status, outer message. Never page content, never cookies. */
  evidence: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});
export type StopSignal = z.infer<typeof stopSignal>;
