import { z } from 'zod';
import { settingsLimits } from './blog-automation-limits.js';

/** What articles may state as a fact and link to. */
const source = z.object({
  title: z.string().trim().min(1).max(settingsLimits.sourceTitle),
  /** Address to link to; null for a source that is only text. */
  url: z
    .url({ protocol: /^https$/ })
    .max(settingsLimits.sourceUrl)
    .nullable()
    .default(null),
  /** What the source says: numbers and quotations of an article must stand in a source, or in the brief. */
  text: z.string().max(settingsLimits.sourceText).default(''),
});

/** `blog_automations.settings`: how the articles of an automation are written. Everything is optional. */
export const blogAutomationSettings = z.object({
  /** Words of an article. Default: 900 to 1,400 */
  length: z
    .object({
      min: z.number().int().min(settingsLimits.minWords).max(settingsLimits.maxWords),
      max: z.number().int().min(settingsLimits.minWords).max(settingsLimits.maxWords),
    })
    .refine(({ min, max }) => min <= max)
    .optional(),
  tone: z.string().max(settingsLimits.tone).optional(),
  /** What the writer has to know: the business, its readers, what to mention and what not. */
  brief: z.string().max(settingsLimits.brief).optional(),
  sources: z.array(source).max(settingsLimits.sources).optional(),
  /** Whether an article waits for its owner's approval: never, only when the gate has a doubt, or always. Default: `in_doubt` */
  approval: z.enum(['never', 'in_doubt', 'always']).optional(),
  /** How a customer's site receives it. Default: `publish` */
  publishMode: z.enum(['publish', 'draft']).optional(),
  /** Whether it gets a cover. Default: true */
  image: z.boolean().optional(),
  /** Whether it ends with the line that says it was written with the help of AI. Default: false */
  disclosure: z.boolean().optional(),
});
export type BlogAutomationSettings = z.infer<typeof blogAutomationSettings>;
