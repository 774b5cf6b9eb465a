/**
 * What the account's history of security tells (table `security_events`). `sign_in.*` opened a session, by the method that did;
 * kinds are only ever added.
 */
export const securityEventKinds = [
  'account.created',
  'account.exported',
  'account.erased',
  'email.change_requested',
  'email.changed',
  'erasure.asked',
  'factor.added',
  'factor.removed',
  'factor.wrong_code',
  'password.changed',
  'recovery.requested',
  'recovery.used',
  'role.granted',
  'role.revoked',
  'session.ended',
  'session.reused_token',
  'sign_in.otp',
  'sign_in.password',
  'sign_in.second_factor',
  'sign_in.wrong_password',
] as const;
export type SecurityEventKind = (typeof securityEventKinds)[number];
