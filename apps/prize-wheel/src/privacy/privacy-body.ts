import { consentChannels } from '@decola/contracts';
import { z } from 'zod';

/** Body of `lead-privacy`. The code may be typed in any case, with or without hyphens. */
export const privacyBody = z.looseObject({
  code: z.string().max(50),
  action: z.enum(['see', 'copy', 'withdraw', 'erase']),
  /** Channel to withdraw; none means all. */
  channel: z.enum(consentChannels).nullish(),
});
export type PrivacyBody = z.infer<typeof privacyBody>;
