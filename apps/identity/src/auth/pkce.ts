import { createHash, timingSafeEqual } from 'node:crypto';
import { validationFailed } from './auth.errors.js';

export interface Challenge {
  challenge: string;
  method: 's256' | 'plain';
}

/** The PKCE pair of a request; null when there is none. @throws AuthError when one half is missing or malformed */
export function readChallenge(challenge: string | null | undefined, method: string | null | undefined): Challenge | null {
  if (!challenge && !method) return null;
  if (!challenge || !method) throw validationFailed('PKCE flow requires code_challenge_method and code_challenge');
  const normal = method.toLowerCase();
  if (normal !== 's256' && normal !== 'plain') throw validationFailed('code_challenge_method must be s256 or plain');
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(challenge)) throw validationFailed('code challenge does not comply with requirements');
  return { challenge, method: normal };
}

export function fulfils(verifier: string, { challenge, method }: Challenge): boolean {
  const given = Buffer.from(method === 's256' ? createHash('sha256').update(verifier).digest('base64url') : verifier);
  const expected = Buffer.from(challenge);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
