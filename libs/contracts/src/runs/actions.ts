import { z } from 'zod';
import { runActions } from '../tools/actions.js';

/** Actions of a run; each has its facts in `actionFacts`. */
export const runAction = z.enum(runActions);

/**
 * How one action ended. `confirmed`: the network's response and the page both show it. `requested`: a private account received the
 * request. `not_confirmed`: tried, but nothing proves the effect; it is not repeated without looking first. `refused`: the network refused.
 * `skipped`: not tried, with the reason. `unknown`: only when an earlier run's reservation was looked up (`settled`) and the page
 * did not show the outcome (target not found, query failed, network too slow); the reservation stays open and is looked up again.
 */
export const actionOutcomes = ['confirmed', 'requested', 'not_confirmed', 'refused', 'skipped', 'unknown'] as const;
export const actionOutcome = z.enum(actionOutcomes);
export type ActionOutcome = z.infer<typeof actionOutcome>;

/**
 * Why a target was skipped. `target_blocked_us`: one of the two accounts has blocked the other. `target_reviewed`: the network refused because the
 * person reviews followers by hand; this says nothing about the customer's account. `list_refused`: the network does not
 * show this list to this account. `source_empty`: the hashtag, list or slot contained nobody. `target_theirs`: the customer now follows this person
 * by their own choice (followed again by hand, or an accepted request). `page_views`: the ceiling for page views was reached.
 * `unsettled`: the page did not show who or what is there (query failed, network too slow, name of somebody else); the target may be tried later.
 * `author_recent`: the author of this post got the same action from the account within the last 30 days. `own`: the target is the account itself, or
 * something of its own. `comments_off`: this account cannot comment on the post, or would not see its own comment there.
 * `no_story`: the person shows no story now. `story_closed`: their next story is for close friends only, so it is not watched. `story_unplayable`: its
 * video does not play, so it does not count as seen. `messages_closed`: the person takes no messages from the account. `post_gone`: the post whose
 * comments are answered does not exist any more. `post_of_another`: it is not the account's own, so nobody there gets a message.
 */
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
  'target_reviewed',
  'list_refused',
  'source_empty',
  'target_theirs',
  'page_views',
  'author_recent',
  'own',
  'comments_off',
  'no_story',
  'story_closed',
  'story_unplayable',
  'messages_closed',
  'post_gone',
  'post_of_another',
] as const;
export const skipReason = z.enum(skipReasons);
export type SkipReason = z.infer<typeof skipReason>;

/**
 * Why a run was stopped, as workers report it. Most are objections of the network, as the worker's classifier of its responses names them.
 * `refused`: the same action was refused twice in a row, with any response. `list_withheld` (row 18): the network shows this account no lists for a
 * while. `no_connection`: our own connection failed. `unknown_language`: the page is neither Portuguese nor English; detected before any action.
 */
export const namedStopClasses = [
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
  'refused',
  'list_withheld',
  'no_connection',
  'unknown_language',
  'wrong_account',
  'lease_lost',
  'worker_stopped',
] as const;
export type NamedStopClass = (typeof namedStopClasses)[number];

/**
 * What a listener makes of a stop that only a worker of a newer release knows: a stop must be applied at once, so it does not wait for a newer replica. It
 * counts as the most careful one. No worker reports it.
 */
export const unrecognisedStop = 'unrecognised';

export const stopClasses = [...namedStopClasses, unrecognisedStop] as const;
export type StopClass = (typeof stopClasses)[number];

/** Stops of one action alone. They say nothing to a release that does not know that action. */
const stopsOfOneAction: ReadonlySet<string> = new Set<StopClass>(['silent_block', 'refused']);

const word = z.string().regex(/^[a-z][a-z0-9_-]{0,59}$/);
const evidence = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

/** Read in any release: words that this one does not know lead to `unrecognised`, and are kept in the evidence. */
export const stopSignal = z
  .object({
    class: word,
    /** Row of the classifier's table that applied, from 1; null when the reason is our own. */
    row: z.number().int().min(1).nullable(),
    /** The action that was refused; null when the network objected to reading. */
    action: word.nullable(),
    /** Facts for operators: URL without query, HTTP status, top-level error message. Never page content, never cookies. */
    evidence,
  })
  .transform(({ class: reported, row, action: reportedAction, evidence: facts }) => {
    const action = runAction.safeParse(reportedAction).data ?? null;
    const isActionKnown = action === reportedAction;
    const isKnown = isOneOf(stopClasses, reported) && (isActionKnown || !stopsOfOneAction.has(reported));
    return {
      class: isKnown ? reported : unrecognisedStop,
      row,
      action,
      evidence: {
        ...facts,
        ...(isKnown ? {} : { reportedClass: reported }),
        ...(isActionKnown ? {} : { reportedAction }),
      },
    };
  })
  .pipe(z.object({ class: z.enum(stopClasses), row: z.number().int().min(1).nullable(), action: runAction.nullable(), evidence }));
export type StopSignal = z.infer<typeof stopSignal>;

function isOneOf<Word extends string>(words: readonly Word[], candidate: string): candidate is Word {
  return (words as readonly string[]).includes(candidate);
}

/** A stop that another service names in an event; null in place of one that this release does not know. */
export const namedStop = word
  .transform((reported) => (isOneOf(namedStopClasses, reported) ? reported : null))
  .pipe(z.enum(namedStopClasses).nullable())
  .nullable();
