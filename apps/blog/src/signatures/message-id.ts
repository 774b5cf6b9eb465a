import { createHash } from 'node:crypto';

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
/** 160 bits, which are 32 characters. */
const hashBytes = 20;

/** `webhook-id` of a message: the same for the same parts, so that a receiver recognises a repeated message. */
export function messageId(...parts: readonly (string | number)[]): string {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest().subarray(0, hashBytes);
  const bits = [...hash].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return `msg_${(bits.match(/.{5}/g) ?? []).map((five) => alphabet[Number.parseInt(five, 2)]).join('')}`;
}
