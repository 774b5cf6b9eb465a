import { z } from 'zod';
import { blogScheduleTypes } from './blog-schedule.js';
import { defineEvent } from '../messages/definitions.js';
import { blogAutomationSettings } from './blog-automation-settings.js';

/** A blog automation as it is: what blog keeps a copy of. */
export const blogAutomationFacts = z.object({
  blogAutomationId: z.uuid(),
  userId: z.uuid(),
  /** `editorial`: its articles are published on the product's own blog; `customer`: on the customer's site. */
  origin: z.enum(['customer', 'editorial']),
  /** Keywords, separated by commas. */
  keyword: z.string(),
  theme: z.string().nullable(),
  /** Categories of the site, separated by commas. */
  categories: z.string().nullable(),
  webhookUrl: z.string().nullable(),
  schedule: z.object({
    type: z.enum(blogScheduleTypes),
    /** `HH:MM` in Brasília. */
    time: z.string(),
    /** 0 (Sunday) to 6; weekly only. */
    days: z.array(z.number().int()).nullable(),
    /** 1 to 31; monthly only. */
    dayOfMonth: z.number().int().nullable(),
  }),
  /** Settings that this version does not know are dropped; none are left when it cannot read one of them. */
  settings: blogAutomationSettings.catch({}),
  isActive: z.boolean(),
  /** Grows by one with every change; a listener drops events that are not newer than the last one it applied. */
  revision: z.number().int().positive(),
});
export type BlogAutomationFacts = z.infer<typeof blogAutomationFacts>;

/**
 * A blog automation was created or changed. Published by automations with every change, and again about once a day without one: a service that did not
 * listen yet, or lost a message, catches up.
 */
export const blogAutomationSaved = defineEvent('blog-automation.saved', blogAutomationFacts);

/** A blog automation was deleted. Published by automations. */
export const blogAutomationDeleted = defineEvent('blog-automation.deleted', z.object({ blogAutomationId: z.uuid(), userId: z.uuid() }));
