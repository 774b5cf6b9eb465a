import { refusedTermsIn } from '@decola/contracts';
import { articleFromHtml } from '../articles/article-html.js';

/** The terms of the safety list in the title, the headings and the tags of an article: no customer's article is about them, whoever wrote it. */
export function unsafeTermsIn({
  title,
  content_html: html,
  tags,
}: {
  title: string;
  content_html: string;
  tags: readonly string[];
}): string[] {
  const { text } = articleFromHtml(html);
  const headings = text.blocks.filter(({ kind }) => kind === 'heading').map((block) => block.text);
  return [...new Set([title, ...headings, ...tags].flatMap((part) => refusedTermsIn(part, 'customer')))];
}
