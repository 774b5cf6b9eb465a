import { z } from 'zod';
import { defineEvent, defineRequest } from '../messages/definitions.js';

/**
 * Somebody spun a wheel and won. Published by prize-wheel, once per participation, when the draw is committed. The lead's answers live in extraction:
 * prize-wheel keeps the handle, the prize and the code.
 */
export const leadCaptured = defineEvent(
  'lead.captured',
  z.object({
    participationId: z.uuid(),
    automationId: z.uuid(),
    /** Owner of the wheel. */
    userId: z.uuid(),
    /** Position of the participation in its wheel, from 1. */
    number: z.number().int().positive(),
    capturedAt: z.iso.datetime(),
    /** `@handle`, lower case. */
    handle: z.string(),
    /** The visitor's answers by the name of the lead field. */
    fields: z.record(z.string(), z.string()),
    prize: z.object({ id: z.string(), name: z.string(), type: z.enum(['digital', 'physical']) }),
    /** Code of the prize, without hyphens. */
    code: z.string(),
    /** What the visitor agreed to; null when the wheel asked nothing. `sha256` (hexadecimal) is that of the sentences shown. */
    consent: z
      .object({
        version: z.string(),
        sha256: z.string(),
        accepted: z.boolean(),
        channels: z.array(z.enum(['whatsapp', 'email', 'telefone'])),
        at: z.iso.datetime(),
      })
      .nullish(),
    /** When the prize expires; null when it never does. Absent from services of an earlier version. */
    validUntil: z.iso.datetime().nullish(),
    /** Hash of the draw's line in the wheel's chain (hexadecimal). Absent from services of an earlier version. */
    hash: z.string().nullish(),
  }),
);

/** States of a prize: it waits for its winner, was handed over, was not collected in time, or was taken back by the wheel's owner. */
export const prizeStates = ['won', 'delivered', 'expired', 'voided'] as const;

/** What events about one participation have in common. They follow its `lead.captured` on the same subject. */
const aboutParticipation = {
  participationId: z.uuid(),
  automationId: z.uuid(),
  /** Owner of the wheel. */
  userId: z.uuid(),
  /** Position of the participation in its wheel, from 1. */
  number: z.number().int().positive(),
  at: z.iso.datetime(),
};

/**
 * A lead was erased: by the person, or because the wheel's retention ended. Published by prize-wheel, which has erased its own part. Whoever keeps
 * anything of the lead erases it too, and ignores a `lead.captured` of the same participation that arrives later.
 */
export const leadErased = defineEvent('lead.erased', z.object({ ...aboutParticipation, cause: z.enum(['person', 'retention']) }));

/** A person withdrew what they had allowed. Published by prize-wheel. */
export const leadConsentChanged = defineEvent(
  'lead.consent_changed',
  z.object({
    ...aboutParticipation,
    /** The channels over which news may still be sent. */
    channels: z.array(z.enum(['whatsapp', 'email', 'telefone'])),
  }),
);

/** A prize was delivered, its delivery was undone, it was taken back, or its time ended. Published by prize-wheel, once per change. */
export const prizeStateChanged = defineEvent(
  'prize.state_changed',
  z.object({
    ...aboutParticipation,
    state: z.enum(prizeStates),
    prize: z.object({ id: z.string(), name: z.string(), type: z.enum(['digital', 'physical']) }),
  }),
);

/**
 * The units of a wheel, or of one of its prizes, went down to a tenth of what was offered (`low`), or to none (`sold_out`). Published by prize-wheel,
 * once each until the owner changes the number of units.
 */
export const prizeStockLow = defineEvent(
  'prize.stock_low',
  z.object({
    automationId: z.uuid(),
    /** Owner of the wheel. */
    userId: z.uuid(),
    /** Null: all prizes of the wheel together. */
    prizeId: z.string().nullable(),
    prizeName: z.string().nullable(),
    kind: z.enum(['low', 'sold_out']),
    remaining: z.number().int().nonnegative(),
    total: z.number().int().nonnegative(),
    at: z.iso.datetime(),
  }),
);

/**
 * "What is stored about this lead?" Asked by prize-wheel when the person looks at their own data. Answered by extraction, which keeps the answers; `lead`
 * is null when nothing is stored about it.
 */
export const leadRead = defineRequest(
  'lead.read',
  z.object({ participationId: z.uuid() }),
  z.object({
    lead: z
      .object({
        /** The visitor's answers by the name of the lead field, as `lead.captured` had them. */
        fields: z.record(z.string(), z.string()),
      })
      .nullable(),
  }),
);
