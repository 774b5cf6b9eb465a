import path from 'node:path';
import { Logger, splitRequestTarget } from '@decola/service-kit';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApprovalPages } from '../blog/approval-pages.js';
import { followArticles } from '../blog/article-news.js';
import { createAskBlog } from '../blog/ask-blog.js';
import { BlogPages } from '../blog/blog-pages.js';
import { IndexNow } from '../blog/index-now.js';
import { PageCache } from '../blog/page-cache.js';
import { PageMaker } from '../blog/page-maker.js';
import type { GatewayConfig } from '../config/config.js';
import { AccountExport } from '../export/account-export.js';
import { ExportRequests } from '../export/export-requests.js';
import { LargeBodies } from '../limits/large-bodies.js';
import { RateLimits } from '../limits/rate-limits.js';
import { LiveRequests } from '../live/live-requests.js';
import { LiveStreams } from '../live/live-streams.js';
import { ServiceAgent } from '../proxy/service-agent.js';
import { ServiceProxy } from '../proxy/service-proxy.js';
import * as refusals from '../refusals/refusals.js';
import { sendRefusal } from '../refusals/send-refusal.js';
import { apiPrefixes, routeOf } from '../routing/routes.js';
import { publicConfiguration } from '../site/public-configuration.js';
import { registerSecurityHeaders } from '../site/security-headers.js';
import { securityText } from '../site/security-text.js';
import { createPageHandler, type PageHandler } from '../site/web-app.js';
import { webManifest } from '../site/web-manifest.js';
import { createAskForState } from '../site/wheel-state.js';
import { TokenVerifier } from '../tokens/token-verifier.js';
import { ApiRequests } from './api-requests.js';
import { Authenticator } from './authentication.js';
import { clientAddressOf } from './client-address.js';
import { registerApiHeaders } from './cors.js';
import { SiteRequests } from './site-requests.js';
import { StripeWebhooks } from './stripe-webhooks.js';
import { registerUnreadBodies } from './unread-bodies.js';

/** Memory for rendered pages of the blog. */
const blogPagesBytes = 64 * 1024 * 1024;
/** How long such a page is sent without asking whether its articles have changed, unless an event says so before. */
const blogPagesValidMs = 30_000;

/** Handles every path that has no Nest controller (those are health and metrics): APIs, webhooks and the web app. */
export async function registerRoutes(app: NestFastifyApplication, config: GatewayConfig): Promise<void> {
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  const logger = app.get(Logger);
  const limits = RateLimits.create(config, logger);
  const agent = new ServiceAgent({ headersTimeoutMs: config.UPSTREAM_TIMEOUT_MS });
  const streams = LiveStreams.open(config, logger);
  // Before the listening socket closes: an open stream would keep it open.
  fastify.addHook('preClose', () => streams.close());
  fastify.addHook('onClose', async () => {
    limits.close();
    await agent.close();
  });
  forwardBodiesUnparsed(fastify);
  registerUnreadBodies(fastify);
  fastify.addHook('onSend', (request, reply, payload, done) => {
    void reply.header('x-request-id', request.id);
    done(null, payload);
  });
  const setPageHeaders = await registerSecurityHeaders(fastify, { isHttps: config.SITE_URL.startsWith('https:') });
  const askForState = createAskForState(config, agent, limits, logger);
  const site = { url: config.SITE_URL.replace(/\/+$/, ''), productName: config.PRODUCT_NAME };
  const askBlog = createAskBlog(config, agent);
  const maker = new PageMaker({ root: path.resolve(config.WEB_DIST), config, site, askBlog });
  const pages = new PageCache(blogPagesBytes, blogPagesValidMs);
  const indexNow = new IndexNow({ config, limits, askBlog, logger });
  const news = followArticles(config, pages, indexNow, logger);
  fastify.addHook('onClose', async () => {
    await news.close();
    await indexNow.close();
  });
  const blog = new BlogPages({ maker, cache: pages, limits, logger });
  const approvals = new ApprovalPages({ root: path.resolve(config.WEB_DIST), config, site, agent, limits, logger, setPageHeaders });
  const [servePage] = await Promise.all([
    createPageHandler(app, config, setPageHeaders, askForState, blog, approvals),
    limits.waitForRedis(),
  ]);
  const handler = createHandler(config, logger, limits, agent, streams, servePage, approvals);
  for (const prefix of apiPrefixes)
    await fastify.register(
      async (api) => {
        // Nest sets its error handler on the root later, and a scope inherits only what was set before it.
        api.setErrorHandler((error, request, reply) => fastify.errorHandler(error, request, reply));
        await registerApiHeaders(api);
        // The plugin for CORS answers OPTIONS.
        api.route({ method: fastify.supportedMethods.filter((method) => method !== 'OPTIONS'), url: '*', handler });
      },
      { prefix },
    );
  registerSiteRoutes(fastify, config, blog, servePage);
  fastify.all('/*', handler);
}

/** A signature over a body must still match at the service, and no body is read before its sender is authenticated. */
function forwardBodiesUnparsed(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', (_request, _body, done) => done(null, undefined));
}

/**
 * The one handler of all paths. It finds the route itself, from the path as it was sent: Fastify decodes paths before it matches them, so `/%72est/v1`
 * would be the API for Fastify and a page for everything else.
 */
function createHandler(
  config: GatewayConfig,
  logger: Logger,
  limits: RateLimits,
  agent: ServiceAgent,
  streams: LiveStreams,
  servePage: PageHandler,
  approvals: ApprovalPages,
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  const proxy = new ServiceProxy(config, agent, logger);
  const webhooks = new StripeWebhooks(proxy, limits);
  const siteRequests = new SiteRequests(proxy, limits);
  const tokens = new TokenVerifier({ agent, identityUrl: config.IDENTITY_URL, issuer: `${config.SITE_URL}/auth/v1` });
  const apiRequests = new ApiRequests({
    config,
    limits,
    proxy,
    largeBodies: new LargeBodies(),
    authenticator: new Authenticator(config.PUBLISHABLE_KEY, tokens),
    exports: new ExportRequests(new AccountExport(config, agent), limits, logger),
    live: new LiveRequests(streams, tokens),
  });
  return async (request, reply) => {
    const { path: pathname } = splitRequestTarget(request.raw.url ?? '/');
    const route = routeOf(pathname);
    const clientAddress = clientAddressOf(request, config);
    if (route.api === 'webhook') return (route.service === 'blog' ? siteRequests : webhooks).handle(request, reply, clientAddress);
    if (route.api === 'site' && (request.method === 'GET' || request.method === 'HEAD')) return servePage(request, reply, clientAddress);
    // The path as it was sent: a token needs no encoding, so another writing of one is none.
    if (route.api === 'site' && request.method === 'POST' && (await approvals.decide({ pathname, clientAddress }, request, reply))) return;
    if (route.api === 'site' || route.api === 'unknown') return sendRefusal(reply, refusals.notFound);
    return apiRequests.handle({ request, reply, route, pathname, clientAddress });
  };
}

function registerSiteRoutes(fastify: FastifyInstance, config: GatewayConfig, blog: BlogPages, servePage: PageHandler): void {
  fastify.get('/config.json', (_request, reply) => reply.header('cache-control', 'public, max-age=60').send(publicConfiguration(config)));
  fastify.get('/manifest.webmanifest', (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=3600')
      .type('application/manifest+json; charset=utf-8')
      .send(JSON.stringify(webManifest(config.PRODUCT_NAME))),
  );
  fastify.get('/.well-known/security.txt', (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=86400')
      .type('text/plain; charset=utf-8')
      .send(securityText({ siteUrl: config.SITE_URL.replace(/\/+$/, ''), contact: config.SUPPORT_EMAIL, now: new Date() })),
  );
  // By this file search engines see that who tells them of articles may speak for the site.
  const { INDEXNOW_KEY: key } = config;
  if (key !== undefined)
    fastify.get(`/${key}.txt`, (_request, reply) =>
      reply.header('cache-control', 'public, max-age=3600').type('text/plain; charset=utf-8').send(key),
    );
  fastify.get('/sitemap.xml', async (request, reply) => {
    // A person who opens this address sees a page with the file, which they may download.
    const isDownload = splitRequestTarget(request.raw.url ?? '').query === 'download';
    if (isDownload) void reply.header('content-disposition', 'attachment; filename="sitemap.xml"');
    const clientAddress = clientAddressOf(request, config);
    if (!isDownload && (request.headers.accept ?? '').startsWith('text/html')) return servePage(request, reply, clientAddress);
    await blog.sendSitemap(clientAddress, request, reply);
  });
}
