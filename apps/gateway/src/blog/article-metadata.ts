import {
  articleAddress,
  articleListAddress,
  type ArticleListQuery,
  type BlogPage,
  sharePicture,
  type SiteArticle,
} from '@decola/contracts';
import type { BlogPosting, BreadcrumbList } from 'schema-dts';
import { escapeHtml, organizationOf, type PageMetadata, type Site, structuredDataTag, webSiteOf } from '../site/metadata.js';
import { blogPageTexts as texts, defaultPageDescription, pageTexts } from '../texts/texts.js';

/** Longest headline that search engines show, in characters. */
const longestHeadline = 110;

/** Brazil has had no summer time since 2019. */
const brasiliaOffset = '-03:00';
const brasiliaOffsetMs = -3 * 3_600_000;

/** An administrator's identity may be a mail address, which is not for everybody's eyes: the product's name stands for it. */
export const authorName = (author: string, productName: string): string => (author.includes('@') ? productName : author);

/** The absolute address of a picture or page. */
export const absolute = (address: string, { url }: Site): string => (address.startsWith('/') ? url + address : address);

/** An instant as ISO 8601 with Brasília's offset. */
export function brasiliaTime(instant: string): string {
  return new Date(Date.parse(instant) + brasiliaOffsetMs).toISOString().replace(/\.\d+Z$/, brasiliaOffset);
}

const meta = (name: string, content: string) => `<meta name="${name}" content="${escapeHtml(content)}">`;
const property = (name: string, content: string) => `<meta property="${name}" content="${escapeHtml(content)}">`;
const feedLink = ({ productName }: Site) =>
  `<link rel="alternate" type="application/rss+xml" title="${escapeHtml(`Blog · ${productName}`)}" href="/blog/rss.xml">`;

/** Metadata of a page of the blog. */
export function blogMetadata(page: BlogPage, site: Site): PageMetadata {
  switch (page.kind) {
    case 'list':
      return listMetadata(page.query, page.list.categories, site);
    case 'article':
      return articleMetadata(page.article, site);
    case 'missing':
      return {
        ...unindexed(`${texts.missing} · ${site.productName}`),
        // People land on the list, as the specification says; crawlers see the status.
        tags: ['<meta http-equiv="refresh" content="0;url=/blog">'],
      };
    case 'sitemap':
      return unindexed(`${texts.sitemap} · ${site.productName}`);
    case 'failed':
    case 'too-many':
      return unindexed(`${texts.failed} · ${site.productName}`);
  }
}

const unindexed = (title: string): PageMetadata => ({ title, description: defaultPageDescription, canonicalPath: null });

function listMetadata(query: ArticleListQuery, categories: readonly string[], site: Site): PageMetadata {
  const { search, tag, category, page } = query;
  const asked = search || tag;
  const { title: plainTitle, description } = pageTexts['/blog']!;
  const title = asked ? texts.searchTitle(asked) : category ? texts.categoryTitle(category) : plainTitle;
  const address = articleListAddress(query);
  const crumbs = [
    [texts.crumbs.home, '/'],
    [texts.crumbs.blog, '/blog'],
  ] as const;
  return {
    title: `${page > 1 ? texts.pageTitle(title, page) : title} · ${site.productName}`,
    description,
    canonicalPath: address,
    // Search results and lists of a tag show nothing that the list itself does not.
    ...(asked ? { robots: 'noindex, follow' as const } : {}),
    tags: [
      ...(categories.length > 0 ? [meta('keywords', categories.join(', '))] : []),
      meta('twitter:title', title),
      meta('twitter:description', description),
      feedLink(site),
      structuredDataTag([breadcrumb(crumbs, site), organizationOf(site), webSiteOf(site)]),
    ],
  };
}

function articleMetadata(article: SiteArticle, site: Site): PageMetadata {
  const { slug, title, metaTitle, metaDescription, excerpt, tags, category, preview, picture } = article;
  const canonicalPath = articleAddress(slug);
  const [published, updated] = [brasiliaTime(article.publishedAt), brasiliaTime(article.updatedAt)];
  const description = metaDescription || excerpt || defaultPageDescription;
  const pageTitle = metaTitle || title;
  const crumbs = [
    [texts.crumbs.home, '/'],
    [texts.crumbs.blog, '/blog'],
    [title, canonicalPath],
  ] as const;
  return {
    title: `${pageTitle} · ${site.productName}`,
    description,
    canonicalPath,
    type: 'article',
    ...(preview === null ? {} : { previewImage: { url: absolute(preview, site), ...sharePicture, alt: picture?.alt ?? title } }),
    tags: [
      ...(tags.length > 0 ? [meta('keywords', tags.join(', '))] : []),
      meta('author', authorName(article.author, site.productName)),
      property('article:published_time', published),
      property('article:modified_time', updated),
      ...(category === null ? [] : [property('article:section', category)]),
      ...tags.map((tag) => property('article:tag', tag)),
      meta('twitter:title', pageTitle),
      meta('twitter:description', description),
      ...(preview === null ? [] : [meta('twitter:image', absolute(preview, site))]),
      feedLink(site),
      structuredDataTag([
        blogPosting(article, { published, updated, description }, site),
        breadcrumb(crumbs, site),
        organizationOf(site),
        webSiteOf(site),
      ]),
    ],
  };
}

function blogPosting(
  article: SiteArticle,
  { published, updated, description }: { published: string; updated: string; description: string },
  site: Site,
): BlogPosting {
  const { slug, title, tags, category, preview, picture, wordCount } = article;
  const url = site.url + articleAddress(slug);
  const author = authorName(article.author, site.productName);
  const images = [preview, picture?.src ?? null].filter((image) => image !== null).map((image) => absolute(image, site));
  return {
    '@type': 'BlogPosting',
    '@id': `${url}#article`,
    mainEntityOfPage: url,
    url,
    headline: headlineOf(title),
    description,
    datePublished: published,
    dateModified: updated,
    inLanguage: 'pt-BR',
    author: author.includes(site.productName)
      ? { '@type': 'Organization', name: author, url: site.url }
      : { '@type': 'Person', name: author, url: `${site.url}/blog` },
    publisher: { '@id': `${site.url}/#organization` },
    isPartOf: { '@id': `${site.url}/#website` },
    ...(images.length > 0 ? { image: images } : {}),
    ...(category === null ? {} : { articleSection: category }),
    ...(tags.length > 0 ? { keywords: tags.join(', ') } : {}),
    ...(wordCount === null ? {} : { wordCount }),
  };
}

function headlineOf(title: string): string {
  const characters = Array.from(title);
  return characters.length <= longestHeadline ? title : `${characters.slice(0, longestHeadline - 1).join('')}…`;
}

const breadcrumb = (steps: readonly (readonly [name: string, path: string])[], site: Site): BreadcrumbList => ({
  '@type': 'BreadcrumbList',
  itemListElement: steps.map(([name, path], index) => ({ '@type': 'ListItem', position: index + 1, name, item: site.url + path })),
});
