import { type Random, randomOf } from '../random/random.js';
import { fieldOf } from './headlines.js';
import { capitalized, sentences, speech } from './sentences.js';
import { fields } from './vocabulary.js';

export interface Section {
  heading: string;
  /** 2 or 3. */
  level: number;
  /** Shown as a list. */
  points: readonly string[];
  links: readonly Link[];
}

/** A link that the reader of the answer resolves: the model knows the number only. */
export interface Link {
  ref: string;
  title: string;
}

export interface ArticleOrder {
  focusKeyword: string;
  sections: readonly Section[];
  /** Length wanted, in words. */
  words: number;
}

export const wordsIn = (text: string) => text.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length;

/** Parts of all words that belong to mentions of the keyword. */
const keywordShare = 0.016;

/** Writes an article in Markdown: an introduction, then the text of each section. The same seed and order give the same text. */
export function writeArticle(order: ArticleOrder, ...seed: (string | number)[]): string {
  const random = randomOf('article', order.focusKeyword, ...seed);
  const say = speech(random, random.pick(fields));
  const next = sentences(random, say);
  const introductionWords = Math.min(90, Math.round(order.words * 0.1));
  const mentions = mentionsOf(order);
  const perSection = (order.words - introductionWords) / Math.max(1, order.sections.length);
  // The introduction has the first mention.
  const mentioning = new Set(spread(mentions - 1, order.sections.length));

  const blocks: string[] = [paragraphs(random, introductionWords, () => next.plain(), [next.about(order.focusKeyword)])];
  for (const [index, { heading, level, points, links }] of order.sections.entries()) {
    say.speakOf(fieldOf(random, heading));
    blocks.push(`${'#'.repeat(level)} ${heading}`);
    const first = [
      ...(mentioning.has(index) ? [next.about(order.focusKeyword)] : []),
      ...links.map((link) => `${capitalized(say.time())}, ${say.imperative()} ${say.object()} e veja [${link.title}](ref:${link.ref}).`),
    ];
    const list = points.map((point) => `- ${capitalized(point).replace(/[.;:]?$/, '.')}`).join('\n');
    blocks.push(paragraphs(random, perSection - wordsIn(list), () => next.plain(), first));
    if (list) blocks.push(`${capitalized(say.actor())} ${say.present()} ${say.object()} assim:`, list);
  }
  return blocks.join('\n\n') + '\n';
}

/** Number of times that the keyword may be named without being tiresome. */
function mentionsOf({ focusKeyword, words, sections }: ArticleOrder): number {
  const most = Math.floor((words * keywordShare) / Math.max(1, wordsIn(focusKeyword)));
  return Math.max(2, Math.min(most, sections.length + 1));
}

/** `count` of the numbers below `of`, as far from each other as possible. */
function spread(count: number, of: number): number[] {
  return Array.from({ length: Math.min(count, of) }, (_, index) => Math.floor((index * of) / Math.min(count, of)));
}

/** Paragraphs of three to five sentences with about `words` words. */
function paragraphs(random: Random, words: number, sentence: () => string, first: readonly string[]): string {
  const said = [...first];
  let count = wordsIn(said.join(' '));
  while (count < words - 6 || said.length < 2) {
    const another = sentence();
    said.push(another);
    count += wordsIn(another);
  }
  const grouped: string[] = [];
  while (said.length > 0) {
    // No paragraph of a single sentence remains.
    const size = said.length <= 6 ? said.length : random.integer(3, 5);
    grouped.push(said.splice(0, size).join(' '));
  }
  return grouped.join('\n\n');
}
