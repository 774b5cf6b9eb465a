import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Content of a refresh token: its session, and how many refreshes preceded it. */
export interface RefreshTokenClaim {
  sessionId: string;
  counter: number;
}

const version = 1;
const macBytes = 18;
const totalBytes = 1 + 16 + 4 + macBytes;

function macOf(head: Buffer, key: Buffer): Buffer {
  return createHmac('sha256', key).update(head).digest().subarray(0, macBytes);
}

function headOf({ sessionId, counter }: RefreshTokenClaim): Buffer {
  const head = Buffer.alloc(21);
  head.writeUInt8(version, 0);
  Buffer.from(sessionId.replaceAll('-', ''), 'hex').copy(head, 1);
  head.writeUInt32BE(counter, 17);
  return head;
}

/** A new key for the refresh tokens of one session. */
export function newRefreshKey(): Buffer {
  return randomBytes(32);
}

/** Builds the token of a session's n-th refresh. The same input gives the same token, so that none is stored. */
export function refreshToken(claim: RefreshTokenClaim, key: Buffer): string {
  const head = headOf(claim);
  return Buffer.concat([head, macOf(head, key)]).toString('base64url');
}

/** Parses a token; null when it is malformed. The claim may be trusted only after `isGenuine` with the session's key. */
export function readRefreshToken(token: string): (RefreshTokenClaim & { isGenuine: (key: Buffer) => boolean }) | null {
  if (!/^[A-Za-z0-9_-]{12,200}$/.test(token)) return null;
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== totalBytes || bytes[0] !== version) return null;
  const head = bytes.subarray(0, 21);
  const hex = head.subarray(1, 17).toString('hex');
  const sessionId = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  return { sessionId, counter: head.readUInt32BE(17), isGenuine: (key) => timingSafeEqual(bytes.subarray(21), macOf(head, key)) };
}
