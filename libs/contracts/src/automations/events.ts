import { z } from 'zod';
import { defineEvent } from '../messages/definitions.js';
import { automationType } from './types.js';

const automationFacts = z.object({
  automationId: z.uuid(),
  userId: z.uuid(),
  type: automationType,
  name: z.string(),
  isDraft: z.boolean(),
  isActive: z.boolean(),
  /** The configuration without any secret: the session cookie never leaves the vault. */
  configuration: z.record(z.string(), z.unknown()),
  /** Grows by one with every change of the row; a listener drops what is not newer. */
  revision: z.number().int().positive(),
});

/** An automation (or a draft of one) was made. Published by automations. */
export const automationCreated = defineEvent('automation.created', automationFacts);

/** Name, configuration or state of an automation changed. Published by automations. */
export const automationUpdated = defineEvent('automation.updated', automationFacts);

/** An automation was switched off by the platform, with the reason the customer sees. Published by automations. */
export const automationPaused = defineEvent(
  'automation.paused',
  z.object({ automationId: z.uuid(), userId: z.uuid(), reasonCode: z.string(), reason: z.string(), pausedAt: z.iso.datetime() }),
);

/** An automation is gone; what was collected for it goes too. Published by automations. */
export const automationDeleted = defineEvent(
  'automation.deleted',
  z.object({ automationId: z.uuid(), userId: z.uuid(), type: automationType }),
);

/** How many slots a user uses now. `sequence` grows by one per user. Published by automations. */
export const slotsChanged = defineEvent(
  'slots.changed',
  z.object({ userId: z.uuid(), used: z.number().int().nonnegative(), sequence: z.number().int().positive() }),
);

/** A weekly article is due. Published by automations, answered by blog. */
export const articleDue = defineEvent(
  'article.due',
  z.object({
    blogAutomationId: z.uuid(),
    userId: z.uuid(),
    occurrenceAt: z.iso.datetime(),
    keyword: z.string(),
    theme: z.string().nullable(),
  }),
);
