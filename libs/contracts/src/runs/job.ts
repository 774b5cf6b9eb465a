import { z } from 'zod';
import { defineJob } from '../messages/definitions.js';
import { automationType } from '../automations/types.js';
import { runAction } from './actions.js';

/** Queue of runs that somebody waits for: extractions, first runs, tests. */
export const interactiveRunsQueue = 'browser.runs.interactive';
/** Queue of runs that are due by schedule. */
export const scheduledRunsQueue = 'browser.runs.scheduled';
export const runQueues = [interactiveRunsQueue, scheduledRunsQueue] as const;

/** A session of the network, sealed by automations; only the worker opens it. */
export const sealedSession = z.object({
  /** Envelope of service-kit's `Sealer`; its additional data is `sessionId`. Opens to `NetworkCookie[]` as JSON. */
  envelope: z.string(),
  sessionId: z.uuid(),
  /** Numeric id of the account on the network, as text. Must equal the id of the page's own account. */
  networkUserId: z.string().regex(/^\d+$/),
});

/** One cookie of the network's site, as a browser context takes it. */
export const networkCookie = z.object({
  name: z.string().min(1),
  value: z.string(),
  domain: z.string(),
  path: z.string(),
  /** Epoch seconds; -1 for a session cookie. */
  expires: z.number(),
  httpOnly: z.boolean(),
  secure: z.boolean(),
  sameSite: z.enum(['Strict', 'Lax', 'None']),
});
export type NetworkCookie = z.infer<typeof networkCookie>;

const usernamePattern = /^[A-Za-z0-9._]{1,30}$/;
export const networkUsername = z.string().regex(usernamePattern);

/** Where a run finds people. */
export const targetSource = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('hashtag'), hashtag: z.string().min(1) }),
  /** The followers of another account. */
  z.object({ kind: z.literal('list'), username: networkUsername }),
  /** Rows of an extraction; the worker asks `slot.targets` for the next ones. */
  z.object({ kind: z.literal('slot'), extractedDataId: z.uuid() }),
]);
export type TargetSource = z.infer<typeof targetSource>;

export const ledgerTarget = z.object({ targetId: z.string().regex(/^\d+$/), username: networkUsername });
export type LedgerTarget = z.infer<typeof ledgerTarget>;

/** A reservation of an earlier run that ended without an outcome: look at the page, say what is so, never repeat it. */
export const unsettledReservation = ledgerTarget.extend({ reservationId: z.uuid(), action: runAction });
export type UnsettledReservation = z.infer<typeof unsettledReservation>;

export const runPlan = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('follow'),
    source: targetSource,
    /** Only of a slot: where an earlier run of this automation left the list (`sourceOffset` of its `run.finished`). Usual: 0. */
    sourceOffset: z.number().int().nonnegative().optional(),
    /** Only of a list: most pages of it that this run reads (the ceiling for list pages). Usual: as many as it takes. */
    maxPages: z.number().int().nonnegative().optional(),
    /** Most actions of this run; the ceilings may grant fewer. */
    budget: z.number().int().min(0).max(5),
    /** Private accounts get a request instead of being skipped. */
    requestPrivate: z.boolean(),
  }),
  /** Only people that this product followed for this account, oldest first. */
  z.object({ kind: z.literal('unfollow'), targets: z.array(ledgerTarget), budget: z.number().int().min(0).max(5) }),
  z.object({
    kind: z.literal('extract-list'),
    list: z.enum(['followers', 'following']),
    username: networkUsername,
    extractedDataId: z.uuid(),
    /** Where the list was left: the network's own cursor, null at the top. */
    cursor: z.string().nullable(),
    /** Pass over the list, from 1. The network's lists lose rows, so a pass may be followed by another. */
    pass: z.number().int().positive(),
    /** Number of the next page over all passes, from 0; each page is stored once. */
    nextPage: z.number().int().nonnegative(),
    /** Most pages of this run (the ceiling for list pages). */
    maxPages: z.number().int().nonnegative(),
  }),
  /** Visits `/` once to see whose session it is. */
  z.object({ kind: z.literal('check-session') }),
]);
export type RunPlan = z.infer<typeof runPlan>;

/** One run in the browser session of one account. Published by automations, carried out by the browser worker. */
export const browserRun = defineJob(
  'browser.run',
  z.object({
    runId: z.uuid(),
    automationId: z.uuid().nullable(),
    automationType: automationType.nullable(),
    userId: z.uuid(),
    /** Opaque key of the account on the network: the same account under two customers has one key, one lease, one ledger. */
    accountKey: z.string().min(16),
    session: sealedSession,
    plan: runPlan,
    unsettled: z.array(unsettledReservation),
    pace: z.object({
      /** Pause between two actions, ms, drawn evenly. */
      actionGapMs: z.object({ min: z.number().int().nonnegative(), max: z.number().int().nonnegative() }),
      /** Pause between two pages of a list, ms, drawn evenly. */
      pageGapMs: z.object({ min: z.number().int().nonnegative(), max: z.number().int().nonnegative() }),
    }),
    /** After this instant the job is not begun any more. */
    expiresAt: z.iso.datetime(),
  }),
);
export type BrowserRun = z.infer<typeof browserRun.schema>;
