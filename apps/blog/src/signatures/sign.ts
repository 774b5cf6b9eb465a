import { createHmac, timingSafeEqual } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

/** Standard Webhooks wants at least so many bytes. Shorter tokens, which people typed themselves, work with a warning. */
export const soundTokenBytes = 24;
/** Signatures of a message that are read: more than somebody who replaces a token has. */
const mostSignatures = 5;

/** A message that can be sent: the signature covers exactly this body. */
export interface SignedMessage {
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface UnsignedMessage {
  id: string;
  body: string;
  at: Date;
}

/**
 * Signs a message by Standard Webhooks 1.0. The key is the token's bytes, so that a site uses the text that its owner pasted.
 * @param tokens the current one first; a site accepts any of their signatures
 */
export function sign({ id, body, at }: UnsignedMessage, tokens: readonly string[]): SignedMessage {
  const signatures = tokens.map((token) => new Webhook(Buffer.from(token, 'utf8'), { format: 'raw' }).sign(id, at, body));
  return {
    body,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      'user-agent': 'Decola-Webhook/1',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': signatures.join(' '),
    },
  };
}

/** Whether the answer to a `ping` proves that the site knows the token. */
export function provesToken(proof: string | null | undefined, token: string, challenge: string, host: string): boolean {
  const expected = createHmac('sha256', Buffer.from(token, 'utf8'))
    .update(challenge + host)
    .digest('hex');
  const given = Buffer.from(proof ?? '', 'utf8');
  return given.length === expected.length && timingSafeEqual(given, Buffer.from(expected));
}

/**
 * Finds the keys by which a message was signed. Every key is tried, also after one that fits, so that the time does not tell which.
 * @returns their indices
 */
export function signingKeysOf(
  { id, timestamp, signatures, body }: { id: string; timestamp: string; signatures: string; body: Buffer },
  keys: readonly string[],
): number[] {
  const given = signatures
    .split(' ')
    .slice(0, mostSignatures)
    .map((each) => Buffer.from(each, 'utf8'));
  return keys.flatMap((key, index) => {
    const mac = createHmac('sha256', Buffer.from(key, 'utf8')).update(`${id}.${timestamp}.`).update(body).digest('base64');
    const expected = Buffer.from(`v1,${mac}`);
    const fits = given.map((each) => each.length === expected.length && timingSafeEqual(each, expected));
    return fits.includes(true) ? [index] : [];
  });
}
