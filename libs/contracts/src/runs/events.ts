import { z } from 'zod';
import { defineEvent, defineRequest } from '../messages/definitions.js';
import { actionOutcome, runAction, skipReason, stopSignal } from './actions.js';
import { networkUsername } from '../fields/usernames.js';
import { ledgerTarget } from '../tools/run-targets.js';

const runIdentity = z.object({
  runId: z.uuid(),
  automationId: z.uuid().nullable(),
  userId: z.uuid(),
  accountKey: z.string(),
  /** Token of the account's lease; grows with every lease. automations refuses messages with an older token. */
  fencingToken: z.number().int().positive(),
  /** Pages (documents) that the run has opened so far. They count towards the account's ceiling of page views. */
  pageViews: z.number().int().nonnegative().default(0),
});

/** Maximum number of released reservations in one message. The `run.action` events of earlier ones have arrived by then. */
export const maxReleasedReservations = 50;

/**
 * Reservations that this run released without trying the action, newest last. Without this list the ledger would count them as used
 * until their `run.action` events arrive.
 */
const givenBack = z.array(z.uuid()).max(maxReleasedReservations).default([]);

/** A worker acquired the account's lease and starts the run. Published by browser-worker. */
export const runStarted = defineEvent('run.started', runIdentity.extend({ workerId: z.string(), startedAt: z.iso.datetime() }));

/**
 * The worker is about to make the decisive click of a reserved action. The broker confirms this event before the click, so that a later run that
 * settles the reservation of a dead worker knows whether the action may have happened. Published by browser-worker, at most once per reservation.
 */
export const runTrying = defineEvent(
  'run.trying',
  runIdentity.extend({
    reservationId: z.uuid(),
    action: runAction,
    target: ledgerTarget,
    /** What is about to be written: a comment, a reply or a message. */
    text: z.string().max(5_000).optional(),
    at: z.iso.datetime(),
  }),
);

/** One action was tried, settled or skipped. Published by browser-worker, once per outcome. */
export const runActionDone = defineEvent(
  'run.action',
  runIdentity.extend({
    /** Null for a skip that was never reserved. */
    reservationId: z.uuid().nullable(),
    action: runAction,
    target: ledgerTarget,
    outcome: actionOutcome,
    skipReason: skipReason.nullable(),
    /** Evidence of the outcome: root field and state of the response, text of the page's button, whether it was the same after a reload. */
    proof: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
    /** True when this run only looked up the outcome of an earlier run's reservation, and did not repeat the action. */
    settled: z.boolean(),
    /**
     * Whether the target follows the customer's account, as a page that the run opened anyway showed it before the action. Null or absent when no
     * page showed it, and when the target is not a person.
     */
    followsCustomer: z.boolean().nullish(),
    at: z.iso.datetime(),
  }),
);

/** A person in a collected list. */
export const collectedPerson = z.object({
  userId: z.string().regex(/^\d+$/),
  username: z.string(),
  fullName: z.string(),
  isPrivate: z.boolean(),
  isVerified: z.boolean(),
  hasStory: z.boolean(),
});
export type CollectedPerson = z.infer<typeof collectedPerson>;

const networkId = z.string().regex(/^\d+$/);

/** A comment in a collected list, or a reply to one. What the network does not say beside a comment is null; an unknown full name is empty. */
export const collectedComment = z.object({
  commentId: networkId,
  text: z.string(),
  commentedAt: z.iso.datetime(),
  likeCount: z.number().int().nonnegative().nullable(),
  /** Id of the comment that it replies to; null for a comment on the post itself. */
  replyTo: networkId.nullable(),
  /** Who wrote it. */
  userId: networkId,
  username: z.string(),
  fullName: z.string(),
  isPrivate: z.boolean().nullable(),
  isVerified: z.boolean(),
  hasStory: z.boolean().nullable(),
});
export type CollectedComment = z.infer<typeof collectedComment>;

/**
 * A reading: one run that reads a list from the place that `list.resume` answered. The worker chooses the id when it asks. Only pages of the newest
 * reading move the list's place; pages of earlier ones, which arrive late, only add their rows. Absent from workers of an earlier version.
 */
const reading = z.uuid().nullish();

/** One page of a list was read. Published by browser-worker; extraction adds each row to the list once. */
export const runPage = defineEvent(
  'run.page',
  runIdentity.extend({
    extractedDataId: z.uuid(),
    reading,
    /** Number of the page: the first page of a run has the `nextPage` of its place, and each further page one more. */
    page: z.number().int().nonnegative(),
    pass: z.number().int().positive(),
    rows: z.array(collectedPerson),
    /** Rows of a list of comments, whose pages have no `rows`. Absent from other lists. */
    comments: z.array(collectedComment).nullish(),
    /** Where the next page begins; null at the end of a pass. */
    cursor: z.string().nullable(),
    /**
     * How the pass ended with this page; null while more pages follow. extraction uses this field to end the pass, so that the pass is not read again
     * when the worker dies before its `run.finished`. Absent from workers of an earlier version: then a null cursor means `pass_ended`.
     */
    end: z.enum(['pass_ended', 'limited_by_network', 'empty_but_profile_shows_more']).nullish(),
    /** Total that the profile shows; null when unknown. */
    profileTotal: z.number().int().nonnegative().nullable(),
    collectedAt: z.iso.datetime(),
  }),
);

/** Position in a list at which a run stopped. extraction decides what follows (`extraction.due`, `extraction.completed`). */
export const listEnd = z.object({
  extractedDataId: z.uuid(),
  reading,
  profileTotal: z.number().int().nonnegative().nullable(),
  cursor: z.string().nullable(),
  pass: z.number().int().positive(),
  /** Number of the next page. Pages of this reading with lower numbers were sent. */
  nextPage: z.number().int().nonnegative(),
  /**
   * `pass_ended`: the network reported the end of the list. `more`: another run continues at `cursor`. The others end the
   * extraction, and say why it has fewer rows than the profile shows.
   */
  state: z.enum([
    'pass_ended',
    'more',
    'private',
    'limited_by_network',
    'empty_but_profile_shows_more',
    'likes_hidden',
    'comments_off',
    'comments_hidden',
  ]),
});
export type ListEnd = z.infer<typeof listEnd>;

/** Counters of the account's own profile, as a run saw them when it opened that profile anyway. Null: the page did not show the number. */
export const profileCounters = z.object({
  followers: z.number().int().nonnegative().nullable(),
  following: z.number().int().nonnegative().nullable(),
  posts: z.number().int().nonnegative().nullable(),
  seenAt: z.iso.datetime(),
});
export type ProfileCounters = z.infer<typeof profileCounters>;

/** The run is over. Published by browser-worker, as the last event of the run. */
export const runFinished = defineEvent(
  'run.finished',
  runIdentity.extend({
    outcome: z.enum(['done', 'partial', 'stopped']),
    /** Why it stopped; null unless `outcome` is `stopped`. */
    stop: stopSignal.nullable(),
    tried: z.number().int().nonnegative(),
    confirmed: z.number().int().nonnegative(),
    skipped: z.number().int().nonnegative(),
    /** List pages that were read. */
    pages: z.number().int().nonnegative(),
    /** Only for an extraction; null otherwise. */
    list: listEnd.nullable(),
    /**
     * Why the run could do nothing with its target (`target_gone`, `target_private`, `list_refused`, `source_empty`); null otherwise.
     * `already_in_ledger`: the slot's list ended and contained nobody who could be reserved; it may still grow while its extraction goes on.
     * `page_views`: the run reached its limit of page views.
     */
    targetProblem: skipReason.nullable(),
    /**
     * Only for a run that takes people from a slot: the offset at which the next run continues. Everybody before it was proposed and decided; some
     * people after it may have been too. It never exceeds the end of the list, so that rows that are added later are read.
     */
    sourceOffset: z.number().int().nonnegative().nullish(),
    /** The account's own username, from its profile link on the page; null when the run did not see it. */
    username: z.string().nullable(),
    /** Null or absent when the run did not open the account's own profile. */
    ownProfile: profileCounters.nullish(),
    givenBack,
    finishedAt: z.iso.datetime(),
  }),
);

/** Most bytes of a picture of a failure. */
export const maxPictureBytes = 80 * 1024;

/**
 * What the page showed when an action was refused or not confirmed, or when the network stopped the run; other people's names, texts and pictures are
 * blurred. Published by browser-worker, at most three times in a run, and only when the picture could be taken at once: it may be missing.
 */
export const runPicture = defineEvent(
  'run.picture',
  z.object({
    pictureId: z.uuid(),
    runId: z.uuid(),
    userId: z.uuid(),
    /** Reservation of the action; null when the network objected while the run was reading. */
    reservationId: z.uuid().nullable(),
    /** JPEG, as base64. */
    jpeg: z
      .base64()
      .startsWith('/9j/')
      .max(Math.ceil(maxPictureBytes / 3) * 4),
    takenAt: z.iso.datetime(),
  }),
);

/**
 * Asks for reservations: "May I do this action to these people?" One transaction in automations checks the fencing token, the ceilings and the
 * ledger's unique key (account, action, target), and reserves. A worker tries only reserved actions.
 */
export const runReserve = defineRequest(
  'run.reserve',
  runIdentity.extend({ action: runAction, candidates: z.array(ledgerTarget).min(1).max(50), givenBack }),
  z.object({
    reserved: z.array(ledgerTarget.extend({ reservationId: z.uuid() })),
    refused: z.array(ledgerTarget.extend({ reason: skipReason })),
    /** Why this run may do no further action; null while it may. */
    stop: z.enum(['ceiling', 'lease_lost', 'run_over', 'account_paused']).nullable(),
  }),
);

/** Most targets that one `run.preview` may name. */
export const mostPreviewedAtOnce = 50;

/** What a preview learned of the list that an extraction would read. */
export const previewedList = z.object({
  /** Whose list it is, or who published the post; null when the page did not tell. */
  username: z.string().nullable(),
  /** Rows that the profile or the post shows; null when it shows no number. */
  total: z.number().int().nonnegative().nullable(),
  /** Why the list cannot be read; `unsettled` when the page did not tell. Null when nothing is known against it. */
  problem: z
    .enum(['target_gone', 'target_private', 'list_refused', 'post_gone', 'source_empty', 'likes_hidden', 'comments_off', 'unsettled'])
    .nullable(),
});
export type PreviewedList = z.infer<typeof previewedList>;

/**
 * "Would these targets get the action?" Asked by a run that previews another plan (`PlanOf<'preview'>`), and answered by the rules of
 * `run.reserve` without reserving anything. What it names becomes part of the preview, each action and target once, so it may be repeated.
 * Answered by automations.
 */
export const runPreview = defineRequest(
  'run.preview',
  runIdentity.extend({
    targets: z
      .array(
        z.object({
          action: runAction,
          target: ledgerTarget,
          /** Why the page itself shows that the action would be skipped; null when it does not. */
          skipReason: skipReason.nullable(),
          /** What the target's author wrote, where that is why they are a target. */
          said: z.string().max(500).nullish(),
        }),
      )
      .max(mostPreviewedAtOnce),
    /** Only for a plan that reads a list. */
    list: previewedList.nullish(),
  }),
  /** How many targets more the preview wants; 0 when it is complete, or not wanted any more. */
  z.object({ wanted: z.number().int().nonnegative() }),
);

/**
 * "May this run go on?" The answer is no when its owner or its automation was deleted, the automation was switched off, the run's session was
 * removed or replaced, or automations abandoned the run. Sent before the sealed session is opened, and from time to time while a list
 * is read; actions need no such request because they send `run.reserve`. Answered by automations.
 */
export const runMayGoOn = defineRequest('run.may_go_on', runIdentity, z.object({ goOn: z.boolean() }));

/**
 * "What is this person's username now?" Sent once when the known username no longer exists. The reply is the newest username of this id in the
 * customer's own lists, or null. Answered by extraction.
 */
export const personName = defineRequest(
  'person.name',
  z.object({ userId: z.uuid(), targetId: z.string().regex(/^\d+$/) }),
  z.object({ username: networkUsername.nullable() }),
);

/** "Who comes next in this list?" The reply has the people from `offset` on, in the list's order. Answered by extraction. */
export const slotTargets = defineRequest(
  'slot.targets',
  z.object({
    userId: z.uuid(),
    extractedDataId: z.uuid(),
    accountKey: z.string(),
    offset: z.number().int().nonnegative(),
    limit: z.number().int().min(1).max(500),
  }),
  z.object({ targets: z.array(ledgerTarget), nextOffset: z.number().int().nonnegative().nullable() }),
);

/**
 * "Where does this list go on?" Sent at the start of a run that reads a list; from then on the run's pages move the list's place (see `runPage`).
 * The same reading gets the same answer until its pages arrive. `over`: the list ended, and extraction tells automations so once more. `gone`: its
 * owner deleted it. Answered by extraction, which alone knows the place.
 */
export const listResume = defineRequest(
  'list.resume',
  runIdentity.extend({ extractedDataId: z.uuid(), reading: z.uuid() }),
  z.discriminatedUnion('state', [
    z.object({
      state: z.literal('read'),
      /** The network's cursor at which the run continues; null for the beginning of the list. */
      cursor: z.string().nullable(),
      /** Number of the pass over the list, from 1. */
      pass: z.number().int().positive(),
      nextPage: z.number().int().nonnegative(),
      /** Total that the profile showed last; null when unknown. */
      profileTotal: z.number().int().nonnegative().nullable(),
    }),
    z.object({ state: z.literal('over') }),
    z.object({ state: z.literal('gone') }),
  ]),
);

/**
 * An operator's canary found every screen that runs of these kinds need. A pause of such a kind for all customers ends when it began before `at`.
 * Published by the canary command of browser-worker alone: events reach the broker only from our own processes, and no request of a customer
 * becomes one.
 */
export const canaryPassed = defineEvent(
  'canary.passed',
  z.object({
    /** Kinds of runs. Those that automations does not know, or that are not paused, change nothing. */
    kinds: z.array(z.string().max(50)).min(1).max(50),
    /** When the canary began: every page was opened after this moment. */
    at: z.iso.datetime(),
  }),
);
