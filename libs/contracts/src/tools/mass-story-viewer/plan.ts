import { z } from 'zod';
import { feedSource, hashtagSource, runBudget, slotSource, sourceOffset } from '../run-targets.js';

/** One story is watched of each person: the first that the account has not seen. */
export const viewStoryPlan = z.object({
  kind: z.literal('view-story'),
  /** People of the account's own stories tray, authors of a hashtag's posts, or people of a slot. */
  source: z.discriminatedUnion('kind', [feedSource, hashtagSource, slotSource]),
  sourceOffset,
  budget: runBudget,
});
