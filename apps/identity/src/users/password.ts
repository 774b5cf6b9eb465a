import { availableParallelism } from 'node:os';
import argon2 from 'argon2';
import pLimit from 'p-limit';
import { AuthError, weakPassword } from '../auth/auth.errors.js';

/** argon2id with the parameters that OWASP's password storage sheet gives as its first choice (19 MiB, 2 passes, 1 lane). */
const parameters = { type: argon2.argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * Hashes at a time. They run on the four threads that the database's log-in and others share: a burst of log-ins would leave those
 * waiting until they time out.
 */
const atOnce = pLimit(Math.min(3, availableParallelism()));

const maxBytes = 72;
const changeMinimum = 6;
const signUpRules: readonly { holds: (password: string) => boolean; reason: 'length' | 'characters'; message: string }[] = [
  { holds: (password) => password.length >= 8, reason: 'length', message: 'Mínimo 8 caracteres' },
  { holds: (password) => /[A-Z]/.test(password), reason: 'characters', message: 'Pelo menos 1 letra maiúscula' },
  { holds: (password) => /[a-z]/.test(password), reason: 'characters', message: 'Pelo menos 1 letra minúscula' },
  { holds: (password) => /\d/.test(password), reason: 'characters', message: 'Pelo menos 1 número' },
  {
    holds: (password) => /[!@#$%^&*(),.?":{}|<>]/.test(password),
    reason: 'characters',
    message: 'Pelo menos 1 caractere especial (!@#$%^&*)',
  },
];

function requireFits(password: string): void {
  if (Buffer.byteLength(password) > maxBytes) throw new AuthError(400, 'validation_failed', 'Password cannot be longer than 72 characters');
}

/** What a password lacks by the rules for new accounts; null when it lacks nothing. */
export function weaknessOf(password: string): { reasons: string[]; message: string } | null {
  const broken = signUpRules.filter(({ holds }) => !holds(password));
  if (broken.length === 0) return null;
  return { reasons: [...new Set(broken.map(({ reason }) => reason))], message: `${broken.map(({ message }) => message).join('. ')}.` };
}

/** The specification's rules for a new account. */
export function requireSignUpPassword(password: string): void {
  requireFits(password);
  const weakness = weaknessOf(password);
  if (weakness) throw weakPassword(weakness.reasons, weakness.message);
}

/** A changed password needs less (specification, account page). */
export function requireChangedPassword(password: string): void {
  requireFits(password);
  if (password.length < changeMinimum) throw weakPassword(['length'], `A nova senha deve ter pelo menos ${changeMinimum} caracteres.`);
}

export function hashPassword(password: string): Promise<string> {
  return atOnce(() => argon2.hash(password, parameters));
}

let decoy: Promise<string> | undefined;

/** Checks a password; without a hash (unknown person, no password) it does the same work and answers false. */
export async function verifyPassword(hash: string | null, password: string): Promise<boolean> {
  const against = hash ?? (await (decoy ??= hashPassword('nobody has this password')));
  const matches = await atOnce(() => argon2.verify(against, password)).catch(() => false);
  return hash !== null && matches;
}
