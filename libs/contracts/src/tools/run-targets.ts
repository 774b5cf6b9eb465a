import { z } from 'zod';
import { networkUsername } from '../fields/usernames.js';

const networkId = z.string().regex(/^\d+$/);

/**
 * What an action is done to: a person, a post, the stories of a person, or a comment (`actionFacts` tells which). `username` is the person, or
 * the author of the post or comment.
 */
export const ledgerTarget = z.object({
  /** Numeric id on the network: of the person, post or comment; of the person for stories. */
  targetId: networkId,
  username: networkUsername,
  /** Id of the author of a post or comment. */
  authorId: networkId.optional(),
  /** Shortcode of the post, or of the comment's post. */
  postCode: z.string().max(64).optional(),
});
export type LedgerTarget = z.infer<typeof ledgerTarget>;

/** Sources of people and posts; the plan of a run names those that it can use. */
export const hashtagSource = z.object({ kind: z.literal('hashtag'), hashtag: z.string().min(1) });
/** The followers of another account. */
export const listSource = z.object({ kind: z.literal('list'), username: networkUsername });
/** Rows of an extraction; the worker asks `slot.targets` for the next ones. */
export const slotSource = z.object({ kind: z.literal('slot'), extractedDataId: z.uuid() });
/** The account's own start page: posts of people whom it follows, and their stories. */
export const feedSource = z.object({ kind: z.literal('feed') });
export type TargetSource = z.infer<typeof hashtagSource | typeof listSource | typeof slotSource | typeof feedSource>;

/** How many actions a run may do; the ceilings may allow fewer. */
export const runBudget = z.number().int().min(0).max(5);

/** Only for a slot: where an earlier run of this automation stopped (`sourceOffset` of its `run.finished`). Default: 0. */
export const sourceOffset = z.number().int().nonnegative().optional();
