import { createHash, timingSafeEqual } from 'node:crypto';
import { validationFailed } from '../auth-protocol/auth.errors.js';

/** The challenge of a PKCE pair (RFC 7636). */
export interface Challenge {
  challenge: string;
  method: 's256' | 'plain';
}

/** Reads the PKCE challenge of a request; null when there is none. @throws AuthError when challenge or method is missing or malformed */
export function readChallenge(challenge: string | null | undefined, method: string | null | undefined): Challenge | null {
  if (!challenge && !method) return null;
  if (!challenge || !method) throw validationFailed('PKCE flow requires code_challenge_method and code_challenge');
  const normal = method.toLowerCase();
  if (normal !== 's256' && normal !== 'plain') throw validationFailed('code_challenge_method must be s256 or plain');
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(challenge)) throw validationFailed('code challenge does not comply with requirements');
  return { challenge, method: normal };
}

/** Whether `verifier` is the secret behind the challenge. */
export function isVerifierOf(verifier: string, { challenge, method }: Challenge): boolean {
  const given = Buffer.from(method === 's256' ? createHash('sha256').update(verifier).digest('base64url') : verifier);
  const expected = Buffer.from(challenge);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
