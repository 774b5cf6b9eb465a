import type { AuthenticatedCaller } from '@decola/service-kit';
import { errors, jwtVerify } from 'jose';
import { z } from 'zod';
import type { ServiceAgent } from '../proxy/service-agent.js';
import { PublishedKeys } from './published-keys.js';
import { VerifiedTokens } from './verified-tokens.js';

export type TokenVerdict =
  | { ok: true; caller: AuthenticatedCaller }
  | { ok: false; reason: 'expired' | 'invalid' | 'ended' | 'second-factor' | 'unknown' };

/** State of a session according to identity. `pending`: the person has a second factor that was not verified in this session. `unknown`: identity did not answer. */
type SessionState = 'active' | 'pending' | 'ended' | 'unknown';

/** Identity's answer for an active session. Versions before second factors do not send these fields. */
const sessionAnswer = z.object({ secondFactor: z.boolean().default(false), secondFactorPending: z.boolean().default(false) });

const claims = z.object({
  sub: z.uuid(),
  role: z.literal('authenticated'),
  session_id: z.uuid(),
  aal: z.enum(['aal1', 'aal2']).catch('aal1'),
  email: z.string().catch(''),
  exp: z.number(),
  app_metadata: z.object({ roles: z.array(z.string()).catch([]) }).catch({ roles: [] }),
});

/** How long an active session is cached. An ended session can be used for this long at most (decision 0002). */
const activeCacheMs = 5_000;
const maxCachedSessions = 50_000;
const clockToleranceSeconds = 30;
const sessionTimeoutMs = 3_000;
const keysPath = '/auth/v1/.well-known/jwks.json';

/** Whether verification failed because the public keys could not be loaded, not because of the token. */
function isKeyLoadingError(error: unknown): boolean {
  if (!(error instanceof errors.JOSEError)) return true;
  return error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid || error.code === errors.JOSEError.code;
}

export interface TokenVerifierOptions {
  agent: ServiceAgent;
  identityUrl: string;
  issuer: string;
  now?: () => number;
}

/** Verifies access tokens with identity's public keys, and asks identity whether their session is still active. */
export class TokenVerifier {
  private readonly keys: PublishedKeys;
  private readonly verified = new VerifiedTokens(clockToleranceSeconds);
  /** When the cache entry of a session and assurance level expires. */
  private readonly activeUntil = new Map<string, number>();
  /** Requests to identity that are running. */
  private readonly pendingChecks = new Map<string, Promise<SessionState>>();
  private readonly now: () => number;

  constructor(private readonly options: TokenVerifierOptions) {
    this.keys = new PublishedKeys({
      url: new URL(keysPath, options.identityUrl),
      fetch: async (_url, { signal }) => {
        const { statusCode, body } = await this.ask(keysPath, signal);
        const text = await body.text();
        // What was verified with the keys before them is verified again.
        if (statusCode === 200) this.verified.renew();
        return new Response(text, { status: statusCode });
      },
    });
    this.now = options.now ?? Date.now;
  }

  async verify(token: string): Promise<TokenVerdict> {
    const known = this.verified.get(token);
    const verified = known ? { ok: true as const, caller: known } : await this.verifySignature(token);
    if (!verified.ok) return verified;
    const { caller } = verified;
    const state = await this.sessionState(caller.sessionId, caller.aal);
    if (state !== 'active') return { ok: false, reason: state === 'pending' ? 'second-factor' : state };
    return verified;
  }

  /** The caller of a token whose signature was verified before and whose session is known to be active now. */
  known(token: string): AuthenticatedCaller | undefined {
    const caller = this.verified.get(token);
    return caller && this.isStillKnown(caller) ? caller : undefined;
  }

  /** Whether nothing of a caller that `known` found has to be checked again. */
  isStillKnown({ sessionId, aal, expiresAt }: AuthenticatedCaller): boolean {
    return this.isActive(`${sessionId} ${aal}`) && this.verified.isCurrent(expiresAt);
  }

  private async verifySignature(token: string): Promise<TokenVerdict> {
    const { generation } = this.verified;
    const wasFetching = this.keys.isFetching;
    let payload: unknown;
    try {
      ({ payload } = await jwtVerify(token, this.keys.keyOf, {
        algorithms: ['ES256'],
        issuer: this.options.issuer,
        audience: 'authenticated',
        clockTolerance: clockToleranceSeconds,
      }));
    } catch (error) {
      if (error instanceof errors.JWTExpired) return { ok: false, reason: 'expired' };
      if (isKeyLoadingError(error)) return { ok: false, reason: 'unknown' };
      return { ok: false, reason: 'invalid' };
    }
    const parsed = claims.safeParse(payload);
    if (!parsed.success) return { ok: false, reason: 'invalid' };
    const { sub, session_id, aal, email, exp, app_metadata } = parsed.data;
    const { roles } = app_metadata;
    const caller: AuthenticatedCaller = { role: 'authenticated', userId: sub, sessionId: session_id, aal, email, roles, expiresAt: exp };
    // Frozen, since requests share it.
    Object.freeze(roles);
    Object.freeze(caller);
    if (!wasFetching && !this.keys.isFetching) this.verified.add(token, caller, generation);
    return { ok: true, caller };
  }

  private isActive(key: string): boolean {
    const expiresAt = this.activeUntil.get(key);
    return expiresAt !== undefined && expiresAt > this.now();
  }

  private sessionState(sessionId: string, aal: 'aal1' | 'aal2'): Promise<SessionState> {
    // Cached per assurance level: a token issued at aal1 stays aal1 even after its session reaches aal2.
    const key = `${sessionId} ${aal}`;
    if (this.isActive(key)) return Promise.resolve('active');
    // A page sends many requests at once: they share one request to identity.
    const running = this.pendingChecks.get(key);
    if (running) return running;
    const check = this.checkSession(sessionId, aal, key).finally(() => this.pendingChecks.delete(key));
    this.pendingChecks.set(key, check);
    return check;
  }

  private async checkSession(sessionId: string, aal: 'aal1' | 'aal2', key: string): Promise<SessionState> {
    const startedAt = this.now();
    try {
      const { statusCode, body } = await this.ask(`/internal/sessions/${sessionId}`, AbortSignal.timeout(sessionTimeoutMs));
      const text = await body.text();
      if (statusCode === 200) {
        const { secondFactor, secondFactorPending } = sessionAnswer.parse(JSON.parse(text));
        // Not cached: the person may enter the code at any moment.
        if (secondFactorPending || (secondFactor && aal === 'aal1')) return 'pending';
        if (this.activeUntil.size >= maxCachedSessions) this.activeUntil.clear();
        this.activeUntil.set(key, startedAt + activeCacheMs);
        return 'active';
      }
      return statusCode === 404 ? 'ended' : 'unknown';
    } catch {
      return 'unknown';
    }
  }

  private ask(path: string, signal: AbortSignal) {
    return this.options.agent.request({ origin: this.options.identityUrl, path, method: 'GET', isRepeatable: true, signal });
  }
}
