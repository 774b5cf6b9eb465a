import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isPagePath, isWheelPagePath } from '@decola/contracts';
import { Logger, splitRequestTarget } from '@decola/service-kit';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config/config.js';
import { metadataOf, robots, withMetadata } from './metadata.js';
import { prerenderedFolder, prerenderedPages } from './prerendered-pages.js';
import type { SetPageHeaders } from './security-headers.js';
import { serverFolder, wheelPages } from './wheel-pages.js';
import type { AskForState } from './wheel-state.js';

/** A part of the site that sends its own pages. */
export interface OwnPages {
  /** @returns whether the address is one of them, and was answered */
  send(visit: { pathname: string; query: string; clientAddress: string }, request: FastifyRequest, reply: FastifyReply): Promise<boolean>;
}

export type PageHandler = (request: FastifyRequest, reply: FastifyReply, clientAddress: string) => Promise<void>;

/** Paths that are pages although they look like files. */
const pagesWithDots = new Set(['/', '/index.html', '/sitemap.xml']);

/** @returns null for a path whose percent-encoding is no UTF-8 or holds NUL */
function decodePath(pathname: string): string | null {
  try {
    const text = decodeURIComponent(pathname);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

/** Whether the address is that of a mail's link, which leads to `/` or `/auth` with its answer: only the app handles it, no prerendered page does. */
const isMailLink = (url: string) => /[?&](code|access_token|error|error_code|message)=/.test(url);

/** Creates the handler for files and pages of the built web app. Browsers cache hashed files for a year and check the page on every visit. */
export async function createPageHandler(
  app: NestFastifyApplication,
  config: GatewayConfig,
  setPageHeaders: SetPageHeaders,
  askForState: AskForState,
  blog: OwnPages,
  approvals: OwnPages,
): Promise<PageHandler> {
  const root = path.resolve(config.WEB_DIST);
  const indexFile = path.join(root, 'index.html');
  if (!existsSync(indexFile)) throw new Error(`WEB_DIST: no index.html in ${root}; build the web app first`);
  const index = readFileSync(indexFile, 'utf8');
  const site = { url: config.SITE_URL.replace(/\/+$/, ''), productName: config.PRODUCT_NAME };
  const sendPrerendered = prerenderedPages(root, config, site);
  const sendWheelPage = wheelPages({ root, config, site, logger: app.get(Logger), setPageHeaders, askForState });
  const privateFolders = [prerenderedFolder, serverFolder].map((folder) => path.join(root, folder) + path.sep);
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
  return async (request, reply, clientAddress) => {
    const target = splitRequestTarget(request.raw.url ?? '/');
    const pathname = decodePath(target.path);
    if (pathname === null) return void (await reply.status(400).send({ code: 'bad_request', message: 'Bad request' }));
    const file = path.join(root, pathname);
    if (isWheelPagePath(pathname)) {
      const status = isPagePath(pathname) ? 200 : 404;
      return sendWheelPage({ pathname, query: target.query, clientAddress, status }, request, reply);
    }
    if (await approvals.send({ pathname, query: target.query, clientAddress }, request, reply)) return;
    setPageHeaders(reply);
    if (await blog.send({ pathname, query: target.query, clientAddress }, request, reply)) return;
    if (pathname === '/robots.txt')
      return void (await reply.header('cache-control', 'public, max-age=3600').type('text/plain; charset=utf-8').send(robots(site)));
    if (!pagesWithDots.has(pathname) && file.startsWith(root + path.sep) && path.extname(file) !== '') {
      const isPublic = !privateFolders.some((folder) => file.startsWith(folder));
      if (isPublic && existsSync(file)) return void (await reply.sendFile(pathname.slice(1)));
      return void (await reply.status(404).send({ code: 'not_found', message: 'Not found' }));
    }
    // Every other path gets the single-page app. For an unknown path the app shows its own page "not found", and the status 404 tells
    // crawlers.
    const pagePath = pathname === '/index.html' ? '/' : pathname;
    if (!isMailLink(request.raw.url ?? '') && (await sendPrerendered(pagePath, target.query, request, reply))) return;
    const page = withMetadata(index, metadataOf(pagePath, site), site);
    await reply
      .status(isPagePath(pagePath) ? 200 : 404)
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(page);
  };
}
