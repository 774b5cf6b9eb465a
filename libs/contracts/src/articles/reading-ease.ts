import { wordsOf } from './portuguese-words.js';
import { syllablesOf } from './syllables.js';

/** Abbreviations whose period ends no sentence. */
const abbreviation = /(?:^|[\s(])(?:sr|sra|dr|dra|prof|profa|ex|pág|pag|art|nº|n|av|tel|cia|ltda|vs)\.$/iu;

/** The sentences of a text. A period inside of a number or after an abbreviation ends none. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  let begun = 0;
  for (const match of text.matchAll(/[.!?…]+["”»’')\]]*(?=\s|$)/gu)) {
    const end = match.index + match[0].length;
    const sentence = text.slice(begun, end);
    if (abbreviation.test(sentence)) continue;
    sentences.push(sentence.trim());
    begun = end;
  }
  const rest = text.slice(begun).trim();
  return [...sentences, ...(rest === '' ? [] : [rest])].filter((sentence) => wordsOf(sentence).length > 0);
}

/**
 * How easily a Portuguese text is read: Flesch's formula as Martins and others fitted it in 1996, 248.835 − 1.015·words/sentence −
 * 84.6·syllables/word. 75-100 is very easy, 50-75 easy, 25-50 hard, below 25 very hard. Numbers have no syllables, so they are not words here.
 * @param texts paragraphs or items, each of which begins and ends its own sentences
 * @returns null when there is no word
 */
export function readingEase(texts: readonly string[]): number | null {
  const sentences = texts.flatMap(sentencesOf);
  const syllables = sentences
    .flatMap(wordsOf)
    .map(syllablesOf)
    .filter((count) => count > 0);
  if (syllables.length === 0) return null;
  const perWord = syllables.reduce((sum, count) => sum + count, 0) / syllables.length;
  return 248.835 - 1.015 * (syllables.length / sentences.length) - 84.6 * perWord;
}
