import { articleAddress, articleListAddress, type ArticleListQuery, readArticleListQuery } from '@decola/contracts';

/** What an address of the blog asks for. */
export type Target =
  | { kind: 'list'; query: ArticleListQuery }
  | { kind: 'article'; slug: string }
  | { kind: 'feed' }
  | { kind: 'sitemap' }
  | { kind: 'sitemap-page' };

/**
 * @param pathname decoded
 * @param query without its question mark
 * @returns null for an address that is not the blog's
 */
export function blogTargetOf(pathname: string, query: string): Target | null {
  // As XML it has its own route, since the same address is both.
  if (/^\/sitemap(?:\.xml)?\/*$/i.test(pathname)) return { kind: 'sitemap-page' };
  const found = /^\/blog(?:\/+([^/]+))?\/*$/i.exec(pathname);
  if (!found) return null;
  const slug = found[1];
  if (slug === undefined) return { kind: 'list', query: readArticleListQuery(new URLSearchParams(query)) };
  return slug.toLowerCase() === 'rss.xml' ? { kind: 'feed' } : { kind: 'article', slug };
}

/** The one address under which a page is kept, however it was asked for. */
export function addressOf(target: Target): string {
  switch (target.kind) {
    case 'list':
      return articleListAddress(target.query);
    case 'article':
      return articleAddress(target.slug);
    case 'feed':
      return '/blog/rss.xml';
    case 'sitemap':
      return '/sitemap.xml';
    case 'sitemap-page':
      return '/sitemap';
  }
}
