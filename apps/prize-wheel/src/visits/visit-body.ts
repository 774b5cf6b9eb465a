import { z } from 'zod';

/** Key of one spin, made by the visitor's page. */
const spinKey = z.string().regex(/^[0-9a-f]{32}$/);

const word = z.string().max(200);

/** A solved challenge of altcha-lib; its signature covers all parameters, so unknown ones are kept. */
const proof = z.object({
  challenge: z.object({
    parameters: z.looseObject({
      algorithm: word,
      nonce: word,
      salt: word,
      cost: z.number(),
      keyLength: z.number(),
      keyPrefix: word,
      keySignature: word.optional(),
      expiresAt: z.number().optional(),
      data: z.record(word, z.union([word, z.number(), z.boolean(), z.null()])).optional(),
    }),
    signature: word.optional(),
  }),
  solution: z.object({ counter: z.number().int().min(0).max(0xffffffff), derivedKey: word, time: z.number().optional() }),
});

/** Body of `prize-extractor`. Values of a wrong type are refused as malformed; what is missing is told in the visitor's words. */
export const visitBody = z.looseObject({
  automationId: z.string().max(200).nullish(),
  token: z.string().max(500).nullish(),
  action: z.enum(['state', 'check', 'spin']).nullish(),
  leadData: z.record(z.string().max(100), z.unknown()).nullish(),
  spinKey: spinKey.nullish(),
  consent: z
    .object({
      version: z
        .string()
        .max(50)
        .regex(/^[\w.]*$/),
      accepted: z.boolean(),
      channels: z.array(word).max(10).nullish(),
    })
    .nullish(),
  proof: proof.nullish(),
  formToken: word.nullish(),
  /** Hidden from people: only programs fill it. */
  site: z.string().max(1_000).nullish(),
  /** With `state`: a person sees the page now. */
  view: z.boolean().nullish(),
});
export type VisitBody = z.infer<typeof visitBody>;
