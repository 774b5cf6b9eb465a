import { type Caller, isAdminMaster } from '@decola/service-kit';
import { defineFunction, defineTable, sql } from '@decola/table-api';

/** Articles of the product's blog: everybody reads what is published, admin_master writes. */
export const articlesTable = defineTable({
  name: 'blog_articles',
  primaryKey: 'id',
  columns: {
    id: { type: 'uuid' },
    slug: { type: 'text' },
    title: { type: 'text' },
    excerpt: { type: 'text' },
    content: { type: 'text' },
    category: { type: 'text' },
    tags: { type: 'text[]' },
    author: { type: 'text' },
    read_time: { type: 'integer' },
    view_count: { type: 'integer' },
    featured_image: { type: 'text' },
    meta_title: { type: 'text' },
    meta_description: { type: 'text' },
    published: { type: 'boolean' },
    created_at: { type: 'timestamptz' },
    updated_at: { type: 'timestamptz' },
  },
  rules: (caller: Caller) => {
    if (!isAdminMaster(caller)) return { select: { where: sql`t.published` } };
    const every = sql`true`;
    return { select: { where: every }, insert: { check: every }, update: { where: every, check: every }, delete: { where: every } };
  },
  hooks: {
    beforeUpdate: (_, __, patch) => ({ ...patch, updated_at: patch['updated_at'] ?? new Date().toISOString() }),
  },
});

/** One more look at an article; an unknown slug is no error. */
export const incrementArticleViews = defineFunction({
  name: 'increment_article_views',
  arguments: { article_slug: 'text' },
  returns: 'void',
  volatile: true,
  call: async ({ manager }, { article_slug }) => {
    await manager.query('update blog_articles set view_count = view_count + 1 where slug = $1 and published', [article_slug]);
  },
});
