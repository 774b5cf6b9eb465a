import { z } from 'zod';
import { defineEvent } from '../messages/definitions.js';

export const dataTypes = ['followers', 'following', 'likes', 'comments', 'leads'] as const;
export const dataType = z.enum(dataTypes);
export type DataType = z.infer<typeof dataType>;

/** A list is as complete as it will be and its file is there. Published by extraction. */
export const extractionCompleted = defineEvent(
  'extraction.completed',
  z.object({
    extractedDataId: z.uuid(),
    automationId: z.uuid(),
    userId: z.uuid(),
    dataType,
    totalRecords: z.number().int().nonnegative(),
    profileTotal: z.number().int().nonnegative().nullable(),
    completedAt: z.iso.datetime(),
  }),
);

/**
 * All pages of one pass are stored. The network's lists lose rows, so a pass that brought news is followed by another until
 * the profile's total is reached or a pass brings nothing. `complete` ends it. Published by extraction; automations starts
 * the next pass.
 */
export const extractionPassEnded = defineEvent(
  'extraction.pass_ended',
  z.object({
    extractedDataId: z.uuid(),
    automationId: z.uuid(),
    userId: z.uuid(),
    pass: z.number().int().positive(),
    collected: z.number().int().nonnegative(),
    profileTotal: z.number().int().nonnegative().nullable(),
    complete: z.boolean(),
  }),
);
