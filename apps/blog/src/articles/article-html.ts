import type { ArticleText } from '@decola/contracts';
import rehypeParse from 'rehype-parse';
import rehypeSanitize from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { readingSchema } from './article-schema.js';
import { cleanHtml, cleanTree } from './clean-html.js';
import { type HastNode, replaceNodes } from './hast.js';
import { readBlocks, sourceMark } from './read-blocks.js';

/** A page that an article may link to, by its number: `[texto](ref:7)`. */
export interface ArticleReference {
  /** A path of the own site, or an https address. */
  href: string;
  /** `inventory`: a page of the same site; `source`: where a fact comes from. */
  kind: 'inventory' | 'source';
}

export interface MarkdownOptions {
  refs: ReadonlyMap<number, ArticleReference>;
  /** Origin of the site that will show the article, when its pages are given as absolute addresses. */
  site?: string | null;
}

/** An article as it is stored and shown, and what it says. */
export interface ArticleHtml {
  html: string;
  text: ArticleText;
}

const markdown = unified().use(remarkParse).use(remarkGfm, { singleTilde: false }).use(remarkRehype, { footnoteLabel: 'Notas' }).freeze();
const reader = unified().use(rehypeParse, { fragment: true }).use(rehypeSanitize, readingSchema).freeze();

/** The tree of a Markdown text. HTML in it is dropped. */
export const markdownTree = (text: string): HastNode => markdown.runSync(markdown.parse(text));

const reference = /^ref:(\d{1,4})$/i;

/**
 * Gives the links of a tree their addresses. A model writes numbers; what it writes as an address is invented, so such links lose it and keep
 * their text, and its pictures go.
 * @returns numbers that were not given
 */
function resolveReferences(tree: HastNode, refs: MarkdownOptions['refs']): string[] {
  const dead: string[] = [];
  replaceNodes(tree, (node) => {
    if (node.tagName === 'img' || node.properties?.['dataFootnoteBackref'] !== undefined) return [];
    if (node.tagName !== 'a') return [node];
    const href = typeof node.properties?.['href'] === 'string' ? node.properties['href'] : '';
    const number = reference.exec(href)?.[1];
    const target = number === undefined ? undefined : refs.get(Number(number));
    if (!target) {
      if (number !== undefined) dead.push(`ref:${number}`);
      return node.children ?? [];
    }
    node.properties = { href: target.href, ...(target.kind === 'source' ? { [sourceMark]: '' } : {}) };
    return [node];
  });
  return dead;
}

/** The article of a model's Markdown: HTML that may be stored and shown, with the links that were given. */
export function articleFromMarkdown(text: string, { refs, site = null }: MarkdownOptions): ArticleHtml {
  const tree = markdownTree(text);
  const deadLinks = resolveReferences(tree, refs);
  const read = readBlocks(tree, site);
  return { html: cleanTree(tree, site), text: { ...read, deadLinks } };
}

/** The same for HTML, such as an article that a person changed. Whether its links are alive is the caller's to find out. */
export function articleFromHtml(html: string, { site = null }: { site?: string | null } = {}): ArticleHtml {
  const tree = reader.runSync(reader.parse(html)) as HastNode;
  return { html: cleanHtml(html, { site }), text: { ...readBlocks(tree, site), deadLinks: [] } };
}
