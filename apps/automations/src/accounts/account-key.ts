import { createHash, createHmac } from 'node:crypto';

/**
 * Opaque key of an account of the network. Two customers of the same account get the same key, so they share its lease, ceilings and ledger;
 * neither learns of the other.
 * @param pepper base64 of at least 32 bytes
 */
export function accountKeyOf(networkUserId: string, pepper: string): string {
  return hmac(networkUserId, pepper);
}

/**
 * Replaces a person's id in the ledger after the customer was erased. It still tells whether the account did something to a given person, but not
 * who the people were. Different for every account.
 */
export function targetKeyOf(accountKey: string, targetId: string, pepper: string): string {
  return `key:${hmac(`target ${accountKey} ${targetId}`, pepper)}`;
}

/**
 * Account key for the visit that checks a session of an account that the customer has not proven to own. With a key of its own the visit
 * takes neither the account's lease nor its ceilings, so somebody who pastes a stranger's number slows nobody down.
 */
export function visitKeyOf(accountKey: string, userId: string): string {
  return createHash('sha256').update(`visit ${accountKey} ${userId}`).digest('base64url');
}

/**
 * Recognises a session that is pasted again, percent-encoded or not.
 * @param sessionid value of the cookie of that name
 */
export function sessionFingerprintOf(sessionid: string, pepper: string): string {
  return hmac(`session ${decoded(sessionid)}`, pepper);
}

/** Decodes percent-encoding up to three times (`1%253Aab` is `1:ab`). Returns text that cannot be decoded unchanged. */
function decoded(value: string): string {
  let text = value.trim();
  for (let turn = 0; turn < 3 && text.includes('%'); turn += 1) {
    try {
      text = decodeURIComponent(text);
    } catch {
      return text;
    }
  }
  return text;
}

function hmac(text: string, pepper: string): string {
  return createHmac('sha256', Buffer.from(pepper, 'base64')).update(text).digest('base64url');
}
