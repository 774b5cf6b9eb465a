import { z } from 'zod';
import { defineEvent } from '../messages/definitions.js';

/** An article of a blog automation is on its customer's site. Published by blog, and once more when it was found at its public address. */
export const articleDelivered = defineEvent(
  'article.delivered',
  z.object({
    blogAutomationId: z.uuid(),
    userId: z.uuid(),
    /** The occurrence of the schedule that the article was written for; null when it was asked for by hand. */
    occurrenceAt: z.iso.datetime().nullable(),
    articleId: z.uuid(),
    siteHost: z.string(),
    /** Null for a draft, and for a receiver that names none. */
    publicUrl: z.string().nullable(),
    seen: z.boolean(),
    at: z.iso.datetime(),
  }),
);

/** A site wants no more articles: it answered 410, or five deliveries in a row failed. Published by blog; automations pauses the automation. */
export const articleSiteRefused = defineEvent(
  'article.site-refused',
  z.object({
    blogAutomationId: z.uuid(),
    userId: z.uuid(),
    siteHost: z.string(),
    cause: z.enum(['gone', 'failures']),
    /** The sentence that the owner of the automation reads. */
    reason: z.string().max(1_000),
    at: z.iso.datetime(),
  }),
);
