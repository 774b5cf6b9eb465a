import type { Prize } from './prizes';

/** Units that are left in a trial, by prize id. */
export type TrialStock = Readonly<Record<string, number>>;

export const fullStock = (prizes: readonly Prize[]): TrialStock => Object.fromEntries(prizes.map(({ id, quantity }) => [id, quantity]));

/**
 * Draws as the server does: every unit that is left has the same chance.
 * @param random from 0 to below 1
 * @returns the prize's index; null when no unit is left
 */
export function drawTrial(prizes: readonly Prize[], stock: TrialStock, random: number): number | null {
  const left = prizes.map(({ id }) => Math.max(0, stock[id] ?? 0));
  const total = left.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let place = Math.min(total - 1, Math.floor(random * total));
  return left.findIndex((count) => {
    if (place < count) return true;
    place -= count;
    return false;
  });
}
