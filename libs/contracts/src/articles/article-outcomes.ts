import { z } from 'zod';
import { defineEvent } from '../messages/definitions.js';

/** What both outcomes of a due article have in common. */
const outcome = {
  blogAutomationId: z.uuid(),
  userId: z.uuid(),
  /** The occurrence of the schedule that `article.due` announced. */
  occurrenceAt: z.iso.datetime(),
  /** When it happened. Of two outcomes the later one counts, in whichever order they arrive. */
  at: z.iso.datetime(),
};

/** A due article was written. Published by blog. */
export const articleWritten = defineEvent('article.written', z.object({ ...outcome, articleId: z.uuid(), title: z.string() }));

/** A due article was not written, or needs its owner. Published by blog. */
export const articleFailed = defineEvent(
  'article.failed',
  z.object({
    ...outcome,
    /** Why, for programs: `policy`, `budget`, `no_topic` and others. */
    code: z.string().max(100),
    /** The sentence that the owner of the automation reads. */
    reason: z.string().max(1_000),
  }),
);
