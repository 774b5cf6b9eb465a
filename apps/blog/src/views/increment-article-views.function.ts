import { defineFunction, type FunctionDefinition } from '@decola/table-api';
import type { ArticleViews } from './article-views.service.js';

/** Counts a view of a published article, once a day for each visitor. It answers the same whether it counts or not. */
export const incrementArticleViews = (views: ArticleViews): FunctionDefinition =>
  defineFunction({
    name: 'increment_article_views',
    arguments: { article_slug: 'text' },
    returns: 'void',
    volatile: true,
    call: async ({ manager, caller, client }, args) => {
      const { article_slug: slug } = args as Record<string, string | null>;
      if (typeof slug === 'string') await views.viewed(manager, slug, { caller, client });
    },
  });
