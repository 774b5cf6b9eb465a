import { availableParallelism } from 'node:os';
import argon2 from 'argon2';
import pLimit from 'p-limit';
import { AuthError, weakPassword } from '../auth-protocol/auth.errors.js';
import { passwordTexts as texts } from '../texts/texts.js';

/** First choice of OWASP's password storage cheat sheet: argon2id with 19 MiB, 2 passes, 1 lane. */
const parameters = { type: argon2.argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * Hashes computed at the same time. They occupy libuv's pool of four threads, which the authentication of new database connections also
 * needs: without a limit a burst of sign-ins would let those time out.
 */
const withLimit = pLimit(Math.min(3, availableParallelism()));

const maxBytes = 72;
const signUpLength = 8;
const changedLength = 6;
const signUpRules: readonly { holds: (password: string) => boolean; reason: 'length' | 'characters'; message: string }[] = [
  { holds: (password) => password.length >= signUpLength, reason: 'length', message: texts.length(signUpLength) },
  { holds: (password) => /[A-Z]/.test(password), reason: 'characters', message: texts.upperCase },
  { holds: (password) => /[a-z]/.test(password), reason: 'characters', message: texts.lowerCase },
  { holds: (password) => /\d/.test(password), reason: 'characters', message: texts.digit },
  { holds: (password) => /[!@#$%^&*(),.?":{}|<>]/.test(password), reason: 'characters', message: texts.special },
];

function requireMaxBytes(password: string): void {
  if (Buffer.byteLength(password) > maxBytes) throw new AuthError(400, 'validation_failed', 'Password cannot be longer than 72 characters');
}

/** Which rules for new accounts a password breaks; null when it breaks none. */
export function weaknessOf(password: string): { reasons: string[]; message: string } | null {
  const broken = signUpRules.filter(({ holds }) => !holds(password));
  if (broken.length === 0) return null;
  return { reasons: [...new Set(broken.map(({ reason }) => reason))], message: `${broken.map(({ message }) => message).join('. ')}.` };
}

/** @throws AuthError when a password breaks the specification's rules for a new account */
export function requireSignUpPassword(password: string): void {
  requireMaxBytes(password);
  const weakness = weaknessOf(password);
  if (weakness) throw weakPassword(weakness.reasons, weakness.message);
}

/** A changed password has weaker rules than the first one (specification, account page). @throws AuthError when it breaks them */
export function requireChangedPassword(password: string): void {
  requireMaxBytes(password);
  if (password.length < changedLength) throw weakPassword(['length'], texts.changedLength(changedLength));
}

export function hashPassword(password: string): Promise<string> {
  return withLimit(() => argon2.hash(password, parameters));
}

let decoy: Promise<string> | undefined;

/**
 * Checks a password.
 * @param hash null for an unknown person or one without a password: the answer is false after the same work, so that its duration reveals
 * nothing
 */
export async function verifyPassword(hash: string | null, password: string): Promise<boolean> {
  const against = hash ?? (await (decoy ??= hashPassword('nobody has this password')));
  const matches = await withLimit(() => argon2.verify(against, password)).catch(() => false);
  return hash !== null && matches;
}
