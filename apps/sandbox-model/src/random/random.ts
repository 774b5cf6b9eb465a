import { createHash } from 'node:crypto';

/** Random choices that are the same for the same seed on every machine. */
export interface Random {
  /** A number from 0 to below 1. */
  next(): number;
  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number;
  pick<Item>(list: readonly Item[]): Item;
  /** Draws the whole list in a random order, then begins again in another order. */
  deck<Item>(list: readonly Item[]): () => Item;
}

/** The choices of a seed, which may have several parts. */
export function randomOf(...seed: (string | number)[]): Random {
  const digest = createHash('sha256').update(JSON.stringify(seed)).digest();
  const state = [0, 4, 8, 12].map((offset) => digest.readUInt32LE(offset)) as [number, number, number, number];
  // Generator sfc32 by Chris Doty-Humphrey: small, fast, and good enough for texts.
  const next = () => {
    const [a, b, c, counter] = state;
    const sum = (((a + b) | 0) + counter) | 0;
    state[0] = b ^ (b >>> 9);
    state[1] = (c + (c << 3)) | 0;
    state[2] = (((c << 21) | (c >>> 11)) + sum) | 0;
    state[3] = (counter + 1) | 0;
    return (sum >>> 0) / 0x1_0000_0000;
  };
  for (let round = 0; round < 12; round++) next();
  const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  const pick = <Item>(list: readonly Item[]): Item => {
    if (list.length === 0) throw new Error('there is nothing to pick from');
    return list[integer(0, list.length - 1)] as Item;
  };
  const shuffled = <Item>(list: readonly Item[]): Item[] => {
    const items = [...list];
    for (let last = items.length - 1; last > 0; last--) {
      const other = integer(0, last);
      [items[last], items[other]] = [items[other] as Item, items[last] as Item];
    }
    return items;
  };
  const deck = <Item>(list: readonly Item[]) => {
    let rest: Item[] = [];
    return () => {
      if (rest.length === 0) rest = shuffled(list);
      return rest.pop() as Item;
    };
  };
  return { next, integer, pick, deck };
}
