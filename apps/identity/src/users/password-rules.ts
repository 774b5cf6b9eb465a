import { AuthError, weakPassword } from '../auth-protocol/auth.errors.js';
import { passwordTexts as texts } from '../texts/texts.js';

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
