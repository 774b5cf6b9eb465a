import { z } from 'zod';
import { networkUsername } from '../../fields/usernames.js';

export const extractListPlan = z.object({
  kind: z.literal('extract-list'),
  list: z.enum(['followers', 'following']),
  username: networkUsername,
  /** The worker asks extraction where this list goes on (`list.resume`). */
  extractedDataId: z.uuid(),
  /** How many pages this run may read (the ceiling for list pages). */
  maxPages: z.number().int().nonnegative(),
});
