import { z } from 'zod';

const instant = z.iso.datetime({ offset: true });

/** Targets that a preview shows, besides those that would be passed over. */
export const previewTargets = 10;
/** Targets that would be passed over which a preview shows at most: it ends when it has met so many. */
export const previewPassedOver = 20;
/** A newer preview of one automation is made this long after the one before; until then that one is answered. */
export const previewEveryMinutes = 10;

export const previewStates = ['waiting', 'reading', 'done', 'failed'] as const;

/** One target of a preview, in the order in which runs would come to it. */
export const previewItem = z.object({
  /** Empty when the page does not tell whose post or list it is. */
  target_username: z.string(),
  post_code: z.string().nullable(),
  /** What would be written: a comment or a message. */
  text: z.string().nullable(),
  /** Why it is a target, as a sentence. For an extraction: whose list it is, and what the file will contain. */
  why: z.string(),
  /** False for a target that would be passed over. */
  would: z.boolean(),
  /** Why it would be passed over, as a sentence; null when it would not. */
  reason: z.string().nullable(),
});
export type PreviewItem = z.infer<typeof previewItem>;

/**
 * A row of `rest/v1/previews`: what the next runs of an automation would do, found by a dry run. `waiting`: it was asked for; `reading`: a browser
 * reads the pages, and `items` grows; `done`; `failed`: it could not be made, and may be asked for again at once.
 */
export const previewRow = z.object({
  id: z.uuid(),
  automation_id: z.uuid(),
  user_id: z.uuid(),
  state: z.enum(previewStates),
  /** Sentence for the customer: why it failed, or why `items` has fewer targets than could be expected; null when there is nothing to say. */
  reason: z.string().nullable(),
  items: z.array(previewItem),
  created_at: instant,
  finished_at: instant.nullable(),
});
export type PreviewRow = z.infer<typeof previewRow>;
