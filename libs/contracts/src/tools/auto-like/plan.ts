import { z } from 'zod';
import { feedSource, hashtagSource, runBudget, slotSource, sourceOffset } from '../run-targets.js';

export const likePlan = z.object({
  kind: z.literal('like'),
  /** Posts of a hashtag or of the account's own feed, or the newest post of each person of a slot. */
  source: z.discriminatedUnion('kind', [hashtagSource, feedSource, slotSource]),
  sourceOffset,
  budget: runBudget,
});
