import { z } from 'zod';

/** Body of `clean-blog-articles`: nothing, or the cleaning to undo, of one of its articles or of all. */
export const cleanArticlesBody = z.looseObject({ undo: z.uuid().nullish(), article_id: z.uuid().nullish() }).nullish();
export type CleanArticlesBody = z.infer<typeof cleanArticlesBody>;

/**
 * Answer of `clean-blog-articles`. After an undo `cleaned` counts the articles that are as before, and `errors` those that somebody has changed since, which
 * stay as they are.
 */
export type CleanArticlesAnswer =
  | {
      success: true;
      /** Articles that changed. */
      cleaned: number;
      /** Articles that could not be cleaned; they stay as they were. */
      errors: number;
      total: number;
      /** To undo it; null when nothing changed. */
      cleaning_id: string | null;
      /** Articles for which there was no time: the next call goes on with them. */
      unfinished: number;
    }
  | { success: false; error: string };
