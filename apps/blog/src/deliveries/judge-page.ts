import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import { eachElement, type HastNode, textIn } from '../articles/hast.js';
import { comingSoonWords } from '../texts/delivery-texts.js';
import { headerOf, type SiteReply } from '../sites/site-answer.js';

/** Why an article is not seen at its public address. */
export type NotSeen = 'permalinks' | 'login' | 'soon' | 'canonical' | 'noindex' | 'title' | 'elsewhere' | 'unreachable';

/** Quotes and hyphens, which WordPress replaces by nicer ones. */
const folded = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const samePage = (one: string, other: string, base: string): boolean => {
  if (!URL.canParse(one, base) || !URL.canParse(other)) return false;
  const plain = (text: string) => {
    const url = new URL(text, base);
    url.searchParams.delete('decola');
    return `${url.hostname.replace(/^www\./, '')}${url.pathname.replace(/\/$/, '')}${url.search}`;
  };
  return plain(one) === plain(other);
};

/**
 * Looks at the public page of an article, as a visitor gets it.
 * @returns null when the article is there and search engines may show it
 */
export function judgePage(reply: SiteReply, { title, url }: { title: string; url: string }): NotSeen | null {
  if ('failure' in reply) return 'unreachable';
  const { status, headers, body } = reply;
  if (status === 404 || status === 410) return 'permalinks';
  if (status === 401 || status === 403) return 'login';
  if (status >= 300 && status < 400) {
    const location = headers['location'];
    return typeof location === 'string' && /wp-login\.php|\/login\b/.test(location) ? 'login' : 'elsewhere';
  }
  const page = readPage(body);
  if (status === 503 && comingSoonWords.test(`${page.title} ${page.headings.join(' ')}`)) return 'soon';
  if (status !== 200) return 'unreachable';
  const wanted = folded(title);
  if (![page.title, ...page.headings].some((each) => folded(each).includes(wanted))) {
    if (/wp-login\.php/.test(reply.url) || page.isLogin) return 'login';
    return comingSoonWords.test(`${page.title} ${page.headings.join(' ')}`) ? 'soon' : 'title';
  }
  if (page.canonical !== null && !samePage(page.canonical, url, reply.url)) return 'canonical';
  return page.isNoindex || headerOf(headers, 'x-robots-tag').includes('noindex') ? 'noindex' : null;
}

interface ReadPage {
  title: string;
  /** First-level headings. */
  headings: string[];
  canonical: string | null;
  isNoindex: boolean;
  isLogin: boolean;
}

function readPage(html: string): ReadPage {
  const page: ReadPage = { title: '', headings: [], canonical: null, isNoindex: false, isLogin: false };
  const text = (value: unknown) => (Array.isArray(value) ? value.join(' ') : typeof value === 'string' ? value : '').toLowerCase();
  eachOf(unified().use(rehypeParse).parse(html), (node) => {
    const { tagName, properties = {} } = node;
    if (tagName === 'title' && page.title === '') page.title = textIn(node);
    if (tagName === 'h1') page.headings.push(textIn(node));
    if (tagName === 'link' && text(properties['rel']).split(' ').includes('canonical') && typeof properties['href'] === 'string')
      page.canonical ??= properties['href'];
    if (tagName === 'meta' && ['robots', 'googlebot'].includes(text(properties['name'])) && text(properties['content']).includes('noindex'))
      page.isNoindex = true;
    if (tagName === 'form' && /loginform/.test(text(properties['id']))) page.isLogin = true;
  });
  return page;
}

/** `eachElement` starts at elements; a page is a root. */
const eachOf = (root: HastNode, visit: (element: HastNode) => void): void => {
  for (const child of root.children ?? []) eachElement(child, visit);
};
