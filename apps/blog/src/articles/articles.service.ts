import type { ArticleImage } from '@decola/contracts';
import { type Database, rowOf } from '@decola/database';
import { CONFIG } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { BlogConfig } from '../config/config.js';
import { completeArticle } from './article-fields.js';
import { freeSlug } from './article-slug.js';

/** An article as the product writes it. Whatever is absent follows from the text. */
export interface NewArticle {
  title: string;
  /** HTML. */
  content: string;
  /** The slug that is wanted; a number is added when it is taken. */
  slug?: string | null;
  excerpt?: string | null;
  category?: string | null;
  tags?: readonly string[];
  /** Default: the first of the configured authors. */
  author?: string | null;
  metaTitle?: string | null;
  metaDescription?: string | null;
  /** Address of the cover, and the facts of it. */
  featuredImage?: string | null;
  image?: ArticleImage | null;
  /** False: a draft, which only admin_master sees. */
  published: boolean;
  /** Now, by the service's clock. */
  at: Date;
}

/** Writes articles of the product's own blog for the rest of the service. Changes are announced by the database (`migrations/article-events.ts`). */
@Injectable()
export class Articles {
  constructor(@Inject(CONFIG) private readonly config: Pick<BlogConfig, 'BLOG_AUTHORS'>) {}

  /** Stores a new article at a free slug, in the transaction of its writing. */
  async create(manager: Database, article: NewArticle): Promise<{ id: string; slug: string }> {
    const { row } = completeArticle(
      {
        title: article.title,
        content: article.content,
        slug: article.slug,
        excerpt: article.excerpt,
        category: article.category,
        tags: [...(article.tags ?? [])],
        author: article.author,
      },
      this.config.BLOG_AUTHORS[0]!,
    );
    const slug = await freeSlug(manager, String(row['slug']));
    const created = await rowOf<{ id: string }>(
      manager,
      `insert into blog_articles (slug, title, content, excerpt, category, tags, author, read_time, word_count, meta_title, meta_description,
         featured_image, image, published, published_at, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, case when $14 then $15::timestamptz end, $15, $15) returning id`,
      [
        ...[slug, article.title, row['content'], row['excerpt'], row['category'], row['tags'], row['author'], row['read_time']],
        ...[row['word_count'], article.metaTitle ?? null, article.metaDescription ?? null, article.featuredImage ?? null],
        ...[article.image ? JSON.stringify(article.image) : null, article.published, article.at],
      ],
    );
    return { id: created!.id, slug };
  }

  /** Publishes a draft, or an article that was withdrawn. @returns whether there is such an article that was not published */
  async publish(manager: Database, id: string, at: Date): Promise<boolean> {
    const published = await rowOf(
      manager,
      `update blog_articles set published = true, published_at = coalesce(published_at, $2), updated_at = $2
       where id = $1 and not published returning id`,
      [id, at],
    );
    return published !== undefined;
  }
}
