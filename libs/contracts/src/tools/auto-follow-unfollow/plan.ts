import { z } from 'zod';
import { hashtagSource, ledgerTarget, listSource, runBudget, slotSource, sourceOffset } from '../run-targets.js';

export const followPlan = z.object({
  kind: z.literal('follow'),
  source: z.discriminatedUnion('kind', [hashtagSource, listSource, slotSource]),
  sourceOffset,
  /** Only for a list: how many of its pages this run may read (the ceiling for list pages). Default: no limit. */
  maxPages: z.number().int().nonnegative().optional(),
  budget: runBudget,
  /** Private accounts get a request instead of being skipped. */
  requestPrivate: z.boolean(),
});

/** Only people whom this product followed for this account are unfollowed, and `run.reserve` refuses everybody else. */
export const unfollowPlan = z.object({
  kind: z.literal('unfollow'),
  /** Those who were followed first coming first. Empty with a source. */
  targets: z.array(ledgerTarget),
  /** A list of the customer: only those of its people whom this product followed. */
  source: slotSource.optional(),
  sourceOffset,
  budget: runBudget,
});
