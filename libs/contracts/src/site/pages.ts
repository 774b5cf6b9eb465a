import { isAutomationType } from '../tools/registry.js';

/**
 * Pages of the prize wheel for visitors, which have an entry of their own (`apps/web/src/wheel-pages`): `:name` is one segment. The app's router does not
 * know them, so links to them are ordinary links.
 */
export const wheelPagePaths = [
  '/prize-wheel/:automationId',
  '/teste-roleta',
  '/comprovante/:code',
  '/meus-dados/:code',
  '/auditoria',
] as const;

/**
 * Pages of the blog, the sitemap as people see it, and the page on which a customer decides about an article, which the gateway renders
 * (`apps/web/src/blog-pages`). The app's router does not know them either.
 */
export const blogPagePaths = ['/blog', '/blog/:slug', '/sitemap', '/sitemap.xml', '/aprovar/:token'] as const;

/** Pages of the app, as its router writes paths. The router is compared with this list. */
export const appPagePaths = [
  '/',
  '/auth',
  '/politica-de-privacidade',
  '/termos-de-uso',
  '/adm',
  '/planos',
  '/assinatura-cancelada',
  '/minha-conta',
  '/avisos-por-e-mail',
  '/contas',
  '/artigos',
  '/automation/blog-automation',
  '/automation/:type',
  '/automation/:automationId/diary',
  '/automation/:automationId/roleta',
] as const;

/** Every page of the site. The gateway answers 404 with the page for any other path, so that search engines do not index addresses that do not exist. */
export const pagePaths = [...appPagePaths, ...blogPagePaths, ...wheelPagePaths] as const;
export type PagePath = (typeof pagePaths)[number];

const patternOf = (path: string) => new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '([^/]+)')}$`, 'i');
const patterns = pagePaths.map(patternOf);
const wheelPatterns = [...wheelPagePaths.map(patternOf), /^\/prize-wheel$/i];

const withoutLastSlash = (pathname: string) => (pathname.length > 1 ? pathname.replace(/\/+$/, '') : pathname);

/**
 * Whether a path is shown by the pages of the prize wheel: one of `wheelPagePaths`, or the wheel's without an id, which is no page and says so.
 * @param pathname path of a request, decoded
 */
export const isWheelPagePath = (pathname: string): boolean => {
  const path = withoutLastSlash(pathname);
  return wheelPatterns.some((pattern) => pattern.test(path));
};

/**
 * Whether the site has a page at a path. Like the router, it ignores a slash at the end and the case of letters; a wizard's path is a page
 * only when its tool exists.
 * @param pathname path of a request, decoded
 */
export function isPagePath(pathname: string): boolean {
  const path = withoutLastSlash(pathname);
  const tool = /^\/automation\/([^/]+)$/i.exec(path)?.[1];
  if (tool !== undefined && tool.toLowerCase() !== 'blog-automation') return isAutomationType(tool);
  return patterns.some((pattern) => pattern.test(path));
}
