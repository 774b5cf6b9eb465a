import { z } from 'zod';
import { defineEvent } from '../messages/definitions.js';

/**
 * Something that a customer sees has changed: which of their REST tables have other rows now. It carries no rows; the web app reads the tables again.
 * One per customer and transaction. Published by automations, extraction and blog, heard by every replica of the gateway (docs/decisions/0035-live-changes.md).
 */
export const customerChanged = defineEvent(
  'customer.changed',
  z.object({
    userId: z.uuid(),
    /** Names of REST tables and functions, each once. */
    tables: z.array(z.string().min(1)).min(1),
    /** The automation that all of the changes are about; null when they are about several, or about none. */
    automationId: z.uuid().nullable(),
    /** The Instagram account (`instagram_accounts.id`) that all of the changes are about; null when they are about several, or about none. */
    accountId: z.uuid().nullable(),
  }),
);
