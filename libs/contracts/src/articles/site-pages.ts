import type { SiteArticle, SiteArticleCard, SiteArticleList } from './site-answers.js';

/** What the address of the list asks for: `/blog?search=&categoria=&tag=&page=`. Empty texts ask for everything. */
export interface ArticleListQuery {
  search: string;
  category: string;
  tag: string;
  /** From 1. */
  page: number;
}

/** In characters. A longer search, category or tag is cut. */
const longestPart = 100;
const lastPage = 10_000;

/** Reads the query of an address. Parameters that the list does not know are ignored. */
export function readArticleListQuery(parameters: URLSearchParams): ArticleListQuery {
  const part = (name: string) =>
    Array.from((parameters.get(name) ?? '').trim().replace(/\s+/g, ' '))
      .slice(0, longestPart)
      .join('');
  const page = /^\d{1,5}$/.test(parameters.get('page') ?? '') ? Number(parameters.get('page')) : 1;
  return { search: part('search'), category: part('categoria'), tag: part('tag'), page: Math.min(Math.max(1, page), lastPage) };
}

/** The one way in which a list's query is written; empty for the first page of everything. Without a question mark. */
export function writeArticleListQuery({ search, category, tag, page }: Partial<ArticleListQuery>): string {
  const parameters = new URLSearchParams();
  if (search) parameters.set('search', search);
  if (category) parameters.set('categoria', category);
  if (tag) parameters.set('tag', tag);
  if (page !== undefined && page > 1) parameters.set('page', String(page));
  return parameters.toString();
}

/** Path of the list with its query. */
export function articleListAddress(query: Partial<ArticleListQuery> = {}): string {
  const written = writeArticleListQuery(query);
  return written === '' ? '/blog' : `/blog?${written}`;
}

export const articleAddress = (slug: string): string => `/blog/${encodeURIComponent(slug)}`;

/** A page of the blog as the gateway renders it (`apps/web/src/blog-pages/server.tsx`). */
export type BlogPage =
  | { kind: 'list'; query: ArticleListQuery; list: SiteArticleList }
  | { kind: 'article'; article: SiteArticle; related: readonly SiteArticleCard[] }
  /** The site's addresses, as people see them. */
  | { kind: 'sitemap'; xml: string; articleCount: number; shownCount: number }
  /** No public article has this address. */
  | { kind: 'missing' }
  /** The articles, or the one, could not be loaded. */
  | { kind: 'failed'; what: 'list' | 'article'; address: string }
  /** The visitor's address has asked too often. */
  | { kind: 'too-many'; address: string };
