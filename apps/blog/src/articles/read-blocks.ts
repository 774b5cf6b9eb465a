import type { ArticleBlock, ArticleText } from '@decola/contracts';
import type { HastNode } from './hast.js';
import { linkTarget } from './link-policy.js';

const headings: Readonly<Record<string, number>> = { h1: 1, h2: 2, h3: 3, h4: 4, h5: 5, h6: 6 };
const kinds: Readonly<Record<string, ArticleBlock['kind']>> = {
  ...Object.fromEntries(Object.keys(headings).map((tag) => [tag, 'heading' as const])),
  ...{ li: 'item', dd: 'item', dt: 'item', blockquote: 'quote', pre: 'code', td: 'cell', th: 'cell', figcaption: 'cell', caption: 'cell' },
};
const blocks = new Set([
  ...Object.keys(kinds),
  ...[
    'p',
    'ul',
    'ol',
    'dl',
    'table',
    'thead',
    'tbody',
    'tr',
    'figure',
    'hr',
    'div',
    'section',
    'article',
    'main',
    'header',
    'footer',
    'aside',
  ],
]);

/** Attribute that marks a link to a given source. It exists while an article is made, and is never shown. */
export const sourceMark = 'dataSource';

/**
 * What an article says, block by block.
 * @param tree sanitised by `readingSchema`, or made from Markdown
 * @param site origin of the site that shows the article
 */
export function readBlocks(tree: HastNode, site: string | null): Omit<ArticleText, 'deadLinks'> {
  const found: ArticleBlock[] = [];
  let internalLinks = 0;
  let run = { text: '', hasSource: false };

  const flush = (kind: ArticleBlock['kind'], tagName: string) => {
    const text = kind === 'code' ? run.text.replace(/^\n+|\s+$/g, '') : run.text.replace(/\s+/g, ' ').trim();
    const level = headings[tagName];
    if (text !== '')
      found.push({
        kind,
        ...(level === undefined || kind !== 'heading' ? {} : { level }),
        text,
        ...(run.hasSource ? { hasSource: true } : {}),
      });
    run = { text: '', hasSource: false };
  };

  const walk = (node: HastNode, kind: ArticleBlock['kind'], tagName: string) => {
    for (const child of node.children ?? []) {
      const tag = child.tagName ?? '';
      if (child.type === 'text') run.text += child.value ?? '';
      else if (tag === 'br') run.text += ' ';
      else if (blocks.has(tag)) {
        flush(kind, tagName);
        const inner = kinds[tag] ?? kind;
        walk(child, inner, kinds[tag] ? tag : tagName);
        flush(inner, kinds[tag] ? tag : tagName);
      } else {
        if (tag === 'a') {
          const href = child.properties?.['href'];
          const target = typeof href === 'string' ? linkTarget(href, site) : 'other';
          if (target === 'inside') internalLinks += 1;
          if (child.properties?.[sourceMark] !== undefined || target === 'outside') run.hasSource = true;
        }
        walk(child, kind, tagName);
      }
    }
  };
  walk(tree, 'paragraph', '');
  flush('paragraph', '');
  return { blocks: found, internalLinks };
}
