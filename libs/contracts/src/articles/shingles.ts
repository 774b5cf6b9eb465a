import { foldedWordsOf } from './portuguese-words.js';

const shingleWords = 5;

/** FNV-1a in 32 bits. Two of some thousand shingles collide so rarely that it does not matter for shares of a percent. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** Every run of five words of a text, without accents and case, as hashes: what two texts share of them, they share word for word. */
export function shinglesOf(text: string): Set<number> {
  const words = foldedWordsOf(text);
  const shingles = new Set<number>();
  for (let at = 0; at + shingleWords <= words.length; at += 1) shingles.add(hashOf(words.slice(at, at + shingleWords).join(' ')));
  return shingles;
}

/** Which share of a text's shingles another text has too, from 0 to 1; 0 when the text has none. */
export function sharedShingles(of: ReadonlySet<number>, other: ReadonlySet<number>): number {
  if (of.size === 0) return 0;
  let shared = 0;
  for (const shingle of of) if (other.has(shingle)) shared += 1;
  return shared / of.size;
}
