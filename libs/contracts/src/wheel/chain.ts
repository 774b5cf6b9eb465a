/**
 * Lines of a wheel's chain, as compact JSON without keys. Every hash covers the line and the hash before it, so no line can be changed, dropped, added
 * or moved later without changing all that follow.
 */
export type ChainLine =
  /** A round begins. The commitment is the hash of the seed that decides its draws. */
  | ['open', round: number, commitment: string]
  /** What the wheel offers from here on, in the order of the draw. */
  | ['stock', [id: string, name: string, total: number, remaining: number][]]
  /** A participation: its number in the wheel, its instant (ISO 8601, milliseconds, Z), the prize, and the digest of salt and handle. */
  | ['draw', number: number, instant: string, prizeId: string, digest: string]
  /** A prize was taken back; its unit can be won again. */
  | ['void', number: number, prizeId: string]
  /** A round ends and shows its seed (hexadecimal). */
  | ['close', round: number, seed: string];

/** The text that is hashed and shown. */
export const writeLine = (line: ChainLine): string => JSON.stringify(line);

/** SHA-256 of this text is the hash before the first line. */
export const chainStart = (automationId: string): string => `decola-chain-v1|${automationId}`;

/** Precedes the 32 bytes of the seed in the commitment's SHA-256. */
export const seedPrefix = 'decola-seed-v1|';

/** First line of an audit file. */
export interface AuditHeading {
  format: 'decola-chain-v1';
  automation: string;
  round: number;
  /** The wheel's name when the file was made. No hash covers it, and files from before it was added have none. */
  name?: string;
}

/** Every other line of an audit file: the chain line as it was hashed, and its hash (hexadecimal). */
export interface AuditLine {
  line: string;
  hash: string;
}
