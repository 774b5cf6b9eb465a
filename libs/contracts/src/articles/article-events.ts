import { z } from 'zod';
import { defineEvent } from '../messages/definitions.js';

/** What happened to an article of the product's own blog. Articles for customers' sites are not meant. */
const articleFacts = z.object({
  articleId: z.uuid(),
  /** The article is at `/blog/{slug}`; of a withdrawn one: it was there. */
  slug: z.string(),
  /** Its slug before, when it has another one now. */
  previousSlug: z.string().nullish(),
  at: z.iso.datetime({ offset: true }),
});

/** An article can be read by everybody from now on, for the first time or again. Published by blog. */
export const articlePublished = defineEvent('article.published', articleFacts);

/** Something that readers see of a published article has changed; its number of views does not count. Published by blog. */
export const articleUpdated = defineEvent('article.updated', articleFacts);

/** An article can no longer be read: it is a draft again, or deleted. Published by blog. */
export const articleWithdrawn = defineEvent('article.withdrawn', articleFacts);
