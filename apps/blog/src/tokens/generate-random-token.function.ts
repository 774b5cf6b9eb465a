import { randomBytes } from 'node:crypto';
import { defineFunction, denied } from '@decola/table-api';

const tokenBytes = 32;

/** Returns a new random token. It is not stored: the page saves it in `user_tokens` when the customer keeps it. */
export const generateRandomToken = defineFunction({
  name: 'generate_random_token',
  arguments: {},
  returns: 'scalar',
  call: ({ caller }) => {
    if (caller.role !== 'authenticated') throw denied(true, 'permission denied for function generate_random_token');
    return Promise.resolve(randomBytes(tokenBytes).toString('base64url'));
  },
});
