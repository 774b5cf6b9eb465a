import type { StopClass } from '@decola/contracts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Upper bound of growing pauses. */
const longestMs = 14 * 24 * hourMs;

/**
 * What a stop signal of the network leads to (instagram-web.md, sections 7, 12 and 13). Durations count from the signal.
 *
 * - `account`: all automations of the account are paused for `untilMs`. They resume by themselves, or, with `resumes: false`, when the customer
 *   switches them on again. `isBlock`: the account's ceilings are halved for a while.
 * - `session`: all automations of the account wait until a new session was checked.
 * - `own-session`: only the automations of the customer whose session it is wait.
 * - `action`: only this action of the account is paused.
 * - `lists`: only runs of the account that read lists are paused.
 * - `kind`: runs of this kind are paused for the account, and for everybody once accounts of two customers reported the same page.
 * - `automation`: only the automation that ran is paused, until its customer does something.
 * - `retry`: our own trouble; the run is tried again after `afterMs`.
 * - `none`: nothing is paused.
 */
export type StopEffect =
  | { scope: 'account'; untilMs: number; resumes: boolean; isBlock: boolean }
  | { scope: 'session' }
  | { scope: 'own-session' }
  | { scope: 'action'; untilMs: number }
  | { scope: 'lists'; untilMs: number }
  | { scope: 'kind'; untilMs: number }
  | { scope: 'automation' }
  | { scope: 'retry'; afterMs: number }
  | { scope: 'none' };

/**
 * @param repeats how often the same class stopped this account before, within `repeatWindowMs`; each repetition doubles the pause
 */
export function effectOfStop(stop: StopClass, repeats: number): StopEffect {
  const doubled = (baseMs: number) => Math.min(longestMs, baseMs * 2 ** Math.max(0, repeats));
  switch (stop) {
    case 'action_blocked':
      return { scope: 'account', untilMs: doubled(24 * hourMs), resumes: true, isBlock: true };
    case 'action_blocked_long':
    // Only a newer worker knows what it met: the most careful of all stops.
    case 'unrecognised':
      return { scope: 'account', untilMs: doubled(72 * hourMs), resumes: false, isBlock: true };
    case 'challenge':
    case 'suspended':
      return { scope: 'session' };
    case 'session_ended':
    case 'wrong_account':
      return { scope: 'own-session' };
    case 'limited':
      return { scope: 'account', untilMs: doubled(6 * hourMs), resumes: true, isBlock: false };
    case 'rate_limited':
      return { scope: 'account', untilMs: doubled(2 * hourMs), resumes: true, isBlock: false };
    case 'site_trouble':
      return { scope: 'account', untilMs: doubled(30 * minuteMs), resumes: true, isBlock: false };
    case 'silent_block':
    case 'refused':
      return { scope: 'action', untilMs: doubled(24 * hourMs) };
    case 'list_withheld':
      return { scope: 'lists', untilMs: doubled(24 * hourMs) };
    case 'site_changed':
      return { scope: 'kind', untilMs: hourMs };
    case 'unknown_language':
      return { scope: 'automation' };
    // Our own outage says nothing about the account, so repetitions do not lengthen the pause.
    case 'no_connection':
      return { scope: 'retry', afterMs: 5 * minuteMs };
    case 'lease_lost':
    case 'worker_stopped':
      return { scope: 'none' };
  }
}

/** Earlier stops of the same class lengthen a pause when they are at most this old. */
export const repeatWindowMs = 30 * 24 * hourMs;

/** Stops that only the account's owner can end, in their own browser. */
export const ownerCauses = ['challenge', 'suspended'] as const;
export type OwnerCause = (typeof ownerCauses)[number];

/** All causes that only another session, or the same one checked again, ends. */
export const sessionCauses = [...ownerCauses, 'session_ended', 'wrong_account'] as const;
export type SessionCause = (typeof sessionCauses)[number];

/** Causes of a pause that are not stop signals of the network. */
export type OwnCause =
  | 'plan'
  | 'target_gone'
  | 'target_private'
  | 'source_gone'
  | 'source_used_up'
  | 'limit_of_network'
  | 'list_refused'
  | 'source_empty'
  | 'post_gone'
  | 'post_refused'
  | 'post_of_another';

/** Why an automation or an account is paused. Each cause has a sentence (`pauseReason`). */
export type PauseCause = StopClass | OwnCause;
