import type { SealedColumn } from '@decola/database';
import { parseKeyRing, Sealer, UnknownKeyError } from '@decola/service-kit';
import type { ColumnCodec } from '@decola/table-api';

/** What an envelope of a `Sealer` looks like. A token that somebody types may look like this too: it is sealed like any other. */
export const envelopePattern = String.raw`^v1\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{16}\.[A-Za-z0-9_-]{22,}$`;
const envelope = new RegExp(envelopePattern);

/** Seals the tokens by which a customer's site recognises our deliveries. A sealed token opens only in a row of the same customer. */
export class TokenSeals implements ColumnCodec {
  readonly boundTo = 'user_id';
  /** Id of the key that seals. */
  readonly activeKeyId: string;
  private readonly sealer: Sealer;

  constructor(keyRing: string) {
    const ring = parseKeyRing(keyRing, 'WEBHOOK_TOKEN_KEY_RING');
    this.activeKeyId = ring.activeId;
    this.sealer = new Sealer(ring);
  }

  encode(token: string, userId: string): string {
    return this.sealer.seal(token, purpose(userId));
  }

  /** Whether a stored token is sealed with the active key. */
  isCurrent(stored: string): boolean {
    return envelope.test(stored) && !this.sealer.needsRotation(stored);
  }

  /**
   * @param stored sealed, or as a version before stored it
   * @returns null when the token was sealed for somebody else, or is damaged. @throws UnknownKeyError when this replica lacks its key
   */
  decode(stored: string, userId: string): string | null {
    if (!envelope.test(stored)) return stored;
    try {
      return this.sealer.open(stored, purpose(userId));
    } catch (error) {
      if (error instanceof UnknownKeyError) throw error;
      return null;
    }
  }
}

/** Ties the ciphertext to its customer: copied into another customer's row it does not decrypt. */
const purpose = (userId: string) => `user_tokens:${userId}`;

/** For `keys.command.ts`: the tokens, and those before that sign along. */
export const sealedTokens: readonly SealedColumn[] = ['token', 'previous_sealed'].map((column) => ({
  table: 'user_tokens',
  column,
  where: `${column} ~ '${envelopePattern}'`,
  reseal: { key: { id: 'uuid' }, bound: ['user_id'], additionalData: ({ user_id: userId }) => purpose(userId!) },
}));
