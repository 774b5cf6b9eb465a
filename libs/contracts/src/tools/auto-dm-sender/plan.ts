import { z } from 'zod';
import { runBudget } from '../run-targets.js';

/** Sends a message to everybody who commented the keyword on the account's own post; each person gets one, ever. */
export const sendDmPlan = z.object({
  kind: z.literal('send-dm'),
  postCode: z.string().max(64),
  /** Matched as a whole word, without regard to case and accents (`containsKeyword`). */
  keyword: z.string().min(1),
  message: z.string().min(1),
  /** A public answer to the comment, after the message was sent; null for none. */
  reply: z.string().nullable(),
  /** Ids of people whose message an earlier run proved, and whose comment has no public answer yet: they get that answer alone. */
  answersOwed: z.array(z.string()).optional(),
  /** Older comments get nothing: a message long after the comment surprises people. */
  commentedAfter: z.iso.datetime(),
  /** How many pages of comments this run may read. */
  maxPages: z.number().int().nonnegative(),
  budget: runBudget,
});
