import { z } from 'zod';

/** Body of `prize-redemption`. The code may be typed in any case, with or without hyphens. */
export const redemptionBody = z.looseObject({
  code: z.string().max(50),
  action: z.enum(['look', 'deliver', 'undo', 'void']),
  /** Why a prize is taken back. */
  reason: z.string().max(500).nullish(),
  /** Whether the winner of a prize that is taken back may spin again. */
  allowAgain: z.boolean().nullish(),
});
export type RedemptionBody = z.infer<typeof redemptionBody>;

/** Body of `wheel-round`. */
export const roundBody = z.looseObject({ automationId: z.uuid(), action: z.enum(['open', 'close']) });
export type RoundBody = z.infer<typeof roundBody>;

/** Body of `prize-audit`. */
export const auditBody = z.looseObject({ automationId: z.uuid() });
export type AuditBody = z.infer<typeof auditBody>;
