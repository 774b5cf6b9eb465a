import { createHmac } from 'node:crypto';

/**
 * Opaque key of an account on the network. The same account under two customers has one key, so that they share its lease, its
 * ceilings and its ledger, and neither learns of the other.
 * @param pepper base64 of at least 32 bytes
 */
export function accountKeyOf(networkUserId: string, pepper: string): string {
  return createHmac('sha256', Buffer.from(pepper, 'base64')).update(networkUserId).digest('base64url');
}
