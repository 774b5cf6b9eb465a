import { z } from 'zod';

/** Types of `automations` rows; blog automations have a table of their own. */
export const automationTypes = [
  'auto-follow-unfollow',
  'auto-like',
  'auto-comment',
  'auto-dm-sender',
  'prize-extractor',
  'followers-following-extractor',
  'post-interactions-extractor',
  'mass-story-viewer',
] as const;
export const automationType = z.enum(automationTypes);
export type AutomationType = z.infer<typeof automationType>;

/** Slots that one published automation uses, on or off. A draft uses none. */
export function slotCost(type: AutomationType | 'blog-automation'): 1 | 2 {
  return type === 'blog-automation' || type === 'auto-dm-sender' ? 2 : 1;
}
