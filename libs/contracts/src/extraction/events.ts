import { z } from 'zod';
import { defineEvent } from '../messages/definitions.js';

export const dataTypes = ['followers', 'following', 'likes', 'comments', 'leads'] as const;
export const dataType = z.enum(dataTypes);
export type DataType = z.infer<typeof dataType>;

/**
 * Why a list ended with fewer rows than the network says it has. `deleted`: its owner deleted it. `nothing_new`: it was read again and showed nobody
 * new. `likes_hidden`: the post's author does not show who liked it. `comments_off`: the post has no comments, because its author allows none.
 * `comments_hidden`: the author shows no comments to anybody else. The others are what the network showed.
 */
export const listEndReasons = [
  'private',
  'refused',
  'limited_by_network',
  'empty_but_profile_shows_more',
  'likes_hidden',
  'comments_off',
  'comments_hidden',
  'nothing_new',
  'deleted',
] as const;
export type ListEndReason = (typeof listEndReasons)[number];

/**
 * An extraction is over: no more rows will be added, and its file can be downloaded. Repeated when a run asks for the place of a list that is over.
 * Published by extraction.
 */
export const extractionCompleted = defineEvent(
  'extraction.completed',
  z.object({
    extractedDataId: z.uuid(),
    automationId: z.uuid(),
    userId: z.uuid(),
    /** Null when the list was deleted. */
    dataType: dataType.nullable(),
    totalRecords: z.number().int().nonnegative(),
    profileTotal: z.number().int().nonnegative().nullable(),
    /** Null when the list has everybody. Absent from services of an earlier version. */
    reason: z.enum(listEndReasons).nullish(),
    completedAt: z.iso.datetime(),
  }),
);

/** A run over a list ended, all its pages are stored, and the list goes on: another run is due. Published by extraction. */
export const extractionDue = defineEvent(
  'extraction.due',
  z.object({
    extractedDataId: z.uuid(),
    automationId: z.uuid(),
    userId: z.uuid(),
    /** The run that ended. */
    runId: z.uuid(),
    /** When the next run is due: at once, or after a rest when this run brought no page. */
    dueAt: z.iso.datetime(),
    /** Rows in the list so far. */
    collected: z.number().int().nonnegative(),
    profileTotal: z.number().int().nonnegative().nullable(),
  }),
);

/**
 * All pages of one pass over a list are stored; `complete` means that no pass follows. Published by extraction for replicas of automations of an
 * earlier version, which start the next pass on it; the others use `extraction.due` and `extraction.completed`.
 */
export const extractionPassEnded = defineEvent(
  'extraction.pass_ended',
  z.object({
    extractedDataId: z.uuid(),
    automationId: z.uuid(),
    userId: z.uuid(),
    pass: z.number().int().positive(),
    /** Number of the next page; null when no pass follows. */
    nextPage: z.number().int().nonnegative().nullish(),
    collected: z.number().int().nonnegative(),
    profileTotal: z.number().int().nonnegative().nullable(),
    complete: z.boolean(),
  }),
);

/**
 * Something about a customer's wheel that its owner may want a mail about. Published by extraction, answered by identity, which knows the address and
 * whether the mail is wanted. It names no lead: what lies in a mailbox cannot be erased.
 */
export const wheelNews = defineEvent(
  'wheel.news',
  z.discriminatedUnion('kind', [
    /** Somebody spun, for owners who want a mail each time. */
    z.object({
      kind: z.literal('lead'),
      userId: z.uuid(),
      automationId: z.uuid(),
      wheel: z.string(),
      number: z.number().int().positive(),
      prize: z.string(),
      at: z.iso.datetime(),
    }),
    /** What happened since the last of these mails: all wheels of the customer with new leads. */
    z.object({
      kind: z.literal('day'),
      userId: z.uuid(),
      wheels: z.array(
        z.object({
          automationId: z.uuid(),
          wheel: z.string(),
          leads: z.number().int().positive(),
          prizes: z.array(z.object({ name: z.string(), won: z.number().int().positive() })),
          /** Hash of the chain at the newest of these leads; null when it is not known. */
          chain: z.string().nullable(),
        }),
      ),
      at: z.iso.datetime(),
    }),
    /** Few units are left of all prizes together (`low`), or none (`sold_out`). */
    z.object({
      kind: z.enum(['low', 'sold_out']),
      userId: z.uuid(),
      automationId: z.uuid(),
      wheel: z.string(),
      remaining: z.number().int().nonnegative(),
      total: z.number().int().nonnegative(),
      at: z.iso.datetime(),
    }),
  ]),
);
