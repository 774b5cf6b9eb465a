import { AuthError } from '../auth-protocol/auth.errors.js';

export const factorNotFound = () => new AuthError(404, 'mfa_factor_not_found', 'MFA factor not found');
export const factorIdMalformed = () => new AuthError(404, 'validation_failed', 'factor_id must be an UUID');
export const nameTaken = () =>
  new AuthError(422, 'mfa_factor_name_conflict', 'A factor with this friendly name for this user already exists');
export const tooManyFactors = () =>
  new AuthError(422, 'too_many_enrolled_mfa_factors', 'Maximum number of verified factors reached, unenroll to continue');
export const enrollNeedsAal2 = () => new AuthError(403, 'insufficient_aal', 'AAL2 required to enroll a new factor');
export const enrollNeedsProvenMailbox = () =>
  new AuthError(
    403,
    'email_not_confirmed',
    'Prove that you read the mailbox of this account before you enroll a factor: use the link or code of a recovery or sign-in mail.',
  );
export const unenrollNeedsAal2 = () => new AuthError(422, 'insufficient_aal', 'AAL2 required to unenroll verified factor');
export const challengeNotFound = () => new AuthError(422, 'mfa_factor_not_found', 'MFA factor with the provided challenge ID not found');
export const challengeNotUsable = () =>
  new AuthError(422, 'mfa_ip_address_mismatch', 'Challenge and verify IP addresses mismatch, or the challenge is already verified.');
export const challengeExpired = () =>
  new AuthError(422, 'mfa_challenge_expired', 'MFA challenge has expired, verify against another challenge or create a new challenge.');
export const wrongCode = () => new AuthError(422, 'mfa_verification_failed', 'Invalid TOTP code entered');

/** The factor accepts no code before `until`. */
class TooManyWrongCodesError extends AuthError {
  override readonly headers: Record<string, string>;
  constructor(until: Date, seconds: number) {
    super(429, 'over_request_rate_limit', `Too many wrong codes in one day: this factor takes no code before ${until.toISOString()}`);
    this.headers = { 'retry-after': String(seconds) };
  }
}
export const tooManyWrongCodesOfTheDay = (until: Date, now: Date) =>
  new TooManyWrongCodesError(until, Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000)));
