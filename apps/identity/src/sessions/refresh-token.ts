import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** What a refresh token says: which session, and which of its refreshes. */
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

/** Key of one session's refresh tokens. */
export function newRefreshKey(): Buffer {
  return randomBytes(32);
}

/** The token of a session's n-th refresh; the same every time, so that it need not be stored. */
export function refreshToken(claim: RefreshTokenClaim, key: Buffer): string {
  const head = headOf(claim);
  return Buffer.concat([head, macOf(head, key)]).toString('base64url');
}

/** Reads a token without trusting it; null when it is none. */
export function readRefreshToken(token: string): (RefreshTokenClaim & { isGenuine: (key: Buffer) => boolean }) | null {
  if (!/^[A-Za-z0-9_-]{12,200}$/.test(token)) return null;
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== totalBytes || bytes[0] !== version) return null;
  const head = bytes.subarray(0, 21);
  const hex = head.subarray(1, 17).toString('hex');
  const sessionId = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  return { sessionId, counter: head.readUInt32BE(17), isGenuine: (key) => timingSafeEqual(bytes.subarray(21), macOf(head, key)) };
}
