import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Logger } from '@decola/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config/config.js';
import { wheelPageTexts as texts } from '../texts/texts.js';
import { type PageMetadata, type Site, withMetadata } from './metadata.js';
import { publicConfiguration } from './public-configuration.js';
import type { SetPageHeaders } from './security-headers.js';
import type { AskForState } from './wheel-state.js';

const compress = promisify(gzip);

/** Folder of the build with what is needed here (`apps/web/src/build/wheel-pages.ts`); its files are not public addresses. */
export const serverFolder = 'server';

/** What `wheel-pages.cjs` exports (`apps/web/src/wheel-pages/server.tsx`). */
interface WheelPagesModule {
  renderPage: (target: { pathname: string; search: string }, data: { configuration: Record<string, string>; state: unknown }) => string;
}

export interface WheelPageRequest {
  /** Decoded. */
  pathname: string;
  /** Without its question mark. */
  query: string;
  clientAddress: string;
  status: number;
}
export type SendWheelPage = (visit: WheelPageRequest, request: FastifyRequest, reply: FastifyReply) => Promise<void>;

interface WheelPagesOptions {
  root: string;
  config: GatewayConfig;
  site: Site;
  logger: Logger;
  setPageHeaders: SetPageHeaders;
  askForState: AskForState;
}

/**
 * Sends the pages of the prize wheel for visitors. A wheel's page has the wheel's state in it, and is rendered with it, so that people see the form before
 * any script has loaded (decision 0041).
 */
export function wheelPages({ root, config, site, logger, setPageHeaders, askForState }: WheelPagesOptions): SendWheelPage {
  const shellOf = (name: string): string => {
    const file = path.join(root, serverFolder, name);
    if (!existsSync(file)) throw new Error(`WEB_DIST: no ${serverFolder}/${name} in ${root}; build the web app first`);
    return readFileSync(file, 'utf8');
  };
  const [shell, shellOfRendered] = [shellOf('wheel.html'), shellOf('wheel-rendered.html')];
  const { renderPage } = createRequire(path.join(root, serverFolder, 'wheel.html'))('./wheel-pages.cjs') as WheelPagesModule;
  const configuration = publicConfiguration(config);
  return async ({ pathname, query, clientAddress, status }, request, reply) => {
    const wheel = /^\/prize-wheel\/*([^/]*)\/*$/i.exec(pathname);
    const token = new URLSearchParams(query).get('token');
    const state = wheel ? await askForState({ automationId: wheel[1]!.trim(), token, clientAddress }) : null;
    const data = { configuration, state };
    let markup = '';
    try {
      markup = renderPage({ pathname, search: query === '' ? '' : `?${query}` }, data);
    } catch (error) {
      // The browser renders the page then.
      logger.error({ err: error }, 'could not render a wheel’s page');
    }
    const page = withMetadata(markup === '' ? shell : shellOfRendered, metadataOf(pathname, state, site), site).replace(
      '<div id="root"></div>',
      () => `<div id="root">${markup}</div>\n<script type="application/json" id="page-data">${jsonBlock(data)}</script>`,
    );
    setPageHeaders(reply, { frameAncestors: wheel ? frameAncestorsOf(state) : [], hidesAddress: true });
    void reply.status(status).header('cache-control', 'no-store').header('vary', 'accept-encoding').type('text/html; charset=utf-8');
    if (/\bgzip\b/.test(request.headers['accept-encoding'] ?? ''))
      await reply.header('content-encoding', 'gzip').send(await compress(page, { level: 5 }));
    else await reply.send(page);
  };
}

/** JSON that cannot end its block of HTML, nor a line of JavaScript. */
const jsonBlock = (value: unknown) =>
  JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The wheel of a state that is an answer and no refusal. */
function wheelOf(state: unknown): { name?: unknown; domains?: unknown } | null {
  const { success, wheel } = (state ?? {}) as { success?: unknown; wheel?: unknown };
  return success === true && typeof wheel === 'object' ? wheel : null;
}

const hostPattern = /^(https?:\/\/)?(\*\.)?[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)*(:\d{1,5})?$/i;

/**
 * Sites that may embed the wheel: those that its owner named, besides our own; without names, and while they are not known, any. A name that would end the
 * header's directive is left out.
 */
function frameAncestorsOf(state: unknown): string[] {
  const domains = wheelOf(state)?.domains;
  const named = (Array.isArray(domains) ? domains : []).filter(
    (domain) => typeof domain === 'string' && hostPattern.test(domain),
  ) as string[];
  return named.length > 0 ? [`'self'`, ...named] : ['*'];
}

/** None of these pages has an address that search engines or previews may keep: it holds a token or a code. */
function metadataOf(pathname: string, state: unknown, { productName }: Site): PageMetadata {
  const name = wheelOf(state)?.name;
  const [, first = ''] = pathname.toLowerCase().split('/');
  const title = typeof name === 'string' ? texts.wheelTitle(name) : (texts.titles[first] ?? productName);
  return { title, description: texts.description, canonicalPath: null };
}
