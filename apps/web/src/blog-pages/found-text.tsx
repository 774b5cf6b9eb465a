import { foundMarks } from '@decola/contracts';

const { start, end } = foundMarks;

/** A text of the blog with the words that a search has found highlighted. */
export function FoundText({ text }: { text: string }) {
  return text.split(start).map((piece, index) => {
    if (index === 0) return piece.replaceAll(end, '');
    const [found = '', ...rest] = piece.split(end);
    return [<mark key={index}>{found}</mark>, rest.join('')];
  });
}

/** The same text without marks, for attributes. */
export const withoutMarks = (text: string): string => text.replaceAll(start, '').replaceAll(end, '');
