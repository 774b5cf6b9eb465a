import { timingSafeEqual } from 'node:crypto';
import { anonymousCaller, type AuthenticatedCaller, type Caller, splitRequestTarget } from '@decola/service-kit';
import type { FastifyRequest } from 'fastify';
import * as refusals from '../refusals/refusals.js';
import type { ApiRoute } from '../routing/routes.js';
import type { TokenVerifier } from '../tokens/token-verifier.js';

/** Paths of auth/v1 that a browser opens by navigation, so that they carry no API key. */
const keylessPaths =
  /^((GET|HEAD) \/auth\/v1\/(verify|authorize|callback|\.well-known\/.*|sso\/saml\/metadata)|POST \/auth\/v1\/(callback|sso\/saml\/acs))$/;

/** Functions that the links of mails name. Mail readers and browsers call them without an API key; a sealed token in the address decides. */
const keylessFunctions: ReadonlySet<string> = new Set(['unsubscribe']);

/** Methods that a signed link of storage/v1 may be opened with. */
const readMethods: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** The caller, or why the request is refused. A null caller means that the service checks the token itself (identity). */
export type Authentication = { caller: Caller | null } | { refusal: refusals.Refusal };

/** Checks the API key and the access token of requests. */
export class Authenticator {
  private readonly publishableKey: Buffer;

  constructor(
    publishableKey: string,
    private readonly tokens: TokenVerifier,
  ) {
    this.publishableKey = Buffer.from(publishableKey);
  }

  async authenticate(request: FastifyRequest, route: ApiRoute, pathname: string): Promise<Authentication> {
    if (route.api === 'auth' && keylessPaths.test(`${request.method} ${pathname}`)) return { caller: null };
    if (route.api === 'storage' && route.service !== null && route.isPublic && readMethods.has(request.method))
      return { caller: anonymousCaller };
    if (route.api === 'functions' && route.service !== null && keylessFunctions.has(route.name)) return { caller: anonymousCaller };
    const apiKey = request.headers['apikey'] ?? new URLSearchParams(splitRequestTarget(request.raw.url ?? '/').query).get('apikey');
    if (typeof apiKey !== 'string' || apiKey === '') return { refusal: refusals.missingApiKey };
    if (!isEqual(apiKey, this.publishableKey)) return { refusal: refusals.invalidApiKey };
    if (route.api === 'auth') return { caller: null };
    const bearer = bearerOf(request);
    if (request.headers.authorization !== undefined && bearer === undefined)
      return { refusal: refusals.invalidToken(route.api, 'invalid') };
    // Without a session the client sends the publishable key as bearer, or no bearer at all.
    if (bearer === undefined || isEqual(bearer, this.publishableKey)) return { caller: anonymousCaller };
    const verdict = await this.tokens.verify(bearer);
    if (verdict.ok) return { caller: verdict.caller };
    if (verdict.reason === 'unknown') return { refusal: refusals.serviceUnavailable(route.api, 'identity') };
    if (verdict.reason === 'second-factor') return { refusal: refusals.secondFactorRequired(route.api) };
    return { refusal: refusals.invalidToken(route.api, verdict.reason) };
  }

  /** The person whom `authenticate` would find without asking identity or verifying a signature; undefined in every other case. */
  knownCaller({ headers }: FastifyRequest, route: ApiRoute): AuthenticatedCaller | undefined {
    if (route.api !== 'rest' && route.api !== 'functions') return undefined;
    const { apikey, authorization } = headers;
    if (typeof apikey !== 'string' || authorization === undefined || !isEqual(apikey, this.publishableKey)) return undefined;
    // Whatever `authenticate` does not ask the token for has no verified token.
    if (route.api === 'functions' && route.service !== null && keylessFunctions.has(route.name)) return undefined;
    const bearer = bearerOf({ headers });
    return bearer === undefined ? undefined : this.tokens.known(bearer);
  }

  /** Whether the token and the session of a known caller need no new check yet. */
  isStillKnown(caller: AuthenticatedCaller): boolean {
    return this.tokens.isStillKnown(caller);
  }
}

/** Compares in constant time. */
function isEqual(given: string, expected: Buffer): boolean {
  const bytes = Buffer.from(given);
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}

/** The access token of a request, unverified. */
export function bearerOf(request: Pick<FastifyRequest, 'headers'>): string | undefined {
  return /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
}
