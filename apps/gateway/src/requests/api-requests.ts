import { authApiVersion, type Caller, readsErrorCodes } from '@decola/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config/config.js';
import type { ExportRequests } from '../export/export-requests.js';
import { authEndpointOf } from '../limits/auth-endpoints.js';
import { defaultBodyBytes, maxBodyBytes } from '../limits/body-limits.js';
import type { LargeBodies } from '../limits/large-bodies.js';
import type { RateLimits } from '../limits/rate-limits.js';
import type { LiveRequests } from '../live/live-requests.js';
import { declaredLength } from '../proxy/request-body.js';
import type { ServiceProxy } from '../proxy/service-proxy.js';
import * as refusals from '../refusals/refusals.js';
import { sendRefusal } from '../refusals/send-refusal.js';
import { type ApiRoute, type ForwardedRoute, isArticleFunction } from '../routing/routes.js';
import { type Authenticator, bearerOf } from './authentication.js';

/** What a client is told to wait when too many large bodies are being forwarded. */
const largeBodyRetrySeconds = 5;

export interface ApiRequest {
  request: FastifyRequest;
  reply: FastifyReply;
  route: ApiRoute;
  /** Path as it was sent, without the query. */
  pathname: string;
  clientAddress: string;
}

export interface ApiRequestsParts {
  config: GatewayConfig;
  limits: RateLimits;
  largeBodies: LargeBodies;
  authenticator: Authenticator;
  exports: ExportRequests;
  live: LiveRequests;
  proxy: ServiceProxy;
}

/** Who sent a request that may be handled, and how long its body may be. */
type Admission = { caller: Caller | null; maxBytes: number } | { refusal: refusals.Refusal };

/**
 * Handles a request to one of the APIs: limits it, authenticates it and forwards it, in this order. Its body is read only after all checks.
 */
export class ApiRequests {
  constructor(private readonly parts: ApiRequestsParts) {}

  async handle(each: ApiRequest): Promise<void> {
    const { request, reply, route, clientAddress } = each;
    const { exports, live } = this.parts;
    const admitted = await (this.admitAtOnce(each) ?? this.admit(each));
    if ('refusal' in admitted) return sendRefusal(reply, admitted.refusal);
    const { caller, maxBytes } = admitted;
    if (route.service !== null) return this.forward(each, route, caller, maxBytes);
    if (route.api !== 'functions') return sendRefusal(reply, refusals.unknownRestName(route.refusal, route.name));
    if (route.own === 'live') return live.handle(request, reply, caller, bearerOf(request));
    return route.own ? exports.handle(request, reply, caller, clientAddress) : sendRefusal(reply, refusals.unknownServerFunction);
  }

  /** Counts the address, measures the body, authenticates, and counts the person: each step only when the one before it admits the request. */
  private async admit({ request, route, pathname, clientAddress }: ApiRequest): Promise<Admission> {
    const { limits, authenticator } = this.parts;
    const wait = await limits.countRequest(clientAddress, route.api, request.method, pathname);
    if (wait !== null) return { refusal: refusals.rateLimited(route.api, wait) };
    if (isLonger(request, maxBodyBytes(route, request.method))) return { refusal: refusals.bodyTooLarge(route.api) };
    const authentication = await authenticator.authenticate(request, route, pathname);
    if ('refusal' in authentication) return authentication;
    const { caller } = authentication;
    const maxBytes = maxBodyBytes(route, request.method, caller);
    if (isLonger(request, maxBytes)) return { refusal: refusals.bodyTooLarge(route.api) };
    if (caller?.role === 'authenticated') {
      const userWait = await limits.countUserRequest(caller.userId);
      if (userWait !== null) return { refusal: refusals.rateLimited(route.api, userWait) };
    }
    return { caller, maxBytes };
  }

  /**
   * The same for a person whose token and session were checked lately: both counts in one trip, because nothing between them has to be waited for.
   * @returns undefined when something has to be
   */
  private admitAtOnce({ request, route, pathname, clientAddress }: ApiRequest): Promise<Admission> | undefined {
    const { limits, authenticator } = this.parts;
    const caller = authenticator.knownCaller(request, route);
    if (!caller) return undefined;
    const maxBytes = maxBodyBytes(route, request.method, caller);
    if (isLonger(request, Math.min(maxBytes, maxBodyBytes(route, request.method)))) return undefined;
    return limits.countRequestOf(caller.userId, clientAddress).then(async (wait) => {
      if (wait !== null) return { refusal: refusals.rateLimited(route.api, wait) };
      // Redis may have taken its time.
      const authentication = authenticator.isStillKnown(caller) ? { caller } : await authenticator.authenticate(request, route, pathname);
      return 'refusal' in authentication ? authentication : { caller, maxBytes };
    });
  }

  private async forward(each: ApiRequest, route: ForwardedRoute, caller: Caller | null, maxBytes: number): Promise<void> {
    const { request, reply } = each;
    // A body without a declared length gets the default limit, since it cannot reserve a place for a large one.
    if (!isLonger(request, defaultBodyBytes)) return this.send(each, route, caller, Math.min(maxBytes, defaultBodyBytes));
    const release = await this.parts.largeBodies.acquire(caller);
    if (release === null) return sendRefusal(reply, refusals.rateLimited(route.api, largeBodyRetrySeconds));
    try {
      await this.send(each, route, caller, maxBytes);
    } finally {
      release();
    }
  }

  private async send(
    { request, reply, pathname, clientAddress }: ApiRequest,
    route: ForwardedRoute,
    caller: Caller | null,
    maxBytes: number,
  ): Promise<void> {
    const { config, proxy } = this.parts;
    const { api, service } = route;
    await proxy.forward(request, reply, {
      api,
      service,
      caller,
      clientAddress,
      responseHeaders: api === 'auth' ? versionHeader(request) : {},
      maxBodyBytes: maxBytes,
      // The reads of auth/v1 with a limit of their own have side effects: they use up the token of a mailed link, or send a code.
      isReadRepeatable: api !== 'auth' || authEndpointOf('GET', pathname) === null,
      headersTimeoutMs: headersTimeoutMs(config, route),
    });
  }
}

/** How long the service may take to begin its answer. */
function headersTimeoutMs(config: GatewayConfig, route: ForwardedRoute): number {
  if (route.api === 'auth') return config.AUTH_TIMEOUT_MS;
  return route.api === 'functions' && isArticleFunction(route.name) ? config.ARTICLE_TIMEOUT_MS : config.UPSTREAM_TIMEOUT_MS;
}

/** Whether the declared body is longer. Bodies without a declared length are measured while they are forwarded. */
function isLonger(request: FastifyRequest, bytes: number): boolean {
  return (declaredLength(request.raw) ?? 0) > bytes;
}

/** Clients that name a version of auth/v1 are told which version they got (auth-v1, 1.1). */
function versionHeader(request: FastifyRequest): Record<string, string> {
  return readsErrorCodes(request.headers['x-supabase-api-version']) ? { 'x-supabase-api-version': authApiVersion } : {};
}
