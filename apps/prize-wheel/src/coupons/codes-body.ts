import { couponLimits } from '@decola/contracts';
import { z } from 'zod';

/** Body of `prize-codes`. */
export const codesBody = z.looseObject({
  automationId: z.uuid(),
  prizeId: z.string().min(1).max(100),
  action: z.enum(['add', 'list', 'remove']),
  codes: z.array(z.string().trim().max(couponLimits.length)).max(couponLimits.perCall).nullish(),
  /** `next` of the page before. */
  after: z
    .string()
    .regex(/^\d{1,15}$/)
    .nullish(),
});
export type CodesBody = z.infer<typeof codesBody>;
