import { randomUUID } from 'node:crypto';
import { foldText, isClosingChat, isPreamble } from '@decola/contracts';
import { markdownTree } from '../articles/article-html.js';
import { cleanTree, htmlTree } from '../articles/clean-html.js';
import { element, type HastNode, replaceNodes, textIn } from '../articles/hast.js';

/** What is known about the article and the site. */
export interface RepairFacts {
  title: string;
  /** Whether a path of the own site leads to no page. */
  isDeadPath: (path: string) => boolean;
}

const isElement = (node: HastNode, ...tags: string[]) => node.type === 'element' && tags.includes(node.tagName ?? '');
const isBlank = (node: HastNode) => node.type === 'text' && /^\s*$/.test(node.value ?? '');
const isHeading = (node: HastNode) => /^h[1-6]$/.test(node.tagName ?? '');
const plain = (text: string) =>
  foldText(text)
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

const wrappers = ['div', 'section', 'article', 'main', 'header', 'footer', 'aside', 'body', 'html', 'center'];
const blocks = new Set([
  ...wrappers,
  'p',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'ul',
  'ol',
  'blockquote',
  'pre',
  'table',
  'figure',
  'hr',
  'dl',
]);
const isBlock = (node: HastNode) => blocks.has(node.tagName ?? '');

/** A fence around the whole article: ```` ```html ```` before it and the same after it, also where an editor made paragraphs of them. */
function withoutFence(html: string): string {
  const opening = /^\s*(?:<p>\s*)?(?:```|~~~)[a-z]*[ \t]*(?:<br\s*\/?>|<\/p>|\r?\n)/i.exec(html);
  if (!opening) return html;
  const rest = html.slice(opening[0].length).replace(/(?:<p>\s*)?(?:```|~~~)\s*(?:<\/p>)?\s*$/, '');
  // The paragraph that the fence began goes on without it.
  return opening[0].includes('<p>') && !opening[0].includes('</p>') ? `<p>${rest}` : rest;
}

const markup = 'p|h[1-6]|ul|ol|li|strong|em|b|i|a|blockquote|table|figure|div|article|section';
const escapedMarkup = new RegExp(String.raw`<(${markup})(?:\s[^<>]*)?>[\s\S]*</\1>`, 'i');
const escapedEntity = /&(?:[a-z]{2,8}|#\d{2,6}|#x[\da-f]{2,6});/i;

/** Text that is HTML itself, because somebody escaped it twice: `&amp;lt;p&amp;gt;`. In code it is meant so. */
function unescapeTwice(tree: HastNode): void {
  replaceOutsideCode(tree, (node) => {
    const value = node.value ?? '';
    return escapedMarkup.test(value) || escapedEntity.test(value) ? (htmlTree(value).children ?? []) : [node];
  });
}

function replaceOutsideCode(node: HastNode, replace: (text: HastNode) => HastNode[]): void {
  if (isElement(node, 'pre', 'code', 'script', 'style', 'textarea')) return;
  node.children = node.children?.flatMap((child) => {
    if (child.type === 'text') return replace(child);
    replaceOutsideCode(child, replace);
    return [child];
  });
}

/** A block of code that is the article, or a part of it, in a fence. */
function openFences(tree: HastNode): void {
  replaceNodes(tree, (node) => {
    if (!isElement(node, 'pre')) return [node];
    const text = textIn(node);
    const classes = JSON.stringify(node.children?.map(({ properties }) => properties?.['className']) ?? []);
    if (/^\s*<(?:h[1-6]|p|article|div|ul|html|!doctype)[\s>]/i.test(text)) return htmlTree(text).children ?? [];
    const isArticle = /language-(?:markdown|md)\b/.test(classes) || (/^\s*#{1,4} \S/.test(text) && /\n\s*\n/.test(text));
    return isArticle ? (markdownTree(text).children ?? []) : [node];
  });
}

const blockMark = /^\s{0,3}(?:#{1,6} \S|[-*+] \S|\d{1,2}[.)] \S|> ?\S|(?:-{3,}|\*{3,})\s*$)/;

/** Lines of a paragraph: its text where it has nothing but text, line breaks and marks of Markdown; null otherwise. */
function linesOf(node: HastNode): string[] | null {
  if (!(node.children ?? []).every((child) => child.type === 'text' || isElement(child, 'br'))) return null;
  return (node.children ?? [])
    .map((child) => (child.type === 'text' ? (child.value ?? '') : '\n'))
    .join('')
    .split(/\n+/);
}

/** Whether Markdown was left: a heading in a paragraph, or a list of at least two items. One line that begins with a dash may be speech. */
function isMarkdown(lines: readonly string[]): boolean {
  const marked = lines.filter((line) => blockMark.test(line));
  return marked.some((line) => /^\s{0,3}#{1,6} \S/.test(line)) || (marked.length >= 2 && marked.length >= lines.length / 2);
}

/** Headings, lists and the like that stand as plain text in paragraphs. */
function turnBlockMarkdown(tree: HastNode): void {
  replaceNodes(tree, (node) => {
    if (!isElement(node, 'p')) return [node];
    const lines = linesOf(node);
    return lines && isMarkdown(lines) ? (markdownTree(lines.join('\n')).children ?? []) : [node];
  });
}

const inlineMark =
  /\*\*(?=\S)([^*\n]+?)(?<=\S)\*\*|__(?=\S)([^_\n]+?)(?<=\S)__|\[([^\]\n]{1,200})\]\((https:\/\/[^\s()]+|\/[^\s()]*)\)|`([^`\n]+)`/g;

/** Bold text, links and code that stand as Markdown in a text. */
function turnInlineMarkdown(tree: HastNode): void {
  replaceOutsideCode(tree, (node) => {
    const value = node.value ?? '';
    const parts: HastNode[] = [];
    let begun = 0;
    for (const match of value.matchAll(inlineMark)) {
      const [whole, stars, underscores, label, href, code] = match;
      const text = (content: string): HastNode => ({ type: 'text', value: content });
      if (match.index > begun) parts.push(text(value.slice(begun, match.index)));
      if (href !== undefined) parts.push(element('a', [text(label!)], { href }));
      else if (code !== undefined) parts.push(element('code', [text(code)]));
      else parts.push(element('strong', [text((stars ?? underscores)!)]));
      begun = match.index + whole.length;
    }
    return parts.length === 0 ? [node] : [...parts, ...(begun < value.length ? [{ type: 'text', value: value.slice(begun) }] : [])];
  });
}

/** Wrappers go; text that stood alone in one, or in the root, becomes a paragraph. */
function unwrap(node: HastNode): void {
  const flat = (children: readonly HastNode[]): HastNode[] => {
    const result: HastNode[] = [];
    let inline: HastNode[] = [];
    const flush = () => {
      if (inline.some((child) => !isBlank(child) && !isElement(child, 'br'))) {
        // A picture or a line of its own needs no paragraph.
        if (inline.every((child) => isBlank(child) || isElement(child, 'br', 'img'))) result.push(...inline);
        else result.push(element('p', inline));
      }
      inline = [];
    };
    for (const child of children) {
      if (child.type === 'comment' || child.type === 'doctype') continue;
      if (isElement(child, ...wrappers)) {
        flush();
        result.push(...flat(child.children ?? []));
      } else if (isBlock(child)) {
        flush();
        result.push(child);
      } else inline.push(child);
    }
    flush();
    return result;
  };
  node.children = flat(node.children ?? []);
}

/** The page shows the title itself: it is no heading of the text. Other headings of the first level are of the second. */
function settleHeadings(tree: HastNode, title: string): void {
  replaceNodes(tree, (node) => {
    if (isElement(node, 'h1')) return plain(textIn(node)) === plain(title) ? [] : [{ ...node, tagName: 'h2' }];
    return isElement(node, 'h5', 'h6') ? [{ ...node, tagName: 'h4' }] : [node];
  });
  const first = tree.children?.find((node) => !isBlank(node));
  if (first && isHeading(first) && plain(textIn(first)) === plain(title)) tree.children = tree.children!.filter((node) => node !== first);
}

/** What a model says to the person who asked, before and after the article. */
function dropChat(tree: HastNode): void {
  const kept = tree.children!.filter((node) => !isBlank(node));
  while (kept[0] && isElement(kept[0], 'p') && isPreamble(textIn(kept[0]))) kept.shift();
  for (let last = kept.at(-1); last && isElement(last, 'p', 'hr'); last = kept.at(-1)) {
    if (!isElement(last, 'hr') && !isClosingChat(textIn(last))) break;
    kept.pop();
  }
  tree.children = kept;
}

/** Links of the own site that lead to no page lose their address, and fragments that lead to no heading. */
function unwrapDeadLinks(tree: HastNode, { isDeadPath }: RepairFacts): void {
  replaceNodes(tree, (node) => {
    if (!isElement(node, 'a')) return [node];
    const href = node.properties?.['href'];
    const isDead = typeof href !== 'string' || href === '#' || (href.startsWith('/') && isDeadPath(href));
    return isDead ? (node.children ?? []) : [node];
  });
}

const mayBeEmpty = ['br', 'hr', 'img', 'td', 'th'];

/** Elements without text and picture, and line breaks at the end of a block. */
function dropEmpty(tree: HastNode): void {
  replaceNodes(tree, (node) => {
    if (node.type !== 'element' || isElement(node, ...mayBeEmpty)) return [node];
    while (node.children?.length && (isElement(node.children.at(-1)!, 'br') || (isBlock(node) && isBlank(node.children.at(-1)!))))
      node.children.pop();
    const isEmpty = !(node.children ?? []).some((child) => !isBlankText(child));
    if (!isEmpty) return [node];
    // The space of `a<b> </b>b` keeps two words apart.
    return !isBlock(node) && /^[ \n]+$/.test(textIn(node)) ? [{ type: 'text', value: ' ' }] : [];
  });
}

const isBlankText = (node: HastNode) => node.type === 'text' && /^[\s\u00a0\u200b\ufeff]*$/.test(node.value ?? '');

function repairOnce(html: string, facts: RepairFacts): string {
  let tree = htmlTree(withoutFence(html));
  unescapeTwice(tree);
  const lines = linesOf(tree);
  // An article without any element is Markdown, or plain text, which reads the same.
  if (lines && lines.some((line) => line.trim() !== '')) tree = markdownTree(textIn(tree));
  openFences(tree);
  unwrap(tree);
  turnBlockMarkdown(tree);
  turnInlineMarkdown(tree);
  settleHeadings(tree, facts.title);
  dropEmpty(tree);
  dropChat(tree);
  unwrapDeadLinks(tree, facts);
  return cleanTree({ type: 'root', children: tree.children ?? [] });
}

/** The beginning of a picture that stands in its element itself, up to its bytes. */
const pictureInText = /<img\s[^<>]*?\bsrc=["'](?=data:image\/(?:png|jpe?g|gif|webp|avif);base64,[a-z0-9+/=])/gi;
const notBase64 = /[^a-z0-9+/=]/i;

/**
 * Replaces the addresses of pictures that stand in their elements themselves. They are megabytes: a pattern that matched all of their characters could
 * exhaust the stack of the engine.
 */
function replacePictures(html: string, placeOf: (picture: string) => string): string {
  const parts: string[] = [];
  let done = 0;
  for (const { 0: before, index } of html.matchAll(pictureInText)) {
    const start = index + before.length;
    const end = html.indexOf(html[start - 1] === "'" ? "'" : '"', start);
    if (end < 0 || notBase64.test(html.slice(html.indexOf(',', start) + 1, end))) continue;
    parts.push(html.slice(done, start), placeOf(html.slice(start, end)));
    done = end;
  }
  return parts.join('') + html.slice(done);
}

const betweenTags = (html: string) => html.replace(/>\s+</g, '><').trim();

/** Repairs that go on after so many passes stop there. */
const mostPasses = 5;

/**
 * An article's HTML without what a model, an editor or a copy left in it: fences, wrappers, the title once more, chat, Markdown, double escapes, empty blocks,
 * links of the own site that lead nowhere. Sanitised; what is right stays as it is.
 */
export function repairContent(html: string, facts: RepairFacts): string {
  // Pictures inside the text are megabytes, which every pass would parse again: a short address stands for each meanwhile.
  const pictures: string[] = [];
  const place = `/picture-${randomUUID()}-`;
  const short = replacePictures(html, (picture) => `${place}${pictures.push(picture) - 1}.`);
  const repaired = repairToTheEnd(short, facts);
  return repaired === short ? html : repaired.replace(new RegExp(`${place}(\\d+)\\.`, 'g'), (_, index: string) => pictures[Number(index)]!);
}

function repairToTheEnd(html: string, facts: RepairFacts): string {
  let repaired = html;
  for (let pass = 0; pass < mostPasses; pass += 1) {
    const next = repairOnce(repaired, facts);
    if (next === repaired) break;
    repaired = next;
  }
  // Line breaks between blocks are no reason to change an article.
  return betweenTags(repaired) === betweenTags(html) ? html : repaired;
}
