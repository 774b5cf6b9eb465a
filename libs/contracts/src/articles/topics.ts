import { foldedWordsOf, foldText, stemOf, stemsOf } from './portuguese-words.js';

/** What a planned, rejected or written article is about; a post of the customer's site has no focus keyword. */
export interface Topic {
  title: string;
  focusKeyword?: string;
}

/** Why a topic is refused: same key, similar title, or mostly the same words in another form. */
export interface TopicClash<Other extends Topic> {
  with: Other;
  cause: 'key' | 'title' | 'stems';
  /** 0 to 1. */
  similarity: number;
}

/** From here on two topics count as one. */
export const topicThresholds = { title: 0.55, stems: 0.6 } as const;

/** Stems that say what kind of article it is, not about what. */
const kindsOfArticle: ReadonlySet<string> = new Set(
  ['guia', 'dicas', 'passo', 'passos', 'completo', 'completa', 'jeitos', 'maneiras', 'formas', 'melhor', 'melhores', 'usar'].map(stemOf),
);

/** The sorted stems of a focus keyword: unique for each owner and site. Accents, order, number and ending do not matter. */
export function topicKey(focusKeyword: string): string {
  const stems = stemsOf(focusKeyword);
  // A keyword of stop words alone is still a keyword.
  const kept = stems.length > 0 ? stems : foldedWordsOf(focusKeyword);
  return [...new Set(kept)].sort().join(' ');
}

/** Every run of three letters of each word, as pg_trgm makes them: two spaces before the word, one after it. */
function trigramsOf(text: string): Set<string> {
  const trigrams = new Set<string>();
  for (const word of foldText(text).match(/[\p{L}\p{N}]+/gu) ?? []) {
    const padded = `  ${word} `;
    for (let at = 0; at + 3 <= padded.length; at += 1) trigrams.add(padded.slice(at, at + 3));
  }
  return trigrams;
}

const sharedOf = <T>(one: ReadonlySet<T>, other: ReadonlySet<T>) => [...one].filter((item) => other.has(item)).length;

/** How alike two titles are, 0 to 1: `similarity()` of pg_trgm over the titles without accents, so that code and database agree. */
export function titleSimilarity(one: string, other: string): number {
  const [left, right] = [trigramsOf(one), trigramsOf(other)];
  const shared = sharedOf(left, right);
  return shared === 0 ? 0 : shared / (left.size + right.size - shared);
}

/** Which share of their stems two titles have in common, 0 to 1 (Dice): order and endings do not matter. */
export function stemOverlap(one: string, other: string): number {
  const [left, right] = [one, other].map((title) => new Set(stemsOf(title).filter((stem) => !kindsOfArticle.has(stem))));
  return left!.size + right!.size === 0 ? 0 : (2 * sharedOf(left!, right!)) / (left!.size + right!.size);
}

/** The first of the other topics that is the same subject as the candidate; null when it is a new one. */
export function topicClash<Other extends Topic>(candidate: Required<Topic>, others: Iterable<Other>): TopicClash<Other> | null {
  const key = topicKey(candidate.focusKeyword);
  for (const other of others) {
    if (other.focusKeyword !== undefined && topicKey(other.focusKeyword) === key) return { with: other, cause: 'key', similarity: 1 };
    const titles = titleSimilarity(candidate.title, other.title);
    if (titles >= topicThresholds.title) return { with: other, cause: 'title', similarity: titles };
    const stems = stemOverlap(candidate.title, other.title);
    if (stems >= topicThresholds.stems) return { with: other, cause: 'stems', similarity: stems };
  }
  return null;
}
