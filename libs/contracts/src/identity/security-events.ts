/**
 * Kinds of entries in an account's security history (table `security_events`). `sign_in.*` names the method that opened a session.
 * Kinds are only added, never removed.
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
  'mailbox.proven',
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
