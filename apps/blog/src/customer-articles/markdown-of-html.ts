import { articleFromHtml } from '../articles/article-html.js';

/** The text of an article as simple Markdown, without its links: what a model gets of an article that a person has edited. */
export function markdownOfHtml(html: string): string {
  const { blocks } = articleFromHtml(html).text;
  return blocks
    .map(({ kind, level = 2, text }) => {
      if (kind === 'heading') return `${'#'.repeat(Math.max(2, level))} ${text}`;
      if (kind === 'item') return `- ${text}`;
      return kind === 'quote' ? `> ${text}` : text;
    })
    .join('\n\n');
}
