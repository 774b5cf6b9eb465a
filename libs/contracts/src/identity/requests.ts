import { z } from 'zod';
import { defineRequest } from '../messages/definitions.js';

/**
 * "Where does this person read mails?" Asked by services that mail the owner of something, just before they do, so that none of them keeps addresses. Null when
 * there is no such person any more. Answered by identity.
 */
export const userAddress = defineRequest('user.address', z.object({ userId: z.uuid() }), z.object({ email: z.email().nullable() }));
