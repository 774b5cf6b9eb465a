import type { RunAction } from '@decola/contracts';
import { actionRules } from '../tools/registry.js';

/*
 * How the ledger names a target (`account_actions.target_id`). Its unique key (account, action, target) allows an action only once, so a target
 * that may get it again is stored as `<id>@<period>`: the number of the period (for a day: the UTC day since 1970) in which it was reserved.
 */

/** The name under which an action of this time is stored. */
export function storedIdOf(action: RunAction, targetId: string, at: Date): string {
  const { againAfterMs } = actionRules[action];
  return againAfterMs === undefined ? targetId : `${targetId}@${Math.floor(at.getTime() / againAfterMs)}`;
}

/** The names of all entries that may still forbid the action at `now`: the last `againAfterMs` lie in two periods. */
export function storedIdsOf(action: RunAction, targetId: string, now: Date): string[] {
  const { againAfterMs = 0 } = actionRules[action];
  return [...new Set([now, new Date(now.getTime() - againAfterMs)].map((at) => storedIdOf(action, targetId, at)))];
}

/** Entries of this action that were reserved before no longer forbid it; null when all forbid it for ever. */
export function forbiddenSince(action: RunAction, now: Date): Date | null {
  const { againAfterMs } = actionRules[action];
  return againAfterMs === undefined ? null : new Date(now.getTime() - againAfterMs);
}

/** The target's id on the network. */
export function targetIdOf(storedId: string): string {
  return storedId.replace(/@\d+$/, '');
}
