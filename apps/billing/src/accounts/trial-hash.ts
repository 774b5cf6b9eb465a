import { createHmac } from 'node:crypto';

/**
 * The mailbox behind an e-mail address as a person would count it: lower-cased, without a `+tag`; Gmail ignores dots, and
 * googlemail.com is gmail.com.
 */
export function mailboxOf(email: string): string {
  const [local = '', domain = ''] = splitAddress(email.trim().toLowerCase());
  const host = domain === 'googlemail.com' ? 'gmail.com' : domain;
  const untagged = local.split('+', 1)[0] ?? local;
  return `${host === 'gmail.com' ? untagged.replaceAll('.', '') : untagged}@${host}`;
}

function splitAddress(email: string): [string, string] {
  const at = email.lastIndexOf('@');
  return at < 0 ? [email, ''] : [email.slice(0, at), email.slice(at + 1)];
}

/** Recognises a value again without keeping it. @param pepper base64 of at least 32 bytes. */
export function peppered(kind: 'card' | 'email', value: string, pepper: string): string {
  return createHmac('sha256', Buffer.from(pepper, 'base64')).update(`${kind}:${value}`).digest('base64url');
}
