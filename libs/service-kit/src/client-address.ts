import { createHmac, timingSafeEqual } from 'node:crypto';
import { RecentMap } from './recent-map.js';

/** Header with the client's IP address as the gateway saw it. `createService` removes it unless the gateway signed it. */
export const clientAddressHeader = 'x-decola-client-ip';
const proofHeader = 'x-decola-client-ip-proof';

/** Signatures by key and address: a client sends many requests, and the signature of an address is always the same. */
const proofs = new RecentMap<string, Buffer>(2_000);

/** Signature of an address. It is separate from the caller's, because requests to auth/v1 have an address but no verified caller. */
function proofOf(address: string, key: string): Buffer {
  const known = proofs.get(`${key} ${address}`);
  if (known) return known;
  const proof = createHmac('sha256', Buffer.from(key, 'base64')).update(`client address ${address}`).digest();
  proofs.set(`${key} ${address}`, proof);
  return proof;
}

/** Headers that the gateway adds to a request. @param key the key that callers are signed with */
export function clientAddressHeaders(address: string, key: string): Record<string, string> {
  return { [clientAddressHeader]: address, [proofHeader]: proofOf(address, key).toString('base64url') };
}

/** @returns the client's address; undefined when it has no valid signature of the gateway */
export function readClientAddress(headers: Record<string, string | string[] | undefined>, key: string): string | undefined {
  const [address, proof] = [headers[clientAddressHeader], headers[proofHeader]];
  if (typeof address !== 'string' || typeof proof !== 'string') return undefined;
  const [given, expected] = [Buffer.from(proof, 'base64url'), proofOf(address, key)];
  return given.length === expected.length && timingSafeEqual(given, expected) ? address : undefined;
}
