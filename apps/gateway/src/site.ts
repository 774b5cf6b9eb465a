import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from './config.js';
import { metadataOf, robots, withMetadata } from './metadata.js';

/** What the web app needs to know at run time; all of it is public. */
export function publicConfiguration(config: GatewayConfig): Record<string, string> {
  return {
    publishableKey: config.PUBLISHABLE_KEY,
    productName: config.PRODUCT_NAME,
    supportEmail: config.SUPPORT_EMAIL,
    privacyEmail: config.PRIVACY_EMAIL,
    dpoEmail: config.DPO_EMAIL,
  };
}

const contentPolicy = (frameable: boolean) =>
  [
    `default-src 'self'`,
    `img-src 'self' data: https:`,
    `style-src 'self' 'unsafe-inline'`,
    `font-src 'self' data:`,
    `connect-src 'self'`,
    `object-src 'none'`,
    `base-uri 'self'`,
    `form-action 'self'`,
    `frame-ancestors ${frameable ? '*' : `'none'`}`,
  ].join('; ');

/** Headers of every page. The public wheel may stand in a frame on a stranger's site; nothing else may. */
export function pageHeaders(url: string, isSecure = false): Record<string, string> {
  const frameable = url.startsWith('/prize-wheel/');
  return {
    ...(isSecure ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
    'content-security-policy': contentPolicy(frameable),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
    ...(frameable ? {} : { 'x-frame-options': 'DENY' }),
  };
}

const staticPages: readonly (readonly [path: string, frequency: string, priority: string])[] = [
  ['/', 'daily', '1.0'],
  ['/blog', 'daily', '0.9'],
  ['/planos', 'weekly', '0.8'],
  ['/auth', 'monthly', '0.5'],
];

export interface SitemapArticle {
  slug: string;
  updated_at: string;
}

export function sitemap(siteUrl: string, articles: readonly SitemapArticle[]): string {
  const escape = (text: string) => text.replace(/[<>&'"]/g, (character) => `&#${character.charCodeAt(0)};`);
  const entry = (location: string, frequency: string, priority: string, modified?: string) =>
    `  <url><loc>${escape(siteUrl + location)}</loc>${modified ? `<lastmod>${escape(modified)}</lastmod>` : ''}<changefreq>${frequency}</changefreq><priority>${priority}</priority></url>`;
  const pages = staticPages.map(([location, frequency, priority]) => entry(location, frequency, priority));
  const posts = articles.map(({ slug, updated_at }) => entry(`/blog/${encodeURIComponent(slug)}`, 'weekly', '0.7', updated_at));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${[...pages, ...posts].join('\n')}\n</urlset>\n`;
}

/** Pages, although their addresses or our folder's look like files. */
const pagesWithDots = new Set(['/', '/index.html', '/sitemap.xml']);

/** Null for a path that is no text. */
function decoded(pathname: string): string | null {
  try {
    const text = decodeURIComponent(pathname);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

/** Serves the built web app: hashed files for ever, the page itself always fresh. */
export async function serveFiles(
  app: NestFastifyApplication,
  config: GatewayConfig,
): Promise<(request: FastifyRequest, reply: FastifyReply) => Promise<void>> {
  const root = path.resolve(config.WEB_DIST);
  const indexFile = path.join(root, 'index.html');
  if (!existsSync(indexFile)) throw new Error(`WEB_DIST: no index.html in ${root}; build the web app first`);
  const index = readFileSync(indexFile, 'utf8');
  const site = { url: config.SITE_URL.replace(/\/+$/, ''), productName: config.PRODUCT_NAME };
  await app.register(fastifyStatic, {
    root,
    serve: false,
    index: false,
    preCompressed: true,
    setHeaders: (reply, file) =>
      void reply.header(
        'cache-control',
        file.includes(`${path.sep}assets${path.sep}`) ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
      ),
  });
  return async (request, reply) => {
    const pathname = decoded((request.raw.url ?? '/').split('?', 1)[0] ?? '/');
    if (pathname === null) return void (await reply.status(400).send({ code: 'bad_request', message: 'Bad request' }));
    const file = path.join(root, pathname);
    void reply.headers(pageHeaders(pathname, config.SITE_URL.startsWith('https:')));
    if (pathname === '/robots.txt')
      return void (await reply.header('cache-control', 'public, max-age=3600').type('text/plain; charset=utf-8').send(robots(site)));
    if (!pagesWithDots.has(pathname) && file.startsWith(root + path.sep) && path.extname(file) !== '') {
      if (existsSync(file)) return void (await reply.sendFile(pathname.slice(1)));
      return void (await reply.status(404).send({ code: 'not_found', message: 'Not found' }));
    }
    // Every other address is a page of the single-page app, which knows its own 404.
    const page = withMetadata(index, metadataOf(pathname === '/index.html' ? '/' : pathname, site), site);
    await reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(page);
  };
}
