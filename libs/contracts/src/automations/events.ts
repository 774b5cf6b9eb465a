import { z } from 'zod';
import { defineEvent } from '../messages/definitions.js';
import { namedStop } from '../runs/actions.js';
import { automationType } from '../tools/automation-type.js';
import { blogAutomationFacts } from './blog-automation-events.js';

const automationFacts = z.object({
  automationId: z.uuid(),
  userId: z.uuid(),
  type: automationType,
  name: z.string(),
  isDraft: z.boolean(),
  isActive: z.boolean(),
  /** The configuration without any secret: the session cookie never leaves the vault. */
  configuration: z.record(z.string(), z.unknown()),
  /** Grows by one with every change of the row; a listener drops events that are not newer than the last one it applied. */
  revision: z.number().int().positive(),
});

/** An automation or a draft was created. Published by automations. */
export const automationCreated = defineEvent('automation.created', automationFacts);

/** Name, configuration or state of an automation changed. Published by automations. */
export const automationUpdated = defineEvent('automation.updated', automationFacts);

/** The platform switched an automation off, for a reason that the customer reads. Published by automations. */
export const automationPaused = defineEvent(
  'automation.paused',
  z.object({ automationId: z.uuid(), userId: z.uuid(), reasonCode: z.string(), reason: z.string(), pausedAt: z.iso.datetime() }),
);

/** An automation was deleted; the data collected for it are deleted too. Published by automations. */
export const automationDeleted = defineEvent(
  'automation.deleted',
  z.object({ automationId: z.uuid(), userId: z.uuid(), type: automationType }),
);

/** How many slots a user uses now. `sequence` grows by one per user. Published by automations. */
export const slotsChanged = defineEvent(
  'slots.changed',
  z.object({ userId: z.uuid(), used: z.number().int().nonnegative(), sequence: z.number().int().positive() }),
);

/** An article of a blog automation is due. Published by automations; blog answers with `article.written` or `article.failed`. */
export const articleDue = defineEvent(
  'article.due',
  z.object({
    blogAutomationId: z.uuid(),
    userId: z.uuid(),
    occurrenceAt: z.iso.datetime(),
    keyword: z.string(),
    theme: z.string().nullable(),
    /** The automation as it is now, for a listener that has missed a change of it. Absent from services of an earlier version. */
    automation: blogAutomationFacts.nullish(),
  }),
);

/** Why automations stop so that their customer has to know. */
export const stopCauses = ['session_ended', 'blocked', 'plan_shrank'] as const;
export type StopCause = (typeof stopCauses)[number];

/** Why a customer gets a mail. Each kind can be switched off (`profiles.notices`): stopped automations, new leads of a wheel, its last prizes. */
export const noticeCauses = [...stopCauses, 'wheel_leads', 'wheel_stock'] as const;
export type NoticeCause = (typeof noticeCauses)[number];

/**
 * Automations of a customer stopped for a cause that the customer has to know of. Published by automations, in the transaction that stops them: once for
 * each cause and account while it lasts, and again when it happens anew.
 */
export const customerNeeded = defineEvent(
  'customer.needed',
  z.object({
    userId: z.uuid(),
    cause: z.enum(stopCauses),
    /** What the network signalled; null for `plan_shrank`, and for a stop that only a newer release knows. */
    stop: namedStop,
    /** `@name` of the account; null for `plan_shrank`, and while the name is unknown. */
    account: z.string().nullable(),
    /** How many automations of the customer stopped. */
    automations: z.number().int().positive(),
    at: z.iso.datetime(),
    /** End of a block; null when it has none. `action_blocked` ends by itself then, `action_blocked_long` when the customer switches automations on. */
    until: z.iso.datetime().nullable(),
  }),
);
