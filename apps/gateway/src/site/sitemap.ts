import { articleAddress, type SiteFeed } from '@decola/contracts';

const staticPages: readonly (readonly [path: string, frequency: string, priority: string])[] = [
  ['/', 'daily', '1.0'],
  ['/blog', 'daily', '0.9'],
  ['/planos', 'weekly', '0.8'],
  ['/auth', 'monthly', '0.5'],
];

/** @param siteUrl without a trailing slash */
export function sitemap(siteUrl: string, articles: SiteFeed['slugs']): string {
  const escape = (text: string) => text.replace(/[<>&'"]/g, (character) => `&#${character.charCodeAt(0)};`);
  const entry = (location: string, frequency: string, priority: string, modified?: string) =>
    `  <url><loc>${escape(siteUrl + location)}</loc>${modified ? `<lastmod>${escape(modified)}</lastmod>` : ''}<changefreq>${frequency}</changefreq><priority>${priority}</priority></url>`;
  const pages = staticPages.map(([location, frequency, priority]) => entry(location, frequency, priority));
  const posts = articles.map(({ slug, updatedAt }) => entry(articleAddress(slug), 'weekly', '0.7', updatedAt));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${[...pages, ...posts].join('\n')}\n</urlset>\n`;
}
