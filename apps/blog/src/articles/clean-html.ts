import rehypeParse from 'rehype-parse';
import rehypeSanitize from 'rehype-sanitize';
import rehypeStringify from 'rehype-stringify';
import { unified } from 'unified';
import { articleSchema } from './article-schema.js';
import { eachElement, type HastNode } from './hast.js';
import { setHeadingIds } from './heading-ids.js';
import { judgeAddresses } from './link-policy.js';

const parser = unified().use(rehypeParse, { fragment: true }).freeze();
const sanitizer = unified().use(rehypeSanitize, articleSchema).freeze();
const writer = unified().use(rehypeStringify).freeze();

/** The tree of an article's HTML, with all that it has. */
export const htmlTree = (html: string): HastNode => parser.parse(html);

/** A parser drops the first line break of `<pre>`: without this each pass would lose another one. */
function dropFirstLineBreaks(tree: HastNode): void {
  eachElement(tree, (node) => {
    if (node.tagName !== 'pre') return;
    let first: HastNode | undefined = node;
    while (first && first.type !== 'text') first = first.children?.[0];
    if (first?.value !== undefined) first.value = first.value.replace(/^\n+/, '');
  });
}

function writeClean(tree: HastNode, site: string | null): string {
  const clean = sanitizer.runSync(tree as Parameters<typeof sanitizer.runSync>[0]) as HastNode;
  judgeAddresses(clean, site);
  dropFirstLineBreaks(clean);
  setHeadingIds(clean);
  return writer.stringify(clean as Parameters<typeof writer.stringify>[0]);
}

/** Passes after which HTML that changes with each is taken for an attack. */
const mostPasses = 10;

/**
 * Elements that are removed can leave others where a parser does not allow them, such as a link in a link: browsers would build another tree than the one
 * that was cleaned. So the result is parsed and cleaned again until it stays the same.
 */
function settle(first: string, site: string | null): string {
  let html = first;
  for (let pass = 0; pass < mostPasses; pass += 1) {
    const next = writeClean(htmlTree(html), site);
    if (next === html) return html;
    html = next;
  }
  return writeClean({ type: 'root', children: [{ type: 'text', value: html.replace(/<[^>]*>/g, ' ') }] }, site);
}

/** Writes a tree as HTML that may be stored and shown: as `cleanHtml` does. */
export const cleanTree = (tree: HastNode, site: string | null = null): string => settle(writeClean(tree, site), site);

/**
 * Removes scripts, frames, forms, styles, event handlers and unsafe URLs from the HTML of an article, and gives its headings ids and our pictures
 * their sizes. Idempotent.
 * @param site origin of the site that shows the article, when its addresses are absolute
 */
export function cleanHtml(html: string, { site = null }: { site?: string | null } = {}): string {
  return settle(html, site);
}
