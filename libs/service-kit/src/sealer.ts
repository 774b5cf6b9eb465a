import { createCipheriv, createDecipheriv, type DecipherGCM, randomBytes } from 'node:crypto';
import { Counter } from 'prom-client';
import { RetryLaterError } from './errors.js';
import { metrics } from './metrics.js';

/** AES-256-GCM keys by id. The active key encrypts, all of them decrypt: a key is accepted by all replicas before one of them makes it the active one. */
export interface KeyRing {
  /** Environment variable that the ring comes from, for errors and metrics. */
  readonly name: string;
  readonly activeId: string;
  readonly keys: ReadonlyMap<string, Buffer>;
}

const envelopeVersion = 'v1';
const nonceBytes = 12; // recommended for GCM (NIST SP 800-38D)
const tagBytes = 16;
const keyBytes = 32;
const idPattern = /^[A-Za-z0-9_-]+$/;

/** Delay before a message whose envelope cannot be opened here is delivered again, to this replica or to one that has the key. */
const reopenMs = 5_000;

/**
 * Parses `active=id2;id1:base64,id2:base64`. Without `active=…;` the first key is the active one.
 * @param name the environment variable
 * @throws Error that repeats no value: an entry has no id or no key of 32 bytes, an id repeats, or the active id is not in the ring
 */
export function parseKeyRing(text: string, name = 'key ring'): KeyRing {
  const [, activeText, entries] = /^\s*(?:active=([^;]*);)?(.*)$/s.exec(text) ?? [];
  const keys = new Map<string, Buffer>();
  for (const [index, entry] of (entries ?? '').split(',').entries()) {
    const separator = entry.indexOf(':');
    const id = entry.slice(0, separator).trim();
    const key = Buffer.from(entry.slice(separator + 1).trim(), 'base64');
    const position = `entry ${index + 1}`;
    if (separator < 1 || !idPattern.test(id)) throw new Error(`key ring: ${position} is not id:base64`);
    if (key.length !== keyBytes) throw new Error(`key ring: the key of ${position} is not ${keyBytes} bytes`);
    if (keys.has(id)) throw new Error(`key ring: ${position} repeats an id`);
    keys.set(id, key);
  }
  const activeId = activeText === undefined ? [...keys.keys()][0] : activeText.trim();
  if (activeId === undefined || !keys.has(activeId)) throw new Error('key ring: active= names no key of the ring');
  return { name, activeId, keys };
}

const unopened = new Counter({
  name: 'sealed_data_unopened_total',
  help: 'Attempts to open our own sealed data that failed, by key ring and reason: unknown_key, mismatch (of key, bytes or row), malformed',
  labelNames: ['ring', 'reason'],
  registers: [metrics],
});

/** Why an envelope of ours was not opened. The values are labels of the metric. */
type UnopenedReason = 'unknown_key' | 'mismatch' | 'malformed';

/**
 * An envelope that cannot be opened here and now, although its data may be good: the ring of this replica lacks the key or has a wrong one. It is
 * our fault, never that of the person whose data it is: nothing may be changed or deleted because of it. Messages are put back, uncounted, and requests are
 * answered with 503.
 */
export abstract class UnopenedEnvelopeError extends RetryLaterError {
  constructor(
    message: string,
    readonly keyId: string,
  ) {
    super(reopenMs, message);
    this.name = new.target.name;
  }
}

/** The envelope's key is not in the ring. */
export class UnknownKeyError extends UnopenedEnvelopeError {
  constructor(ring: string, keyId: string) {
    super(`${ring} has no key ${keyId}`, keyId);
  }
}

/**
 * The envelope does not verify. GCM has one answer for three causes: the ring has another key under the same id, the envelope was changed, or its additional
 * data differ because it was copied from another row. Only the first one heals, and nobody can tell which it is.
 */
export class EnvelopeMismatchError extends UnopenedEnvelopeError {
  constructor(ring: string, keyId: string) {
    super(`an envelope does not verify with the key ${keyId} of ${ring}`, keyId);
  }
}

/** The text is not an envelope, so no key opens it. */
export class MalformedEnvelopeError extends Error {
  constructor() {
    super('not a sealed envelope');
    this.name = 'MalformedEnvelopeError';
  }
}

interface Envelope {
  keyId: string;
  nonce: Buffer;
  ciphertext: Buffer;
  tag: Buffer;
}

function parseEnvelope(text: string): Envelope | null {
  const [version, keyId = '', nonceText = '', sealed = '', ...more] = text.split('.');
  const nonce = Buffer.from(nonceText, 'base64url');
  const bytes = Buffer.from(sealed, 'base64url');
  const isEnvelope =
    version === envelopeVersion && idPattern.test(keyId) && nonce.length === nonceBytes && bytes.length >= tagBytes && more.length === 0;
  if (!isEnvelope) return null;
  return { keyId, nonce, ciphertext: bytes.subarray(0, -tagBytes), tag: bytes.subarray(-tagBytes) };
}

/** Encrypts secrets in tables and messages. An envelope opens only with the additional data it was sealed with, so it cannot be copied to another row. */
export class Sealer {
  constructor(private readonly ring: KeyRing) {
    // Prometheus does not see the increase to the first value of a new series.
    for (const reason of ['unknown_key', 'mismatch', 'malformed'] as const) this.count(reason, 0);
  }

  /** @returns the envelope: `v1.<key id>.<nonce>.<ciphertext and tag>`, base64url */
  seal(plain: string, additionalData: string): string {
    const { activeId, keys } = this.ring;
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', keys.get(activeId)!, nonce).setAAD(Buffer.from(additionalData));
    const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return [envelopeVersion, activeId, nonce.toString('base64url'), sealed.toString('base64url')].join('.');
  }

  /**
   * Opens an envelope of our own tables and messages, and counts a failure in `sealed_data_unopened_total`, of which operators are alerted.
   * @throws UnknownKeyError, EnvelopeMismatchError, MalformedEnvelopeError
   */
  open(text: string, additionalData: string): string {
    const envelope = parseEnvelope(text);
    if (!envelope) {
      this.count('malformed');
      throw new MalformedEnvelopeError();
    }
    const { keyId } = envelope;
    if (!this.ring.keys.has(keyId)) {
      this.count('unknown_key');
      throw new UnknownKeyError(this.ring.name, keyId);
    }
    const plain = this.decrypt(envelope, additionalData);
    if (plain !== null) return plain;
    this.count('mismatch');
    throw new EnvelopeMismatchError(this.ring.name, keyId);
  }

  /** Opens a text that a stranger sent. @returns null when it is none of our envelopes, which says nothing about our keys and is not counted */
  openToken(text: string, additionalData: string): string | null {
    const envelope = parseEnvelope(text);
    return envelope && this.ring.keys.has(envelope.keyId) ? this.decrypt(envelope, additionalData) : null;
  }

  /** Whether the envelope was sealed with a key that is not the active one. */
  needsRotation(envelope: string): boolean {
    return envelope.split('.')[1] !== this.ring.activeId;
  }

  private decrypt({ keyId, nonce, ciphertext, tag }: Envelope, additionalData: string): string | null {
    const decipher: DecipherGCM = createDecipheriv('aes-256-gcm', this.ring.keys.get(keyId)!, nonce);
    decipher.setAAD(Buffer.from(additionalData)).setAuthTag(tag);
    try {
      return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
    } catch {
      return null;
    }
  }

  private count(reason: UnopenedReason, by = 1): void {
    unopened.inc({ ring: this.ring.name, reason }, by);
  }
}
