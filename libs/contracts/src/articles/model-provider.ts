import { z } from 'zod';
import { defineEvent } from '../messages/definitions.js';

/**
 * The provider of the language model refuses every call, so articles wait until an administrator acts. Once for each outage, however many articles and
 * replicas meet it. Published by blog; identity tells the administrators.
 */
export const modelProviderDown = defineEvent(
  'model-provider.down',
  z.object({
    /** Host of the provider. */
    provider: z.string().max(300),
    /** `quota`: no money is left; `key`: the key is refused; `model`: the model is unknown; `not_configured`: there is no provider. */
    cause: z.string().max(50),
    at: z.iso.datetime(),
  }),
);
