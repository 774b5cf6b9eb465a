import { foldedWordsOf, foldText, foundMarks, isStopWord, stemOf } from '@decola/contracts';

const word = /[\p{L}\p{N}]+/gu;
const marks = new RegExp(`[${foundMarks.start}${foundMarks.end}]`, 'g');
/** Shorter parts of words say nothing: `de` is in half of all words. */
const shortestPart = 3;

/** Text without the characters that mark found words: whoever writes an article cannot mark any. */
export const withoutMarks = (text: string): string => text.replaceAll(marks, '');

/**
 * Puts marks around the words of a text that a search has found: words with the stem of a word of the search, and words that contain one as it was typed.
 * @param search as a person typed it
 */
export function markFound(text: string, search: string): string {
  const asked = foldedWordsOf(search).flatMap((each) => each.split(/['’-]/));
  const telling = asked.filter((each) => each !== '' && !isStopWord(each));
  // A search of nothing but small words finds just these words.
  const words = telling.length > 0 ? telling : asked;
  const stems = new Set(words.map(stemOf));
  const isFound = (folded: string) =>
    words.includes(folded) ||
    (folded.length >= shortestPart && !isStopWord(folded) && stems.has(stemOf(folded))) ||
    words.some((each) => each.length >= shortestPart && folded.includes(each));
  return withoutMarks(text).replaceAll(word, (found) => (isFound(foldText(found)) ? foundMarks.start + found + foundMarks.end : found));
}
