import { cutAfterWord } from '@decola/contracts';
import { toText } from 'hast-util-to-text';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';

/** Characters of an article's beginning that stand for a missing excerpt. */
const excerptLength = 150;

const parser = unified().use(rehypeParse, { fragment: true }).freeze();

/** Pictures inside the text are megabytes, and no words. */
const withoutData = (html: string): string => html.replaceAll(/\b(src|href)\s*=\s*(?:"data:[^"]*"?|'data:[^']*'?)/gi, '');

/** The text of an article's HTML, its paragraphs separated by line breaks. */
export function textOfHtml(html: string): string {
  return toText(parser.parse(withoutData(html)));
}

/** What stands for an article's excerpt while nobody has written one: the first 150 characters of its text. */
export const excerptOfText = (text: string): string => cutAfterWord(text, excerptLength);
