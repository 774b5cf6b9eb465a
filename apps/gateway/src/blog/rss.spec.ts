import type { SiteArticleCard } from '@decola/contracts';
import { XMLParser } from 'fast-xml-parser';
import { rss } from './rss.js';

const site = { url: 'https://decola.example', productName: 'Decola' };
const hash = '0123456789abcdef0123456789abcdef';
const card = (changes: Partial<SiteArticleCard> = {}): SiteArticleCard => ({
  id: 'a1',
  slug: 'um-artigo',
  title: 'Um & <dois> ]]> três',
  excerpt: 'O resumo.',
  category: 'Dados',
  tags: [],
  author: 'ana@decola.example',
  readTime: 5,
  publishedAt: '2026-11-18T12:00:00.000Z',
  updatedAt: '2026-11-19T12:00:00.000Z',
  picture: { src: `/storage/v1/object/public/blog-images/${hash}-1200.webp`, srcset: null, width: 1200, height: 675, alt: '' },
  ...changes,
});
interface Parsed {
  rss: { channel: { title: string; lastBuildDate: string; item: Record<string, unknown>[] } };
}
const parsed = (xml: string) =>
  (new XMLParser({ ignoreAttributes: false, isArray: (name) => name === 'item' }).parse(xml) as Parsed).rss.channel;

it('lists the newest articles with their address, date and picture', () => {
  const channel = parsed(rss({ recent: [card(), card({ slug: 'outro', picture: null, category: null })], slugs: [] }, site));
  expect(channel).toMatchObject({ title: 'Blog · Decola', lastBuildDate: 'Thu, 19 Nov 2026 12:00:00 GMT' });
  expect(channel.item).toHaveLength(2);
  expect(channel.item[0]).toMatchObject({
    title: 'Um & <dois> ]]> três',
    link: 'https://decola.example/blog/um-artigo',
    description: 'O resumo.',
    pubDate: 'Wed, 18 Nov 2026 12:00:00 GMT',
    enclosure: { '@_url': `https://decola.example/storage/v1/object/public/blog-images/${hash}-share.jpg`, '@_type': 'image/jpeg' },
  });
});

it('tells no mail address, and is the same while nothing changes', () => {
  const xml = rss({ recent: [card()], slugs: [] }, site);
  expect(xml).not.toContain('ana@');
  expect(rss({ recent: [card()], slugs: [] }, site)).toBe(xml);
  expect(rss({ recent: [], slugs: [] }, site)).toBe(rss({ recent: [], slugs: [] }, site));
});
