import { z } from 'zod';
import { networkUsername } from '../../fields/usernames.js';

/** Reads who liked a post, or the comments on it with their replies. */
export const extractInteractionsPlan = z.object({
  kind: z.literal('extract-interactions'),
  list: z.enum(['likes', 'comments']),
  postCode: z.string().max(64),
  /** Who published the post, as far as its URL says. A post that is not shown may be one of a private profile: only the profile tells. */
  author: networkUsername.nullable(),
  /** The worker asks extraction where this list goes on (`list.resume`). */
  extractedDataId: z.uuid(),
  /** How many pages this run may read (the ceiling for list pages). */
  maxPages: z.number().int().nonnegative(),
});
