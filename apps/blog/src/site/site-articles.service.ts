import {
  type ArticleListQuery,
  articlesPerPage,
  type SiteArticle,
  type SiteArticleAnswer,
  type SiteArticleCard,
  type SiteArticleList,
  type SiteFeed,
  sitePictureOf,
} from '@decola/contracts';
import { rowOf, rowsOf } from '@decola/database';
import { CONFIG } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { excerptOfText, textOfHtml } from '../articles/article-text.js';
import type { BlogConfig } from '../config/config.js';
import { markFound, withoutMarks } from './found-words.js';

const maxRelated = 3;
const maxInFeed = 30;
/** A sitemap has at most 50,000 addresses (sitemaps.org); some are left for the other pages. */
const maxInSitemap = 49_000;
const maxCategories = 20;
/** `word_similarity` of a misspelt search: `roletta` to `roleta`. */
const similarEnough = 0.45;

/** Articles that everybody may read; `$1` are the configured authors. */
const isShown = 't.published and t.author = any($1::text[])';

// A picture inside the row is megabytes, and no card shows it. The beginning of the text stands for a missing excerpt.
const cardColumns = `t.id, t.slug, t.title, t.excerpt, t.category, t.tags, t.author, t.read_time, t.published_at, t.updated_at, t.image,
  case when t.featured_image like 'data:%' then null else t.featured_image end as featured_image,
  case when coalesce(t.excerpt, '') = '' then left(t.content, 20000) end as beginning`;

interface CardRow {
  id: string;
  slug: string;
  title: string;
  excerpt: string | null;
  category: string | null;
  tags: string[];
  author: string;
  read_time: number | null;
  published_at: Date;
  updated_at: Date;
  featured_image: string | null;
  image: unknown;
  beginning: string | null;
}

interface ArticleRow extends CardRow {
  content: string;
  meta_title: string | null;
  meta_description: string | null;
  view_count: number;
  word_count: number | null;
  published: boolean;
  withdrawn_at: Date | null;
  is_shown: boolean;
}

function cardOf(row: CardRow, search = ''): SiteArticleCard {
  const excerpt = row.excerpt || excerptOfText(textOfHtml(row.beginning ?? ''));
  const marked = (text: string) => (search === '' ? withoutMarks(text) : markFound(text, search));
  return {
    id: row.id,
    slug: row.slug,
    title: marked(row.title),
    excerpt: marked(excerpt),
    category: row.category,
    tags: row.tags,
    author: row.author,
    readTime: row.read_time,
    publishedAt: row.published_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    picture: sitePictureOf(row).picture,
  };
}

/** PostgreSQL has no texts with this character. */
const nul = '\0';

/** Characters that `like` reads as patterns. */
const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, (character) => `\\${character}`);

/** A part of a statement with values that are appended to its parameters. */
class Conditions {
  readonly parameters: unknown[];
  readonly parts: string[] = [isShown];

  constructor(authors: readonly string[]) {
    this.parameters = [authors];
  }

  /** @returns the placeholder of a value */
  value(value: unknown): string {
    this.parameters.push(value);
    return `$${this.parameters.length}`;
  }

  get text(): string {
    return this.parts.map((part) => `(${part})`).join(' and ');
  }
}

/** What the public pages of the blog show. Everything here is public: drafts and articles of other authors are never in it. */
@Injectable()
export class SiteArticles {
  private readonly authors: readonly string[];

  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONFIG) config: Pick<BlogConfig, 'BLOG_AUTHORS'>,
  ) {
    this.authors = config.BLOG_AUTHORS;
  }

  /** One page of the list, newest first; of a search, the best first. */
  async list(asked: ArticleListQuery): Promise<SiteArticleList> {
    const storable = (text: string) => text.replaceAll(nul, '').trim();
    const query = { ...asked, search: storable(asked.search), category: storable(asked.category), tag: storable(asked.tag) };
    const categories = await rowsOf<{ category: string }>(
      this.dataSource,
      `select t.category from blog_articles t where ${isShown} and t.category is not null
       group by t.category order by count(*) desc, t.category limit ${maxCategories}`,
      [this.authors],
    );
    const exact = await this.page(query, 'exact');
    const found = query.search !== '' && exact.total === 0 ? await this.page(query, 'similar') : exact;
    return { ...found, categories: categories.map(({ category }) => category) };
  }

  private async page({ search, category, tag, page }: ArticleListQuery, kind: 'exact' | 'similar') {
    const where = new Conditions(this.authors);
    if (category !== '') where.parts.push(`fold_text(t.category) = fold_text(${where.value(category)})`);
    if (tag !== '') where.parts.push(`exists (select 1 from unnest(t.tags) g where fold_text(g) = fold_text(${where.value(tag)}))`);
    const order = ['t.published_at desc', 't.id'];
    if (search !== '' && kind === 'exact') {
      const asked = where.value(search);
      const pattern = `'%' || fold_text(${where.value(escapeLike(search))}) || '%'`;
      // Stems of words as typed, with accents; else plain words without them; else any part.
      const words = `(websearch_to_tsquery('portuguese', ${asked}) || websearch_to_tsquery('simple', fold_text(${asked})))`;
      where.parts.push(`t.search @@ ${words} or t.folded like ${pattern}`);
      order.unshift(`(fold_text(t.title) like ${pattern}) desc`, `ts_rank(t.search, ${words}) desc`);
    }
    if (search !== '' && kind === 'similar') {
      const similarity = `public.word_similarity(fold_text(${where.value(search)}), t.folded)`;
      where.parts.push(`${similarity} >= ${similarEnough}`);
      order.unshift(`${similarity} desc`);
    }
    const counted = await rowOf<{ total: number }>(
      this.dataSource,
      `select count(*)::integer as total from blog_articles t where ${where.text}`,
      where.parameters,
    );
    const rows = await rowsOf<CardRow>(
      this.dataSource,
      `select ${cardColumns} from blog_articles t where ${where.text} order by ${order.join(', ')}
       limit ${articlesPerPage} offset ${(page - 1) * articlesPerPage}`,
      where.parameters,
    );
    return { articles: rows.map((row) => cardOf(row, search)), total: counted?.total ?? 0 };
  }

  /** What is at the address of an article. */
  async article(slug: string): Promise<SiteArticleAnswer> {
    if (slug.includes(nul)) return { state: 'unknown' };
    const row = await rowOf<ArticleRow>(
      this.dataSource,
      `select ${cardColumns}, t.content, t.meta_title, t.meta_description, t.word_count, t.published, t.withdrawn_at,
         t.view_count + (select count(*)::integer from article_view_marks m where m.article_id = t.id and not m.is_counted) as view_count,
         coalesce(${isShown}, false) as is_shown
       from blog_articles t where t.slug = $2`,
      [this.authors, slug],
    );
    if (!row) return this.formerAddress(slug);
    if (!row.is_shown) return { state: !row.published && row.withdrawn_at !== null ? 'withdrawn' : 'unknown' };
    return { state: 'found', article: articleOf(row), related: await this.related(row) };
  }

  /** Of a renamed article, or of one that was deleted. */
  private async formerAddress(slug: string): Promise<SiteArticleAnswer> {
    const former = await rowOf<{ slug: string | null }>(
      this.dataSource,
      `select t.slug from article_slugs f left join blog_articles t on t.id = f.article_id and ${isShown} where f.slug = $2`,
      [this.authors, slug],
    );
    if (!former) return { state: 'unknown' };
    return former.slug === null ? { state: 'withdrawn' } : { state: 'moved', slug: former.slug };
  }

  /** Articles of the same subject first, then the newest. */
  private async related({ id, category, tags }: ArticleRow): Promise<SiteArticleCard[]> {
    const rows = await rowsOf<CardRow>(
      this.dataSource,
      `select ${cardColumns} from blog_articles t where ${isShown} and t.id <> $2
       order by (coalesce(t.category = $3, false))::integer * 2 + cardinality(array(select unnest(t.tags) intersect select unnest($4::text[]))) desc,
         t.published_at desc, t.id limit ${maxRelated}`,
      [this.authors, id, category, tags],
    );
    return rows.map((row) => cardOf(row));
  }

  /** What feed readers and search engines ask for. */
  async feed(): Promise<SiteFeed> {
    const order = 'order by t.published_at desc, t.id limit';
    const recent = await rowsOf<CardRow>(
      this.dataSource,
      `select ${cardColumns} from blog_articles t where ${isShown} ${order} ${maxInFeed}`,
      [this.authors],
    );
    const slugs = await rowsOf<{ slug: string; updated_at: Date }>(
      this.dataSource,
      `select t.slug, t.updated_at from blog_articles t where ${isShown} ${order} ${maxInSitemap}`,
      [this.authors],
    );
    return {
      recent: recent.map((row) => cardOf(row)),
      slugs: slugs.map(({ slug, updated_at }) => ({ slug, updatedAt: updated_at.toISOString() })),
    };
  }
}

function articleOf(row: ArticleRow): SiteArticle {
  return {
    ...cardOf(row),
    content: row.content,
    metaTitle: row.meta_title,
    metaDescription: row.meta_description,
    viewCount: row.view_count,
    wordCount: row.word_count,
    preview: sitePictureOf(row).preview,
  };
}
