import { createHmac } from 'node:crypto';

/**
 * One form for all e-mail addresses of the same mailbox: lower case, without a `+tag`. Gmail ignores dots, and googlemail.com is gmail.com.
 */
export function normalizeMailbox(email: string): string {
  const [local = '', domain = ''] = splitAddress(email.trim().toLowerCase());
  const host = domain === 'googlemail.com' ? 'gmail.com' : domain;
  const untagged = local.split('+', 1)[0] ?? local;
  return `${host === 'gmail.com' ? untagged.replaceAll('.', '') : untagged}@${host}`;
}

function splitAddress(email: string): [string, string] {
  const at = email.lastIndexOf('@');
  return at < 0 ? [email, ''] : [email.slice(0, at), email.slice(at + 1)];
}

/** A keyed hash that recognises a value without storing it. @param pepper secret key, base64 of at least 32 bytes. */
export function hashWithPepper(kind: 'card' | 'email', value: string, pepper: string): string {
  return createHmac('sha256', Buffer.from(pepper, 'base64')).update(`${kind}:${value}`).digest('base64url');
}
