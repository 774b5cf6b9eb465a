import { AppError } from '@decola/service-kit';

/** A refusal of auth/v1. Codes and messages are part of the contract (auth-v1, sections 3-6 and 10). */
export class AuthError extends AppError {
  override readonly headers?: Record<string, string>;
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    details?: Record<string, unknown>,
  ) {
    super(message, details);
  }
}

export const validationFailed = (message: string, status = 400) => new AuthError(status, 'validation_failed', message);
export const badJson = () => new AuthError(400, 'bad_json', 'Could not parse request body as JSON');
export const invalidCredentials = () => new AuthError(400, 'invalid_credentials', 'Invalid login credentials');
export const unsupportedGrant = () => new AuthError(400, 'invalid_credentials', 'unsupported_grant_type');
export const userBanned = (status = 400) => new AuthError(status, 'user_banned', 'User is banned');
export const emailNotConfirmed = () => new AuthError(400, 'email_not_confirmed', 'Email not confirmed');
export const userExists = () => new AuthError(422, 'user_already_exists', 'User already registered');
export const emailExists = () => new AuthError(422, 'email_exists', 'A user with this email address has already been registered');
export const samePassword = () => new AuthError(422, 'same_password', 'New password should be different from the old password.');
export const weakPassword = (reasons: readonly string[], message: string) =>
  new AuthError(422, 'weak_password', message, { weak_password: { reasons } });
export const updateNeedsAal2 = () =>
  new AuthError(401, 'insufficient_aal', 'AAL2 session is required to update email or password when MFA is enabled.');
export const noAuthorization = () => new AuthError(401, 'no_authorization', 'This endpoint requires a valid Bearer token');
export const badJwt = (why: string) => new AuthError(403, 'bad_jwt', `invalid JWT: unable to parse or verify signature, ${why}`);
export const malformedSubject = () => new AuthError(400, 'bad_jwt', 'invalid claim: sub claim must be a UUID');
export const missingSubject = () => new AuthError(403, 'bad_jwt', 'invalid claim: missing sub claim');
export const userNotFound = () => new AuthError(403, 'user_not_found', 'User from sub claim in JWT does not exist');
export const sessionNotFound = () => new AuthError(403, 'session_not_found', 'Session from session_id claim in JWT does not exist');
export const malformedRefreshToken = () => validationFailed('Refresh token is not valid');
export const unknownRefreshToken = () => new AuthError(400, 'refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found');
export const usedRefreshToken = () => new AuthError(400, 'refresh_token_already_used', 'Invalid Refresh Token: Already Used');
export const refreshBanned = () => new AuthError(400, 'user_banned', 'Invalid Refresh Token: User Banned');
export const sessionExpired = (why = '') => new AuthError(400, 'session_expired', `Invalid Refresh Token: Session Expired${why}`);
export const revokedByNewerLogin = () =>
  new AuthError(400, 'session_expired', 'Invalid Refresh Token: Session Expired (Revoked by Newer Login)');
export const otpExpired = (message = 'Token has expired or is invalid') => new AuthError(403, 'otp_expired', message);
export const currentPasswordInvalid = () => new AuthError(400, 'current_password_invalid', 'Current password is not correct');
export const reauthenticationNeeded = () => new AuthError(400, 'reauthentication_needed', 'Password update requires reauthentication');
export const reauthenticationNotValid = () => new AuthError(422, 'reauthentication_not_valid', 'Nonce has expired or is invalid');
export const providerDisabled = (code: string, message: string, status = 422) => new AuthError(status, code, message);
export const conflict = () => new AuthError(409, 'conflict', 'Too many concurrent token refresh requests on the same session');

/** The client may try again after `seconds`. */
class RateLimitError extends AuthError {
  override readonly headers: Record<string, string>;
  constructor(code: string, message: string, seconds: number) {
    super(429, code, message);
    this.headers = { 'retry-after': String(seconds) };
  }
}
/** Refused before the password or code was checked. */
export const tooManyRequests = (seconds: number) => new RateLimitError('over_request_rate_limit', 'Request rate limit reached', seconds);
export const mailTooSoon = (seconds: number) =>
  new RateLimitError('over_email_send_rate_limit', `For security purposes, you can only request this after ${seconds} seconds.`, seconds);
export const mailQuotaReached = (seconds: number) => new RateLimitError('over_email_send_rate_limit', 'email rate limit exceeded', seconds);
