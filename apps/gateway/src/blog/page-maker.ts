import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import {
  articleAddress,
  articlesPerPage,
  type BlogPage,
  type SiteArticleAnswer,
  type SiteFeed,
  writeArticleListQuery,
} from '@decola/contracts';
import { longestPathParameter } from '@decola/service-kit';
import type { GatewayConfig } from '../config/config.js';
import { escapeHtml, type Site, withMetadata } from '../site/metadata.js';
import { publicConfiguration } from '../site/public-configuration.js';
import { sitemap } from '../site/sitemap.js';
import { serverFolder } from '../site/wheel-pages.js';
import { blogMetadata } from './article-metadata.js';
import type { AskBlog } from './ask-blog.js';
import { everyList } from './page-cache.js';
import { rss } from './rss.js';
import { addressOf, type Target } from './targets.js';

/** What `blog-pages.cjs` exports (`apps/web/src/blog-pages/server.tsx`). */
interface BlogPagesModule {
  renderPage: (page: BlogPage, configuration: Record<string, string>) => string;
}

export interface MadePage {
  status: number;
  headers: Readonly<Record<string, string>>;
  text: string;
  /** What the page depends on (`CachedPage.about`). */
  about: readonly string[];
}

/** Browsers ask every time, by the ETag; a cache between keeps a page for a minute, and shows it while it asks. */
const shared = 'public, max-age=0, s-maxage=60, stale-while-revalidate=600';
const htmlType = 'text/html; charset=utf-8';

/** Articles that the sitemap shows to people; the file has all of them. */
const shownInSitemap = 500;

interface PageMakerOptions {
  /** Folder of the built web app. */
  root: string;
  config: GatewayConfig;
  site: Site;
  askBlog: AskBlog;
}

/** Makes the pages of the blog out of what blog answers. */
export class PageMaker {
  private readonly shell: string;
  private readonly renderPage: BlogPagesModule['renderPage'];
  private readonly configuration: Record<string, string>;
  private readonly site: Site;
  private readonly askBlog: AskBlog;

  constructor({ root, config, site, askBlog }: PageMakerOptions) {
    const file = path.join(root, serverFolder, 'blog.html');
    if (!existsSync(file)) throw new Error(`WEB_DIST: no ${serverFolder}/blog.html in ${root}; build the web app first`);
    // The page's script has no configuration but this.
    const key = `<meta name="publishable-key" content="${escapeHtml(config.PUBLISHABLE_KEY)}">`;
    this.shell = readFileSync(file, 'utf8').replace('</head>', () => `${key}\n</head>`);
    this.renderPage = (createRequire(file)('./blog-pages.cjs') as BlogPagesModule).renderPage;
    this.configuration = publicConfiguration(config);
    this.site = site;
    this.askBlog = askBlog;
  }

  /**
   * @param known ETag of the answer that the page of before was made of; null without one
   * @returns null when that page is still right
   * @throws Error when blog does not answer, or its answer cannot be rendered
   */
  async make(target: Target, known: string | null): Promise<{ page: MadePage; etag: string | null } | null> {
    switch (target.kind) {
      case 'list': {
        const { query } = target;
        const answer = await this.askBlog('articles', `/articles?${writeArticleListQuery(query)}`, known);
        if (answer.isUnchanged) return null;
        const list = answer.data;
        const isBeyond = query.page > 1 && query.page > Math.ceil(list.total / articlesPerPage);
        const about = [everyList, ...list.articles.map(({ id }) => id)];
        return { page: this.page({ kind: 'list', query, list }, isBeyond ? 404 : 200, about), etag: answer.etag };
      }
      case 'article': {
        // blog would refuse it as malformed; no article has such a slug.
        if (target.slug.length > longestPathParameter) return { page: this.unkept({ kind: 'missing' }, 404), etag: null };
        const answer = await this.askBlog('article', `/articles/${encodeURIComponent(target.slug)}`, known);
        return answer.isUnchanged ? null : { page: this.articlePage(target.slug, answer.data), etag: answer.etag };
      }
      case 'feed':
      case 'sitemap':
      case 'sitemap-page': {
        const answer = await this.askBlog('feed', '/feed', known);
        if (answer.isUnchanged) return null;
        return { page: this.outOfFeed(target.kind, answer.data), etag: answer.etag };
      }
    }
  }

  /** What is sent when a page cannot be made. A sitemap without articles is better than none. */
  failed(target: Target): MadePage {
    if (target.kind === 'sitemap') return this.sitemap([]);
    if (target.kind === 'sitemap-page') return this.sitemapPage([]);
    return this.unkept({ kind: 'failed', what: target.kind === 'article' ? 'article' : 'list', address: addressOf(target) }, 503);
  }

  /** For an address that has asked too often. */
  tooMany(target: Target): MadePage {
    return this.unkept({ kind: 'too-many', address: addressOf(target) }, 429);
  }

  private articlePage(slug: string, answer: SiteArticleAnswer): MadePage {
    switch (answer.state) {
      case 'found': {
        const { article, related } = answer;
        return this.page({ kind: 'article', article, related }, 200, [slug, article.id, ...related.map(({ id }) => id)]);
      }
      case 'moved': {
        const headers = { location: articleAddress(answer.slug), 'cache-control': shared, 'content-type': htmlType };
        return { status: 301, headers, text: '', about: [slug, answer.slug] };
      }
      case 'withdrawn':
        return this.page({ kind: 'missing' }, 410, [slug]);
      case 'unknown':
        return this.page({ kind: 'missing' }, 404, [slug]);
    }
  }

  private outOfFeed(kind: 'feed' | 'sitemap' | 'sitemap-page', feed: SiteFeed): MadePage {
    if (kind === 'feed') return this.feed(feed);
    return kind === 'sitemap' ? this.sitemap(feed.slugs) : this.sitemapPage(feed.slugs);
  }

  private feed(feed: SiteFeed): MadePage {
    const headers = { 'content-type': 'application/rss+xml; charset=utf-8', 'cache-control': shared };
    return { status: 200, headers, text: rss(feed, this.site), about: [everyList] };
  }

  private sitemap(slugs: SiteFeed['slugs']): MadePage {
    const headers = { 'content-type': 'application/xml; charset=utf-8', 'cache-control': 'public, max-age=600' };
    return { status: 200, headers, text: sitemap(this.site.url, slugs), about: [everyList] };
  }

  private sitemapPage(slugs: SiteFeed['slugs']): MadePage {
    const shown = slugs.slice(0, shownInSitemap);
    const xml = sitemap(this.site.url, shown);
    return this.page({ kind: 'sitemap', xml, articleCount: slugs.length, shownCount: shown.length }, 200, [everyList]);
  }

  private page(page: BlogPage, status: number, about: readonly string[]): MadePage {
    const text = withMetadata(this.shell, blogMetadata(page, this.site), this.site).replace(
      '<div id="root"></div>',
      () => `<div id="root">${this.renderPage(page, this.configuration)}</div>`,
    );
    return { status, headers: { 'content-type': htmlType, 'cache-control': shared }, text, about };
  }

  /** A page that nobody else must get. */
  private unkept(page: BlogPage, status: number): MadePage {
    return { ...this.page(page, status, []), headers: { 'content-type': htmlType, 'cache-control': 'no-store' } };
  }
}
