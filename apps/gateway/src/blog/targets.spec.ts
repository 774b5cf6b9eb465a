import { addressOf, blogTargetOf } from './targets.js';

const keptAs = (pathname: string, query = '') => {
  const target = blogTargetOf(pathname, query);
  return target && addressOf(target);
};

it.each([
  ['/blog', '', '/blog'],
  ['/blog/', 'utm_source=x&page=1', '/blog'],
  ['/Blog', 'page=2&search=caf%C3%A9', '/blog?search=caf%C3%A9&page=2'],
  ['/blog/um-artigo', 'utm_source=x', '/blog/um-artigo'],
  ['/blog/um-artigo/', '', '/blog/um-artigo'],
  ['/blog/rss.xml', '', '/blog/rss.xml'],
  ['/blog/a.b', '', '/blog/a.b'],
  ['/sitemap', '', '/sitemap'],
  ['/sitemap.xml', '', '/sitemap'],
])('keeps %s?%s as %s', (pathname, query, address) => expect(keptAs(pathname, query)).toBe(address));

it.each(['/', '/blogs', '/blog/a/b', '/x/blog', '/sitemapxxml'])('leaves %s to others', (pathname) => expect(keptAs(pathname)).toBeNull());
