import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config/config.js';
import { escapeHtml, metadataOf, type Site, withMetadata } from './metadata.js';
import { publicConfiguration } from './public-configuration.js';

/** Folder of the build with these pages; its files are not public addresses. */
export const prerenderedFolder = 'prerendered';

/** @param query without its question mark; @returns whether there is such a page, and it was sent */
export type SendPrerendered = (pathname: string, query: string, request: FastifyRequest, reply: FastifyReply) => Promise<boolean>;

/**
 * The pages that the web app's build has rendered (`apps/web/src/build/prerender.ts`), with the configuration in the place of their placeholders. They are
 * the first that visitors see, so they are compressed once, here. The landing page is the same with every query; other pages have one file for each
 * query that changes them.
 */
export function prerenderedPages(root: string, config: GatewayConfig, site: Site): SendPrerendered {
  const folder = path.join(root, prerenderedFolder);
  const list = path.join(folder, 'pages.json');
  const files = existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as Record<string, string>) : {};
  const values = publicConfiguration(config);
  const pages = new Map(
    Object.entries(files).map(([target, file]) => {
      const filled = readFileSync(path.join(folder, file), 'utf8').replace(/%%(\w+)%%/g, (_placeholder, key: string) =>
        escapeHtml(values[key] ?? ''),
      );
      const page = withMetadata(filled, metadataOf(target.split('?')[0]!, site), site);
      return [target, { page, compressed: gzipSync(page, { level: 9 }) }];
    }),
  );
  return async (pathname, query, request, reply) => {
    const found = pages.get(pathname === '/' || query === '' ? pathname : `${pathname}?${query}`);
    if (!found) return false;
    void reply.header('cache-control', 'no-cache').header('vary', 'accept-encoding').type('text/html; charset=utf-8');
    if (/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) await reply.header('content-encoding', 'gzip').send(found.compressed);
    else await reply.send(found.page);
    return true;
  };
}
