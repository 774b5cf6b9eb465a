import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import { eachElement, textIn } from './hast.js';
import { linkTarget } from './link-policy.js';

export interface LinkOfText {
  href: string;
  /** What people read. */
  text: string;
}

const parser = unified().use(rehypeParse, { fragment: true }).freeze();

/** Links of an article's HTML to pages, each address once. @param site origin of the site that shows it */
export function linksOfHtml(html: string, site: string): (LinkOfText & { isOutside: boolean })[] {
  const found = new Map<string, LinkOfText & { isOutside: boolean }>();
  eachElement(parser.parse(html), (element) => {
    const href = element.tagName === 'a' ? element.properties?.['href'] : undefined;
    if (typeof href !== 'string' || !/^https?:/i.test(href) || found.has(href)) return;
    found.set(href, { href, text: textIn(element).replace(/\s+/g, ' ').trim(), isOutside: linkTarget(href, site) === 'outside' });
  });
  return [...found.values()];
}
