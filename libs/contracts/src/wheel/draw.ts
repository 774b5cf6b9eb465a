/** What a prize has left, in the order in which the draw walks the prizes. */
export interface DrawStock {
  id: string;
  remaining: number;
}

const rollBytes = 6;
const rolls = 2 ** (rollBytes * 8);

/**
 * The text whose HMAC-SHA-256, under the round's seed, decides one participation.
 * @param draw.number position of the participation in its wheel, from 1
 * @param draw.attempt 0, and one more for each value that `rollOf` rejected
 */
export function drawText(draw: { automationId: string; round: number; number: number; attempt: number }): string {
  return `decola-draw-v1|${draw.automationId}|${draw.round}|${draw.number}|${draw.attempt}`;
}

/**
 * Turns an HMAC into a number in [0, total). Values above the largest multiple of `total` are rejected, so that every number is exactly as likely as
 * every other one.
 * @param mac at least 6 bytes; the first 48 bits count
 * @returns undefined when the value is rejected: the next attempt decides
 */
export function rollOf(mac: Uint8Array, total: number): number | undefined {
  let value = 0;
  for (const byte of mac.subarray(0, rollBytes)) value = value * 256 + byte;
  return value < rolls - (rolls % total) ? value % total : undefined;
}

/** Units that are left of all prizes. */
export const unitsLeft = (stock: readonly DrawStock[]): number => stock.reduce((total, { remaining }) => total + remaining, 0);

/** The prize that unit number `roll` belongs to, when the units left of all prizes stand in a row. @throws RangeError when there is no such unit */
export function prizeAt<Prize extends DrawStock>(stock: readonly Prize[], roll: number): Prize {
  let before = 0;
  for (const prize of stock) {
    before += prize.remaining;
    if (roll < before) return prize;
  }
  throw new RangeError(`unit ${roll} of ${before}`);
}
