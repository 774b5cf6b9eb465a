import { z } from 'zod';

/** Body of `test-webhook`. */
export const testWebhookBody = z.looseObject({ webhook_url: z.string().max(2_000), token: z.string().max(1_000) });
export type TestWebhookBody = z.infer<typeof testWebhookBody>;

/** Answer of `test-webhook`. `verified`: the site has proven that it knows the token. */
export type TestWebhookAnswer =
  | {
      success: true;
      verified: boolean;
      hint?: string;
      warnings?: string[];
      categories?: string[];
      site?: { host: string; plugin: string | null; wp: string | null };
    }
  | { success: false; error: string; code?: string };

/** Body of `retry-delivery`. `force`: also over the owner's own changes to the post. */
export const retryDeliveryBody = z.looseObject({ deliveryId: z.uuid(), force: z.boolean().nullish() });
export type RetryDeliveryBody = z.infer<typeof retryDeliveryBody>;

/** Body of `withdraw-article`: the post becomes a draft on every site that has it. */
export const withdrawArticleBody = z.looseObject({ articleId: z.uuid() });
export type WithdrawArticleBody = z.infer<typeof withdrawArticleBody>;

/** Answer of `retry-delivery`, `withdraw-article` and `revoke-previous-token`. */
export type DeliveryFunctionAnswer = { success: true } | { success: false; error: string; code?: string };
