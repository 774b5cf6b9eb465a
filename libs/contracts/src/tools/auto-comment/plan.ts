import { z } from 'zod';
import { hashtagSource, runBudget, slotSource, sourceOffset } from '../run-targets.js';

export const commentPlan = z.object({
  kind: z.literal('comment'),
  /** Posts of a hashtag, or the newest post of each person of a slot. */
  source: z.discriminatedUnion('kind', [hashtagSource, slotSource]),
  sourceOffset,
  budget: runBudget,
  /** The texts that take turns. */
  texts: z.array(z.string().min(1)).min(1),
  /** How many texts the automation's earlier runs have used: this run goes on with the next one. */
  textsUsed: z.number().int().nonnegative(),
});
