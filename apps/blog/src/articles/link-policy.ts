import { pictureOf, srcsetOf } from '@decola/contracts';
import type { HastNode } from './hast.js';

/** Pictures that older articles have inside their text. SVG is not among them: it can hold scripts. */
const dataPicture = /^data:image\/(?:png|jpe?g|gif|webp|avif);base64,(?=.)/is;
// One character is searched for, instead of all of them matched: a pattern over megabytes can exhaust the stack of the engine.
const notBase64 = /[^a-z0-9+/=\s]/i;
const isDataPicture = (src: string): boolean => dataPicture.test(src) && !notBase64.test(src.slice(src.indexOf(',') + 1));

/** Width of a picture in an article: the text's column, or the whole of a phone. */
const pictureSizes = '(min-width: 768px) 720px, 100vw';

/**
 * Allows a path of our own site, a fragment, or an absolute URL with one of the schemes. Written here because rehype-sanitize takes `//host`
 * for a relative URL, although it points to another site.
 * @returns the URL to keep, or null
 */
function allowedUrl(value: unknown, schemes: readonly string[]): string | null {
  if (typeof value !== 'string') return null;
  const text = value.trim();
  // Browsers read a backslash as a slash and drop tabs and line breaks, so `/\\host` and `/<tab>/host` are other sites too.
  if (/^\/(?![/\\])[^\\\t\n\r]*$/.test(text) || /^#[\w-]*$/.test(text)) return text;
  try {
    const url = new URL(text);
    return schemes.includes(url.protocol) && url.username === '' && url.password === '' ? url.href : null;
  } catch {
    return null;
  }
}

/** Host of an address without `www.`; null for a path, a fragment and what is no address. */
export function hostOf(address: string): string | null {
  return URL.canParse(address) ? new URL(address).hostname.replace(/^www\./, '') || null : null;
}

/** Where a link leads: to a page of the same site, to another site, or nowhere else (a fragment, an e-mail address). */
export function linkTarget(href: string, site: string | null): 'inside' | 'outside' | 'other' {
  if (href.startsWith('/')) return 'inside';
  if (!/^https?:/i.test(href)) return 'other';
  const host = hostOf(href);
  return host !== null && site !== null && host === hostOf(site) ? 'inside' : 'outside';
}

function judgeLink(properties: Record<string, unknown>, site: string | null): void {
  const href = allowedUrl(properties['href'], ['https:', 'mailto:']);
  if (href === null) {
    delete properties['href'];
    return;
  }
  properties['href'] = href;
  if (linkTarget(href, site) === 'outside') properties['rel'] = ['nofollow', 'noopener'];
}

function judgePicture(properties: Record<string, unknown>): void {
  const isData = typeof properties['src'] === 'string' && isDataPicture(properties['src']);
  const src = isData ? (properties['src'] as string) : allowedUrl(properties['src'], ['https:']);
  if (src === null) {
    delete properties['src'];
    return;
  }
  properties['src'] = src;
  Object.assign(properties, sizesOf(src));
}

/** Further properties of a picture of ours, by its address: its other sizes, and that it may come late. None for other pictures. */
export function sizesOf(src: string): Record<string, string> {
  if (!pictureOf(src)) return {};
  const srcSet = srcsetOf(src);
  return { ...(srcSet === null ? {} : { srcSet, sizes: pictureSizes }), loading: 'lazy', decoding: 'async' };
}

/**
 * Decides every address of a sanitised tree. Links lead to https, to mail, to a path of the own site or to a fragment; those to other sites pass nothing on
 * to them. Pictures without an allowed address are removed, and ours get their sizes.
 * @param site origin of the site that shows the article, when its addresses are absolute
 */
export function judgeAddresses(node: HastNode, site: string | null): void {
  const properties = (node.properties ??= {});
  if (node.tagName === 'a') judgeLink(properties, site);
  if (node.tagName === 'img') judgePicture(properties);
  if (!node.children) return;
  node.children = node.children.filter((child) => {
    judgeAddresses(child, site);
    return child.tagName !== 'img' || child.properties?.['src'] !== undefined;
  });
}
