import { z } from 'zod';
import { pricesText } from './prices.config.js';
import { usualCategories } from '../texts/texts.js';

const secondsList = (fallback: string) =>
  z
    .string()
    .regex(/^\d+(\.\d+)?(,\d+(\.\d+)?)*$/, 'must be seconds, separated by commas')
    .default(fallback)
    .transform((text) => text.split(',').map(Number));

/** The language model and the limits of what it may cost: any server that speaks OpenAI's Chat Completions. */
export const aiConfig = {
  AI_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'address of a server that speaks OpenAI’s Chat Completions, such as https://api.openai.com/v1; without it no article is written',
    ),
  AI_API_KEY: z.string().default('none').describe('key of that server'),
  AI_MODEL: z.string().optional().describe('model that writes articles'),
  AI_REVIEW_MODEL: z.string().optional().describe('model that reviews them; default: the same'),
  AI_IMAGE_MODEL: z.string().optional().describe('model that makes pictures; without one covers are drawn'),
  AI_PRICES: pricesText
    .default({})
    .describe(
      'prices in R$ of a million tokens by model, as JSON: {"model": {"input": 12.5, "output": 50}}; administrators see what each article cost',
    ),
  AI_STRUCTURED: z
    .enum(['auto', 'json_schema', 'json_object', 'text'])
    .default('auto')
    .describe('how JSON is asked for; auto begins with json_schema and steps down when the server refuses it'),
  BLOG_CATEGORIES: z
    .string()
    .default(usualCategories.join(','))
    .transform((text) => text.split(',').map((name) => name.trim()))
    .pipe(z.array(z.string().min(1)).min(1))
    .describe('categories of the articles of our own blog, separated by commas'),
  AI_OWNER_MONTHLY_TOKENS: z.coerce
    .number()
    .int()
    .min(1)
    .default(1_500_000)
    .describe('tokens that the articles of one person may use in a month'),
  AI_DAILY_TOKENS: z.coerce.number().int().min(1).default(10_000_000).describe('tokens that all articles together may use in a day'),
  AI_ARTICLE_TOKENS: z.coerce.number().int().min(1).default(32_000).describe('tokens that one article may use'),
  AI_MANUAL_PER_DAY: z.coerce
    .number()
    .int()
    .min(1)
    .default(20)
    .describe('articles that one person may ask for by hand, or try again, in a day'),
  AI_PREVIEWS_PER_DAY: z.coerce.number().int().min(1).default(10).describe('how often a person may have new topics proposed in a day'),
  AI_RETRY_SECONDS: secondsList('2,10,40').describe('pauses before a failed call to the model is repeated'),
  ARTICLE_RETRY_SECONDS: secondsList('300,1800,7200').describe(
    'pauses of an article that waits for the model; after the last one it fails',
  ),
  ARTICLE_LEASE_SECONDS: z.coerce
    .number()
    .min(1)
    .default(600)
    .describe('how long an article belongs to a replica that shows no sign of life'),
  ARTICLE_STEPS_DAYS: z.coerce
    .number()
    .min(1)
    .default(30)
    .describe('days that outline, drafts and review are kept after an article is finished; until then a failed one goes on from them'),
  AI_CALLS_DAYS: z.coerce
    .number()
    .min(1)
    .default(90)
    .describe('days that each call to the model is kept; what an article used and cost stays with its run'),
  ARTICLE_WAIT_SECONDS: z.coerce.number().min(0).default(110).describe('how long generate-blog-articles waits for its article'),
};
