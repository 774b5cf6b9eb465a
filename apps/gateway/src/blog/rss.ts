import { articleAddress, shareAddressOf, type SiteFeed } from '@decola/contracts';
import { Feed } from 'feed';
import type { Site } from '../site/metadata.js';
import { pageTexts, rssTexts as texts } from '../texts/texts.js';

/** The newest articles as RSS 2.0. */
export function rss({ recent }: SiteFeed, site: Site): string {
  const { url, productName } = site;
  const newest = recent
    .map(({ updatedAt }) => updatedAt)
    .toSorted()
    .at(-1);
  const feed = new Feed({
    id: `${url}/blog`,
    title: texts.title(productName),
    description: pageTexts['/blog']!.description,
    link: `${url}/blog`,
    language: 'pt-BR',
    generator: false,
    // Without articles the feed has no date of its own that would be true, and stays the same.
    updated: new Date(newest ?? 0),
    feedLinks: { rss: `${url}/blog/rss.xml` },
  });
  for (const { slug, title, excerpt, publishedAt, category, picture } of recent) {
    const link = url + articleAddress(slug);
    const preview = picture && shareAddressOf(picture.src);
    feed.addItem({
      title,
      link,
      description: excerpt,
      date: new Date(publishedAt),
      ...(category === null ? {} : { category: [{ name: category }] }),
      ...(preview ? { image: { url: url + preview, type: 'image/jpeg', length: 0 } } : {}),
    });
  }
  return feed.rss2();
}
