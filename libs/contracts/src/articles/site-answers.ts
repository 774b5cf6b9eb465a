/*
 * What blog answers to the gateway, which renders the public pages of the blog: `GET /internal/site/articles?search=&categoria=&tag=&page=`,
 * `GET /internal/site/articles/:slug` and `GET /internal/site/feed`. All of it is public: only published articles of the configured authors are in it. Each
 * answer has an ETag, which changes whenever the answer does. Times are ISO 8601 in UTC.
 */

/** Articles on one page of the list. */
export const articlesPerPage = 12;

/** Characters of the private use area around words that a search has found, in titles and excerpts; pages show them as `<mark>`. */
export const foundMarks = { start: '\uE000', end: '\uE001' } as const;

/** A picture as a page embeds it. */
export interface SitePicture {
  /** A path of the site, or an https address. */
  src: string;
  /** Candidates of other widths; null when there is only one size. */
  srcset: string | null;
  /** In pixels; null when nobody has measured it. */
  width: number | null;
  height: number | null;
  alt: string;
}

/** What lists show of an article. */
export interface SiteArticleCard {
  id: string;
  slug: string;
  title: string;
  /** The excerpt, or the first 150 characters of the text. */
  excerpt: string;
  category: string | null;
  tags: string[];
  author: string;
  /** In minutes. */
  readTime: number | null;
  publishedAt: string;
  updatedAt: string;
  picture: SitePicture | null;
}

export interface SiteArticle extends SiteArticleCard {
  /** HTML as it is stored: cleaned when it was written. */
  content: string;
  metaTitle: string | null;
  metaDescription: string | null;
  viewCount: number;
  wordCount: number | null;
  /** JPEG of 1200 × 630 pixels for link previews. */
  preview: string | null;
}

export interface SiteArticleList {
  articles: SiteArticleCard[];
  /** Articles on all pages together. */
  total: number;
  /** Names of the categories of all articles, the most frequent first. */
  categories: string[];
}

export type SiteArticleAnswer =
  | {
      state: 'found';
      article: SiteArticle;
      /** At most three that a reader may go on with. */
      related: SiteArticleCard[];
    }
  /** The article has another slug now. */
  | { state: 'moved'; slug: string }
  /** It was published once. */
  | { state: 'withdrawn' }
  | { state: 'unknown' };

export interface SiteFeed {
  /** The newest articles, at most 30. */
  recent: SiteArticleCard[];
  /** All articles, newest first, at most 49,000. */
  slugs: { slug: string; updatedAt: string }[];
}
