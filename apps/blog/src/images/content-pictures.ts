import { pictureOf } from '@decola/contracts';
import rehypeParse from 'rehype-parse';
import rehypeStringify from 'rehype-stringify';
import { unified } from 'unified';
import { sizesOf } from '../articles/link-policy.js';

/** The parts of a hast node that are used here. */
interface Node {
  type: string;
  tagName?: string;
  value?: string;
  properties?: Record<string, unknown>;
  children?: Node[];
}

/**
 * What has to be done to a picture of an article: `store` brings one here that is inside the text or at another site; `path` shortens an address of ours that
 * names a site to its path, or brings the picture here when that was another site; `measure` adds the missing size or text of one of ours.
 */
export type PictureTask =
  | { kind: 'store'; source: string }
  | { kind: 'path'; address: string; source: string }
  | { kind: 'measure'; address: string };

/** How a picture is shown afterwards. */
export interface ReplacedPicture {
  src: string;
  width: number;
  height: number;
}

/** A picture in the HTML of an article that needs a task. */
export interface ContentPicture {
  task: PictureTask;
  /** Sets address and size, and a text for people who do not see it where there is none: the caption, or else the given one. */
  replace: (picture: ReplacedPicture, fallbackAlt: string) => void;
}

const fragments = unified().use(rehypeParse, { fragment: true }).use(rehypeStringify).freeze();

/** The pictures of an article's HTML that need a task, and the HTML with those that were replaced. */
export function contentPicturesOf(html: string): { pictures: ContentPicture[]; html(): string } {
  const tree = fragments.parse(html);
  const pictures: ContentPicture[] = [];
  const visit = (node: Node, figure: Node | null) => {
    if (node.tagName === 'img') {
      const properties = (node.properties ??= {});
      const task = contentTaskOf(properties);
      if (task) pictures.push({ task, replace: (picture, fallback) => replaceIn(properties, picture, captionOf(figure) ?? fallback) });
    }
    for (const child of node.children ?? []) visit(child, node.tagName === 'figure' ? node : figure);
  };
  visit(tree, null);
  return { pictures, html: () => fragments.stringify(tree) };
}

/** What has to be done to a picture at this address, whatever else is known about it; null when it is ours, or another path of our site. */
export function addressTaskOf(source: string): PictureTask | null {
  const text = source.trim();
  if (/^data:/i.test(text)) return { kind: 'store', source: text };
  const absolute = text.startsWith('//') ? `https:${text}` : text;
  if (!/^https?:\/\//i.test(absolute) || !URL.canParse(absolute)) return null;
  const { pathname } = new URL(absolute);
  return pictureOf(pathname) ? { kind: 'path', address: pathname, source: absolute } : { kind: 'store', source: absolute };
}

function contentTaskOf({ src, width, height, alt }: Record<string, unknown>): PictureTask | null {
  if (typeof src !== 'string') return null;
  const task = addressTaskOf(src);
  if (task || !pictureOf(src)) return task;
  // An empty text says that the picture shows nothing that is worth telling; a missing one says nothing.
  return isSize(width) && isSize(height) && typeof alt === 'string' ? null : { kind: 'measure', address: src };
}

const isSize = (value: unknown) => Number.isInteger(Number(value ?? Number.NaN)) && Number(value) > 0;

function replaceIn(properties: Record<string, unknown>, { src, width, height }: ReplacedPicture, fallbackAlt: string): void {
  const { alt, title } = properties;
  Object.assign(properties, { src, width, height, ...sizesOf(src) });
  if (typeof alt !== 'string') properties['alt'] = typeof title === 'string' && title.trim() !== '' ? title.trim() : fallbackAlt;
}

function captionOf(figure: Node | null): string | null {
  const caption = figure?.children?.find(({ tagName }) => tagName === 'figcaption');
  const text = caption ? textOf(caption).replace(/\s+/g, ' ').trim() : '';
  return text === '' ? null : text;
}

const textOf = ({ value, children = [] }: Node): string => (value ?? '') + children.map(textOf).join('');
