import { z } from 'zod';
import type { CheckAnswer, PublicWheel, SpinAnswer, StateAnswer, VisitRefusal } from './page-answers.js';

/*
 * Exact shapes of what the function `prize-extractor` answers, for tests: a field too many is an error, so nothing can get to visitors unnoticed. The pages
 * use the types of `page-answers.ts`.
 */

const prizeType = z.enum(['digital', 'physical']);
const channel = z.enum(['whatsapp', 'email', 'telefone']);

const publicWheel: z.ZodType<PublicWheel> = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  prizes: z.array(z.strictObject({ id: z.string(), name: z.string(), type: prizeType, isAvailable: z.boolean() })),
  leadFields: z.array(z.strictObject({ id: z.string(), name: z.string(), label: z.string(), required: z.boolean() })),
  isExhausted: z.boolean(),
  isEnded: z.boolean(),
  closed: z.strictObject({ code: z.enum(['not_started', 'ended', 'round_closed', 'exhausted']), text: z.string() }).nullable(),
  theme: z.strictObject({ colour: z.string().nullable(), logo: z.string().nullable() }),
  promotion: z.strictObject({
    company: z.string(),
    contact: z.string(),
    minAge: z.number(),
    rulesUrl: z.string().nullable(),
    authorisation: z.string().nullable(),
    startsAt: z.string().nullable(),
    endsAt: z.string().nullable(),
  }),
  consent: z
    .strictObject({
      version: z.string(),
      channels: z.array(channel),
      retentionDays: z.number(),
      texts: z.strictObject({
        notice: z.string(),
        required: z.string(),
        channels: z.array(z.strictObject({ channel, text: z.string() })),
      }),
    })
    .nullable(),
  isCodeMailed: z.boolean(),
  isEvent: z.boolean(),
  domains: z.array(z.string()),
  fairness: z.strictObject({ round: z.number().int(), commitment: z.string().regex(/^[0-9a-f]{64}$/) }).nullable(),
});

const result = {
  winner: z.strictObject({ id: z.string(), name: z.string(), type: prizeType, message: z.string().nullable() }),
  participation: z.strictObject({
    number: z.number().int().positive(),
    drawnAt: z.iso.datetime(),
    state: z.enum(['won', 'delivered', 'expired', 'voided']),
    code: z.string().nullable(),
    receiptUrl: z.string().nullable(),
    coupon: z.string().nullable().optional(),
    repeated: z.boolean(),
  }),
};

export const stateAnswer: z.ZodType<StateAnswer> = z.strictObject({ success: z.literal(true), wheel: publicWheel, formToken: z.string() });
export const checkAnswer: z.ZodType<CheckAnswer> = z.strictObject({ success: z.literal(true), earlier: z.strictObject(result).nullable() });
export const spinAnswer: z.ZodType<SpinAnswer> = z.strictObject({ success: z.literal(true), ...result });
export const visitRefusal: z.ZodType<VisitRefusal> = z.strictObject({
  success: z.literal(false),
  error: z.string(),
  code: z.string(),
  field: z.string().optional(),
  challenge: z
    .strictObject({
      parameters: z.strictObject({
        algorithm: z.string(),
        nonce: z.string(),
        salt: z.string(),
        cost: z.number(),
        keyLength: z.number(),
        keyPrefix: z.string(),
        keySignature: z.string().optional(),
        expiresAt: z.number().optional(),
        data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
      }),
      signature: z.string().optional(),
    })
    .optional(),
});
