import { type Caller, isAdminMaster } from '@decola/service-kit';
import { defineTable, sql, type TableDefinition } from '@decola/table-api';
import { completeArticle, completeChange } from './article-fields.js';
import { freeSlug } from './article-slug.js';

/** In characters. Older articles have their pictures inside the text, as data URLs (rest-v1, trap 7). */
const longestArticle = 10 * 1024 * 1024;

/** Views that are stored and not yet added to the article's number, so that nobody waits for that to see them. */
const viewCount = sql`t.view_count + (select count(*)::integer from article_view_marks m where m.article_id = t.id and not m.is_counted)`;

/** `word_count` is only ever the hooks' own: it is here because rows that replace others are checked with what hooks have added. */
const writable = [
  ...['id', 'slug', 'title', 'excerpt', 'content', 'category', 'tags', 'author', 'read_time', 'view_count', 'featured_image'],
  ...['meta_title', 'meta_description', 'published', 'created_at', 'updated_at', 'word_count'],
];

/**
 * Articles of the product's blog. Visitors read the published ones of the configured authors, as the pages show them; people who are signed in read all
 * published ones; admin_master reads and writes all.
 */
export const articlesTable = ({ BLOG_AUTHORS: authors }: { BLOG_AUTHORS: readonly string[] }): TableDefinition =>
  defineTable({
    name: 'blog_articles',
    primaryKey: 'id',
    columns: {
      id: { type: 'uuid' },
      slug: { type: 'text' },
      title: { type: 'text' },
      excerpt: { type: 'text' },
      content: { type: 'text', maxLength: longestArticle },
      category: { type: 'text' },
      tags: { type: 'text[]' },
      author: { type: 'text' },
      read_time: { type: 'integer' },
      view_count: { type: 'integer' },
      featured_image: { type: 'text', maxLength: longestArticle },
      meta_title: { type: 'text' },
      meta_description: { type: 'text' },
      published: { type: 'boolean' },
      created_at: { type: 'timestamptz' },
      updated_at: { type: 'timestamptz' },
      published_at: { type: 'timestamptz' },
      withdrawn_at: { type: 'timestamptz' },
      word_count: { type: 'integer' },
      image: { type: 'jsonb' },
    },
    rules: (caller: Caller) => {
      const overrides = { view_count: viewCount };
      if (caller.role === 'anon') return { select: { where: sql`t.published and t.author = any(${authors}::text[])`, overrides } };
      if (!isAdminMaster(caller)) return { select: { where: sql`t.published`, overrides } };
      const every = sql`true`;
      return {
        select: { where: every, overrides },
        insert: { check: every, columns: writable },
        update: { where: every, check: every, columns: writable },
        delete: { where: every },
      };
    },
    hooks: {
      beforeInsert: async ({ manager }, given) => {
        const { row, isSlugChosen } = completeArticle(given, authors[0]!);
        return isSlugChosen ? row : { ...row, slug: await freeSlug(manager, String(row['slug'])) };
      },
      beforeUpdate: (_, before, patch) => ({
        ...completeChange(before, patch),
        updated_at: patch['updated_at'] ?? new Date().toISOString(),
      }),
    },
  });
