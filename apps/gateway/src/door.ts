import { timingSafeEqual } from 'node:crypto';
import { anonymousCaller, authApiVersion, type Caller, Logger, readsErrorCodes } from '@decola/service-kit';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from './config.js';
import { AccountExport } from './account-export.js';
import { corsHeaders, preflightHeaders } from './cors.js';
import { createAgent, forward } from './forward.js';
import { RateLimits } from './rate-limits.js';
import * as refusals from './refusals.js';
import type { Refusal } from './refusals.js';
import { addressOf, type Route, routeOf } from './routing.js';
import { publicConfiguration, serveFiles, sitemap, type SitemapArticle } from './site.js';
import { TokenVerifier } from './tokens.js';

/** Paths of auth/v1 that a browser opens by navigation: they carry no key. */
const keyless =
  /^((GET|HEAD) \/auth\/v1\/(verify|authorize|callback|\.well-known\/.*|sso\/saml\/metadata)|POST \/auth\/v1\/(callback|sso\/saml\/acs))$/;

/** Bytes of a body; rest/v1 takes rows of many megabytes, up to the server's own limit. */
const maxBodyBytes: Readonly<Record<string, number>> = { auth: 1024 * 1024, functions: 1024 * 1024, webhook: 1024 * 1024 };

/** Methods by which a signed link is opened. */
const reads: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** Stripe takes ten seconds of silence for a failure; it hears of one before that. */
const webhookAnswerMs = 8_000;

const isApi = (url: string) => /^\/(auth|rest|functions|storage|realtime)\/v1(\/|$|\?)/.test(url);

type ApiRoute = Exclude<Route, { api: 'site' } | { api: 'unknown' } | { api: 'webhook' }>;
type Admission = { caller: Caller | null } | { refusal: Refusal };

function equalKeys(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function bearerOf(request: FastifyRequest): string | undefined {
  return /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
}

/** A client that names a version of auth/v1 is told which one it got (auth-v1, 1.1). */
function versionHeader(request: FastifyRequest): Record<string, string> {
  return readsErrorCodes(request.headers['x-supabase-api-version']) ? { 'x-supabase-api-version': authApiVersion } : {};
}

/** The only public door: admits, limits, routes; knows nothing of what the services do. */
export class Door {
  private readonly agent: ReturnType<typeof createAgent>;
  private readonly tokens: TokenVerifier;
  private readonly limits: RateLimits;
  private readonly exports: AccountExport;

  constructor(
    private readonly config: GatewayConfig,
    private readonly logger: Logger,
  ) {
    this.agent = createAgent(config.UPSTREAM_TIMEOUT_MS);
    this.tokens = new TokenVerifier({ identityUrl: config.IDENTITY_URL, issuer: `${config.SITE_URL}/auth/v1` });
    this.limits = RateLimits.create(config, logger);
    this.exports = new AccountExport(config, this.agent);
  }

  /** Takes every address that Nest's own controllers (health, metrics) do not have. */
  async open(app: NestFastifyApplication): Promise<void> {
    const fastify = app.getHttpAdapter().getInstance();
    // Bodies pass through as bytes: a signature over them must still fit.
    fastify.removeAllContentTypeParsers();
    fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    // Every answer of an API, also one that the server makes by itself, can be read by a page on another site.
    fastify.addHook('onSend', (request, reply, payload, done) => {
      if (isApi(request.raw.url ?? '') && !reply.hasHeader('access-control-allow-origin')) void reply.headers(corsHeaders);
      void reply.header('x-request-id', request.id);
      done(null, payload);
    });
    // Figures are for whoever is inside; what came through a proxy came from outside.
    fastify.addHook('onRequest', (request, reply, done) => {
      if (request.routeOptions.url === '/metrics' && request.headers['x-forwarded-for'] !== undefined)
        void reply.status(404).send(refusals.unknownPath.body);
      else done();
    });
    const [servePage] = await Promise.all([serveFiles(app, this.config), this.limits.contact()]);
    fastify.get('/config.json', (_request, reply) =>
      reply.header('cache-control', 'public, max-age=60').send(publicConfiguration(this.config)),
    );
    fastify.get('/sitemap.xml', (request, reply) =>
      (request.headers.accept ?? '').startsWith('text/html') ? servePage(request, reply) : this.sendSitemap(reply),
    );
    fastify.all('/*', (request, reply) => this.handle(request, reply, servePage));
    fastify.addHook('onClose', async () => {
      this.limits.close();
      await this.agent.close();
    });
  }

  private async handle(
    request: FastifyRequest,
    reply: FastifyReply,
    servePage: (request: FastifyRequest, reply: FastifyReply) => Promise<void>,
  ): Promise<void> {
    const pathname = (request.raw.url ?? '/').split('?', 1)[0] ?? '/';
    const route = routeOf(pathname);
    if (route.api === 'site') {
      if (request.method === 'GET' || request.method === 'HEAD') return servePage(request, reply);
      return this.refuse(reply, refusals.unknownPath);
    }
    if (route.api === 'webhook') return this.webhook(request, reply);
    if (request.method === 'OPTIONS') return void (await reply.status(204).headers(preflightHeaders).send());
    if (route.api === 'unknown') return this.refuse(reply, refusals.unknownPath);
    const wait = await this.limits.take(this.clientAddress(request), route.api, request.method, pathname);
    if (wait !== null) return this.refuse(reply, refusals.tooMany(route.api, wait));
    if (this.isTooLarge(request, route.api)) return this.refuse(reply, refusals.tooLarge(route.api));
    const admission = await this.admit(request, route, pathname);
    if ('refusal' in admission) return this.refuse(reply, admission.refusal);
    if (admission.caller?.role === 'authenticated') {
      const pause = await this.limits.takePerson(admission.caller.userId);
      if (pause !== null) return this.refuse(reply, refusals.tooMany(route.api, pause));
    }
    if (route.api === 'functions' && route.service === null && route.own) return this.exportAccount(request, reply, admission.caller);
    if (route.service === null)
      return this.refuse(
        reply,
        route.api === 'functions' ? refusals.unknownServerFunction : refusals.unknownRestName(route.refusal, route.name),
      );
    await this.pass(request, reply, route.api, route.service, admission.caller);
  }

  /** Checks key and token. The answer's form is that of the API. */
  private async admit(request: FastifyRequest, route: ApiRoute, pathname: string): Promise<Admission> {
    if (route.api === 'auth' && keyless.test(`${request.method} ${pathname}`)) return { caller: null };
    if (route.api === 'storage' && route.service !== null && route.isPublic && reads.has(request.method))
      return { caller: anonymousCaller };
    const query = new URLSearchParams((request.raw.url ?? '').split('?')[1] ?? '');
    const given = request.headers['apikey'] ?? query.get('apikey');
    if (typeof given !== 'string' || given === '') return { refusal: refusals.noKey };
    if (!equalKeys(given, this.config.PUBLISHABLE_KEY)) return { refusal: refusals.unknownKey };
    if (route.api === 'auth') return { caller: null };
    const bearer = bearerOf(request);
    if (request.headers.authorization !== undefined && bearer === undefined) return { refusal: refusals.badToken(route.api, 'invalid') };
    // With a publishable key and no session the client sends the key as bearer, or none at all.
    if (bearer === undefined || equalKeys(bearer, this.config.PUBLISHABLE_KEY)) return { caller: anonymousCaller };
    const verdict = await this.tokens.verify(bearer);
    if (verdict.ok) return { caller: verdict.caller };
    if (verdict.reason === 'unknown') return { refusal: refusals.unavailable(route.api, 'identity') };
    if (verdict.reason === 'second-factor') return { refusal: refusals.secondFactorDue(route.api) };
    return { refusal: refusals.badToken(route.api, verdict.reason) };
  }

  private async pass(
    request: FastifyRequest,
    reply: FastifyReply,
    api: ApiRoute['api'],
    service: Parameters<typeof addressOf>[1],
    caller: Caller | null,
  ): Promise<void> {
    try {
      await forward(request, reply, {
        agent: this.agent,
        address: addressOf(this.config, service),
        caller,
        signingKey: this.config.INTERNAL_SIGNING_KEY,
        clientAddress: this.clientAddress(request),
        responseHeaders: api === 'auth' ? { ...corsHeaders, ...versionHeader(request) } : corsHeaders,
        headersTimeoutMs: api === 'auth' ? this.config.AUTH_TIMEOUT_MS : this.config.UPSTREAM_TIMEOUT_MS,
      });
    } catch (error) {
      await this.failed(reply, error, api, service);
    }
  }

  /** One archive of everything that is held about the caller, or a refusal: never a part of it. */
  private async exportAccount(request: FastifyRequest, reply: FastifyReply, caller: Caller | null): Promise<void> {
    if (request.method !== 'POST') return this.refuse(reply, refusals.postOnly);
    if (caller?.role !== 'authenticated') return this.refuse(reply, refusals.loginNeeded);
    const wait = await this.limits.takeExport(caller.userId);
    if (wait !== null) return this.refuse(reply, refusals.tooManyExports(wait));
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    try {
      const { body, bytes } = await this.exports.compose({
        caller,
        clientAddress: this.clientAddress(request),
        userAgent: request.headers['user-agent'],
        requestId: request.id,
        signal: gone.signal,
      });
      await reply
        .headers({
          ...corsHeaders,
          'content-type': 'application/octet-stream',
          'content-disposition': 'attachment; filename="decola-dados.zip"',
          'content-length': String(bytes),
          'cache-control': 'private, no-store',
        })
        .send(body);
    } catch (error) {
      await this.limits.giveBackExport(caller.userId);
      if (gone.signal.aborted) return;
      this.logger.error({ err: error }, 'an export could not be put together');
      await this.refuse(reply, refusals.exportUnavailable);
    }
  }

  private async webhook(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (request.method !== 'POST') return this.refuse(reply, refusals.unknownPath);
    if (this.isTooLarge(request, 'webhook')) return this.refuse(reply, refusals.tooLarge('webhook'));
    const address = this.clientAddress(request);
    const wait = await this.limits.webhookWait(address);
    if (wait !== null) return this.refuse(reply, refusals.tooMany('webhook', wait));
    try {
      const status = await forward(request, reply, {
        agent: this.agent,
        address: this.config.BILLING_URL,
        caller: anonymousCaller,
        signingKey: this.config.INTERNAL_SIGNING_KEY,
        clientAddress: address,
        responseHeaders: {},
        headersTimeoutMs: webhookAnswerMs,
      });
      if (status >= 400 && status < 500) await this.limits.webhookRefused(address);
    } catch (error) {
      await this.failed(reply, error, 'webhook', 'billing');
    }
  }

  /** The service was not reached, or was silent for too long. */
  private async failed(
    reply: FastifyReply,
    error: unknown,
    api: ApiRoute['api'] | 'webhook',
    service: Parameters<typeof addressOf>[1],
  ): Promise<void> {
    if (reply.raw.destroyed) return; // nobody is there to hear it
    this.logger.error({ err: error, service }, 'service cannot be reached');
    if (reply.sent) return;
    const isSilence = error instanceof Error && error.name === 'HeadersTimeoutError';
    await this.refuse(reply, isSilence ? refusals.timedOut(api) : refusals.unavailable(api, service));
  }

  private isTooLarge(request: FastifyRequest, api: string): boolean {
    return Buffer.isBuffer(request.body) && request.body.length > (maxBodyBytes[api] ?? Number.POSITIVE_INFINITY);
  }

  private async sendSitemap(reply: FastifyReply): Promise<void> {
    let articles: SitemapArticle[] = [];
    try {
      const answer = await fetch(
        `${this.config.BLOG_URL}/rest/v1/blog_articles?select=slug,updated_at&published=eq.true&order=updated_at.desc`,
        { signal: AbortSignal.timeout(3_000) },
      );
      if (answer.ok) articles = (await answer.json()) as SitemapArticle[];
    } catch (error) {
      this.logger.warn({ err: error }, 'sitemap without articles');
    }
    await reply
      .header('cache-control', 'public, max-age=600')
      .type('application/xml; charset=utf-8')
      .send(sitemap(this.config.SITE_URL, articles));
  }

  private async refuse(reply: FastifyReply, { status, headers, body, legacyBody }: Refusal): Promise<void> {
    const isLegacy = legacyBody !== undefined && !readsErrorCodes(reply.request.headers['x-supabase-api-version']);
    const all: Record<string, string> = { ...corsHeaders, ...headers, 'content-type': 'application/json; charset=utf-8' };
    if (isLegacy) {
      delete all['x-supabase-api-version'];
      delete all['x-sb-error-code'];
    }
    await reply
      .status(status)
      .headers(all)
      .send(isLegacy ? { ...legacyBody, ...(status >= 500 ? { error_id: reply.request.id } : {}) } : body);
  }

  /** The address that the last proxy saw: what stands before it in the header is the client's own word. */
  private clientAddress(request: FastifyRequest): string {
    const forwarded = this.config.TRUST_PROXY ? request.headers['x-forwarded-for'] : undefined;
    const last = (Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? '')).split(',').pop();
    return last?.trim() || request.ip;
  }
}
