/** Arithmetic that computes a population instead of storing it: keyed hashes and keyed permutations. */

// Bound once: this arithmetic runs millions of times.
const { imul, floor } = Math;

/** Mixes 32 bits so that similar inputs give unrelated outputs (finaliser of MurmurHash3). */
function mix(value: number): number {
  let hash = value | 0;
  hash = imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Hash of whole numbers below 2^53. @returns 0..2^32-1; depends on the order of the parts. */
export function hash(...parts: number[]): number {
  let state = 0x9e3779b9;
  for (const part of parts) {
    state = mix(state ^ mix(part >>> 0));
    const high = floor(part / 0x1_0000_0000);
    if (high !== 0) state = mix(state ^ mix(high + 0x51ed));
    state = (state + 0x6d2b79f5) >>> 0;
  }
  return mix(state);
}

/** A key for `hash` computed from text (FNV-1a, mixed). */
export function keyOf(text: string): number {
  let state = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) state = imul(state ^ text.charCodeAt(index), 0x01000193);
  return mix(state);
}

/** The hash scaled to 0 <= x < 1. */
export function fraction(...parts: number[]): number {
  return hash(...parts) / 0x1_0000_0000;
}

/** Chooses an element; the same one for the same key. @throws RangeError when `elements` is empty. */
export function choose<Element>(elements: readonly Element[], ...key: number[]): Element {
  const element = elements[hash(...key) % elements.length];
  if (element === undefined) throw new RangeError('nothing to choose from');
  return element;
}

const rounds = 4;

/**
 * A keyed permutation of 0..size-1 that is computed, never stored: a balanced Feistel network over the next power of four, applied
 * repeatedly until the value is below `size`. `at` and `indexOf` are inverse to each other and take constant time.
 */
export class Permutation {
  private readonly halfBits: number;
  private readonly halfMask: number;
  private readonly keys: number[];

  constructor(
    readonly size: number,
    key: number,
  ) {
    if (!Number.isInteger(size) || size < 0 || size > 0x4000_0000) throw new RangeError(`size ${size} is not between 0 and 2^30`);
    let halfBits = 1;
    while (4 ** halfBits < size) halfBits++;
    this.halfBits = halfBits;
    this.halfMask = (1 << halfBits) - 1;
    this.keys = Array.from({ length: rounds }, (_, round) => hash(key, round, size));
  }

  at(index: number): number {
    this.requireInside(index);
    let value = index;
    do value = this.forward(value);
    while (value >= this.size);
    return value;
  }

  indexOf(value: number): number {
    this.requireInside(value);
    let index = value;
    do index = this.backward(index);
    while (index >= this.size);
    return index;
  }

  private forward(value: number): number {
    let left = value >>> this.halfBits;
    let right = value & this.halfMask;
    for (let round = 0; round < rounds; round++) {
      const next = left ^ (mix(right ^ (this.keys[round] ?? 0)) & this.halfMask);
      left = right;
      right = next;
    }
    return ((left << this.halfBits) | right) >>> 0;
  }

  private backward(value: number): number {
    let left = value >>> this.halfBits;
    let right = value & this.halfMask;
    for (let round = rounds - 1; round >= 0; round--) {
      const previous = right ^ (mix(left ^ (this.keys[round] ?? 0)) & this.halfMask);
      right = left;
      left = previous;
    }
    return ((left << this.halfBits) | right) >>> 0;
  }

  private requireInside(value: number): void {
    if (!(value >= 0 && value < this.size)) throw new RangeError(`${value} is outside 0..${this.size - 1}`);
  }
}
