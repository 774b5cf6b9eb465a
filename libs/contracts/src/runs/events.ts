import { z } from 'zod';
import { defineEvent, defineRequest } from '../messages/definitions.js';
import { actionOutcome, runAction, skipReason, stopSignal } from './actions.js';
import { ledgerTarget } from './job.js';

const runIdentity = z.object({
  runId: z.uuid(),
  automationId: z.uuid().nullable(),
  userId: z.uuid(),
  accountKey: z.string(),
  /** Token of the account's lease; grows with every lease. automations refuses an older one. */
  fencingToken: z.number().int().positive(),
});

/** Reservations of this run that one message names; the reports of older ones have long arrived. */
export const mostGivenBack = 50;

/**
 * Reservations of this run that were passed over untouched, newest last: their `run.action` may still be on its way, and until it
 * arrives the ledger would count them as used.
 */
const givenBack = z.array(z.uuid()).max(mostGivenBack).default([]);

/** A worker holds the account's lease and begins. Published by browser-worker. */
export const runStarted = defineEvent('run.started', runIdentity.extend({ workerId: z.string(), startedAt: z.iso.datetime() }));

/** One action was tried, settled or skipped. Published by browser-worker, once per (reservation) outcome. */
export const runActionDone = defineEvent(
  'run.action',
  runIdentity.extend({
    /** Null for a skip that was never reserved. */
    reservationId: z.uuid().nullable(),
    action: runAction,
    target: ledgerTarget,
    outcome: actionOutcome,
    skipReason: skipReason.nullable(),
    /** What shows it: the answer's root field and state, the header's word, whether it held after a reload. */
    proof: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
    /** The outcome of an earlier run's reservation, seen on the page and not done again. */
    settled: z.boolean(),
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

/** One page of a list was read. Published by browser-worker; extraction stores each (extractedDataId, page) once. */
export const runPage = defineEvent(
  'run.page',
  runIdentity.extend({
    extractedDataId: z.uuid(),
    /** Number of the page over all passes, from 0. */
    page: z.number().int().nonnegative(),
    pass: z.number().int().positive(),
    rows: z.array(collectedPerson),
    /** Where the next page begins; null at the end of a pass. */
    cursor: z.string().nullable(),
    /** Total that the profile shows; null when unknown. */
    profileTotal: z.number().int().nonnegative().nullable(),
    collectedAt: z.iso.datetime(),
  }),
);

/** Where a run left a list. Whether the list is complete is extraction's to say (`extraction.pass_ended`). */
export const listEnd = z.object({
  extractedDataId: z.uuid(),
  profileTotal: z.number().int().nonnegative().nullable(),
  cursor: z.string().nullable(),
  pass: z.number().int().positive(),
  /** Number of the page that would come next; equals the number of pages sent over all runs so far. */
  nextPage: z.number().int().nonnegative(),
  /** `pass_ended`: the network said that the list is over. `more`: it goes on at `cursor` in another run. The others end the
   * extraction, and say why there is less than the profile shows. */
  state: z.enum(['pass_ended', 'more', 'private', 'limited_by_network', 'empty_but_profile_shows_more']),
});
export type ListEnd = z.infer<typeof listEnd>;

/** The run is over. Published by browser-worker, last of all. */
export const runFinished = defineEvent(
  'run.finished',
  runIdentity.extend({
    outcome: z.enum(['done', 'partial', 'stopped']),
    /** Why it stopped; null unless `outcome` is `stopped`. */
    stop: stopSignal.nullable(),
    tried: z.number().int().nonnegative(),
    confirmed: z.number().int().nonnegative(),
    skipped: z.number().int().nonnegative(),
    /** Pages of lists that were read. */
    pages: z.number().int().nonnegative(),
    /** Only of an extraction. */
    list: listEnd.nullable(),
    /**
     * Target-level cause why nothing could be done (`target_gone`, `target_private`); null otherwise. `already_in_ledger`: the slot's list
     * ended, and held nobody who could be reserved; it may still grow while its extraction goes on.
     */
    targetProblem: skipReason.nullable(),
    /**
     * Only of a run that took people from a slot: where its next run goes on. Everybody before it was proposed and decided; some behind
     * it may have been. It never passes the last people of the list, so that a list that grows is read on.
     */
    sourceOffset: z.number().int().nonnegative().nullish(),
    /** Name of the account's own profile link; null when it was not seen. */
    username: z.string().nullable(),
    givenBack,
    finishedAt: z.iso.datetime(),
  }),
);

/**
 * "May I do this to these people?" One transaction in automations checks the fencing token, the ceilings and the ledger's
 * unique key (account, action, target) and reserves. Only a reserved action is tried.
 */
export const runReserve = defineRequest(
  'run.reserve',
  runIdentity.extend({ action: runAction, candidates: z.array(ledgerTarget).min(1).max(50), givenBack }),
  z.object({
    reserved: z.array(ledgerTarget.extend({ reservationId: z.uuid() })),
    refused: z.array(ledgerTarget.extend({ reason: skipReason })),
    /** Nothing more may be done in this run, and why; null while there is room. */
    stop: z.enum(['ceiling', 'lease_lost', 'run_over', 'account_paused']).nullable(),
  }),
);

/**
 * "May this run go on?" No when its owner or its automation is gone, when the automation was switched off, when the run's session was
 * taken away or replaced, or when automations gave the run up. Asked before the sealed session is opened, and now and then while a list
 * is read: an action asks `run.reserve` anyway. Answered by automations.
 */
export const runMayGoOn = defineRequest('run.may_go_on', runIdentity, z.object({ goOn: z.boolean() }));

/** "Who is next in this list?" Answered by extraction, in the list's order, from `offset`. */
export const slotTargets = defineRequest(
  'slot.targets',
  z.object({
    userId: z.uuid(),
    extractedDataId: z.uuid(),
    accountKey: z.string(),
    offset: z.number().int().nonnegative(),
    limit: z.number().int().min(1).max(50),
  }),
  z.object({ targets: z.array(ledgerTarget), nextOffset: z.number().int().nonnegative().nullable() }),
);
