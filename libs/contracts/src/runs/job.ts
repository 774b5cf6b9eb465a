import { z } from 'zod';
import { defineJob } from '../messages/definitions.js';
import { automationType } from '../tools/automation-type.js';
import { runPlan } from '../tools/plan-registry.js';
import { ledgerTarget } from '../tools/run-targets.js';
import { runAction } from './actions.js';

/** Queue of runs that a customer waits for: extractions, first runs, tests. */
export const interactiveRunsQueue = 'browser.runs.interactive';
/** Queue of the runs that check a pasted session. */
export const checksQueue = 'browser.runs.checks';
/** Queue of scheduled runs, and of runs that continue an interrupted one. */
export const scheduledRunsQueue = 'browser.runs.scheduled';
/**
 * The queues of a worker with their shares: while all of them hold jobs, it takes this many of every four from each, so that none starves.
 */
export const runQueues = [
  { name: interactiveRunsQueue, weight: 2 },
  { name: checksQueue, weight: 1 },
  { name: scheduledRunsQueue, weight: 1 },
] as const;

/** A session of the network, encrypted by automations; only the worker decrypts it. */
export const sealedSession = z.object({
  /** Envelope of service-kit's `Sealer`; its additional data is `sessionId`. Contains `NetworkCookie[]` as JSON. */
  envelope: z.string(),
  sessionId: z.uuid(),
  /** Numeric id of the account on the network, as text. The worker stops when the page is logged in to another account. */
  networkUserId: z.string().regex(/^\d+$/),
});

/** One cookie of the network's site, in the form that a Playwright browser context accepts. */
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

/** A reservation of an earlier run that has no outcome. The worker looks at the page and reports the outcome; it never repeats the action. */
export const unsettledReservation = ledgerTarget.extend({
  reservationId: z.uuid(),
  action: runAction,
  /** What was written, by which a look finds a comment, a reply or a message. */
  text: z.string().optional(),
});
export type UnsettledReservation = z.infer<typeof unsettledReservation>;

/** One run in the browser session of one account. Published by automations, carried out by the browser worker. */
export const browserRun = defineJob(
  'browser.run',
  z.object({
    runId: z.uuid(),
    automationId: z.uuid().nullable(),
    automationType: automationType.nullable(),
    userId: z.uuid(),
    /** Opaque key of the account on the network. When two customers connect the same account, both share its key, lease and ledger. */
    accountKey: z.string().min(16),
    session: sealedSession,
    plan: runPlan,
    unsettled: z.array(unsettledReservation),
    pace: z.object({
      /** Pause between two actions, ms, drawn at random from this range. */
      actionGapMs: z.object({ min: z.number().int().nonnegative(), max: z.number().int().nonnegative() }),
      /** Pause between two pages of a list, ms, drawn at random from this range. */
      pageGapMs: z.object({ min: z.number().int().nonnegative(), max: z.number().int().nonnegative() }),
    }),
    /** How many pages (documents) the run may open: what is left of the account's ceiling of page views. Default: no limit. */
    mostPageViews: z.number().int().nonnegative().optional(),
    /** Start of the account's next quiet hours: a run that is still going on ends then, as `partial`. Null or absent: no such limit. */
    endsAt: z.iso.datetime().nullish(),
    /** Language and time zone of the browser context: the customer's own. Default: `pt-BR`, America/Sao_Paulo. */
    browser: z.object({ locale: z.string(), timeZone: z.string() }).optional(),
    /** The job is not started after this instant. */
    expiresAt: z.iso.datetime(),
  }),
);
export type BrowserRun = z.infer<typeof browserRun.schema>;
