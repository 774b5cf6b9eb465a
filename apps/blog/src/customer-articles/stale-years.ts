import type { ArticleText } from '@decola/contracts';

export interface StaleYear {
  year: number;
  /** The title, heading or sentence that has it. */
  quote: string;
}

const longestQuote = 160;
// No part of a longer number, a date, an amount or a name with a number.
const years = /(?<![\d\p{L}.,/-])(?:19|20)\d{2}(?![\d\p{L}/-]|[.,]\d)/gu;

/**
 * The first place of an article that speaks of a year as the present one which has passed: a year since the article was written, in its title, a heading or its
 * text. Earlier years are history, and quotations and code keep theirs.
 */
export function staleYearOf(
  { title, text }: { title: string; text: Pick<ArticleText, 'blocks'> },
  { writtenIn, now }: { writtenIn: number; now: number },
): StaleYear | null {
  const isStale = (year: number) => year >= writtenIn && year < now;
  const staleIn = (words: string) => [...words.matchAll(years)].map(([year]) => Number(year)).find(isStale);
  const headings = text.blocks.filter(({ kind }) => kind === 'heading');
  const prose = text.blocks.filter(({ kind }) => kind === 'paragraph' || kind === 'item' || kind === 'cell');
  for (const words of [title, ...[...headings, ...prose].map((block) => block.text)]) {
    const year = staleIn(words);
    if (year !== undefined) return { year, quote: sentenceWith(String(year), words) };
  }
  return null;
}

/** The sentence of a text that has these characters, cut at a usual length. */
function sentenceWith(part: string, words: string): string {
  const sentence = words.split(/(?<=[.!?])\s+/).find((each) => each.includes(part)) ?? words;
  return sentence.length <= longestQuote ? sentence : `${sentence.slice(0, longestQuote).trimEnd()}…`;
}
