import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Keys of AES-256-GCM by id; the first one seals, all of them open. */
export interface KeyRing {
  readonly activeId: string;
  readonly keys: ReadonlyMap<string, Buffer>;
}

const envelopeVersion = 'v1';
const nonceBytes = 12; // what GCM is specified for (NIST SP 800-38D)
const tagBytes = 16;

/** Parses `id1:base64,id2:base64`; the first key is the active one. @throws Error when a key is not 32 bytes or an id repeats. */
export function parseKeyRing(text: string): KeyRing {
  const keys = new Map<string, Buffer>();
  for (const entry of text.split(',')) {
    const separator = entry.indexOf(':');
    const id = entry.slice(0, separator).trim();
    const key = Buffer.from(entry.slice(separator + 1).trim(), 'base64');
    if (separator < 1 || !/^[A-Za-z0-9_-]+$/.test(id)) throw new Error('key ring: each entry is id:base64');
    if (key.length !== 32) throw new Error(`key ring: key ${id} is not 32 bytes`);
    if (keys.has(id)) throw new Error(`key ring: key id ${id} appears twice`);
    keys.set(id, key);
  }
  const [activeId] = keys.keys();
  if (activeId === undefined) throw new Error('key ring: empty');
  return { activeId, keys };
}

/** Seals secrets at rest and in messages. The additional data ties an envelope to its place: elsewhere it does not open. */
export class Sealer {
  constructor(private readonly ring: KeyRing) {}

  /** @returns `v1.<key id>.<nonce>.<ciphertext and tag>`, base64url. */
  seal(plain: string, additionalData: string): string {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', this.key(this.ring.activeId), nonce).setAAD(Buffer.from(additionalData));
    const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return [envelopeVersion, this.ring.activeId, nonce.toString('base64url'), sealed.toString('base64url')].join('.');
  }

  /** @throws Error when the envelope is not ours, its key is gone, or it was changed or moved. */
  open(envelope: string, additionalData: string): string {
    const [version, keyId, nonce, sealed] = envelope.split('.');
    if (version !== envelopeVersion || !keyId || !nonce || !sealed) throw new Error('not a sealed envelope');
    const bytes = Buffer.from(sealed, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', this.key(keyId), Buffer.from(nonce, 'base64url'))
      .setAAD(Buffer.from(additionalData))
      .setAuthTag(bytes.subarray(bytes.length - tagBytes));
    return Buffer.concat([decipher.update(bytes.subarray(0, bytes.length - tagBytes)), decipher.final()]).toString('utf8');
  }

  /** True when the envelope was sealed with a key that is no longer the active one. */
  needsRotation(envelope: string): boolean {
    return envelope.split('.')[1] !== this.ring.activeId;
  }

  private key(id: string): Buffer {
    const key = this.ring.keys.get(id);
    if (!key) throw new Error(`key ${id} is not in the ring`);
    return key;
  }
}
