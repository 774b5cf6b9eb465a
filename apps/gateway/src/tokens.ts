import type { AuthenticatedCaller } from '@decola/service-kit';
import { createRemoteJWKSet, errors, jwtVerify } from 'jose';
import { z } from 'zod';

export type TokenVerdict =
  { ok: true; caller: AuthenticatedCaller } | { ok: false; reason: 'expired' | 'invalid' | 'ended' | 'second-factor' | 'unknown' };

/** What identity says of a session. `pending`: its person has a second factor that was not shown in it. */
type SessionState = 'alive' | 'pending' | 'ended' | 'unknown';

/** The state of a living session. A service of before second factors says nothing of them. */
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

/** How long "this session is alive" is believed: the longest that an ended session can go on (decision 0002). */
const aliveMs = 5_000;
const maxRemembered = 50_000;
const clockToleranceSeconds = 30;

/** Identity was not reached, or answered with no set of keys. */
function isAboutKeys(error: unknown): boolean {
  if (!(error instanceof errors.JOSEError)) return true;
  return error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid || error.code === errors.JOSEError.code;
}

export interface TokenVerifierOptions {
  identityUrl: string;
  issuer: string;
  now?: () => number;
}

/** Verifies access tokens with identity's public keys and makes sure that their session still lives. */
export class TokenVerifier {
  private readonly keys: ReturnType<typeof createRemoteJWKSet>;
  private readonly alive = new Map<string, number>();
  private readonly asking = new Map<string, Promise<SessionState>>();
  private readonly now: () => number;

  constructor(private readonly options: TokenVerifierOptions) {
    this.keys = createRemoteJWKSet(new URL(`${options.identityUrl}/auth/v1/.well-known/jwks.json`), {
      cacheMaxAge: 600_000,
      cooldownDuration: 5_000,
      timeoutDuration: 5_000,
    });
    this.now = options.now ?? Date.now;
  }

  async verify(token: string): Promise<TokenVerdict> {
    let payload: unknown;
    try {
      ({ payload } = await jwtVerify(token, this.keys, {
        algorithms: ['ES256'],
        issuer: this.options.issuer,
        audience: 'authenticated',
        clockTolerance: clockToleranceSeconds,
      }));
    } catch (error) {
      if (error instanceof errors.JWTExpired) return { ok: false, reason: 'expired' };
      // Keys that could not be fetched say nothing about the token.
      if (isAboutKeys(error)) return { ok: false, reason: 'unknown' };
      return { ok: false, reason: 'invalid' };
    }
    const parsed = claims.safeParse(payload);
    if (!parsed.success) return { ok: false, reason: 'invalid' };
    const { sub, session_id, aal, email, exp, app_metadata } = parsed.data;
    const state = await this.sessionState(session_id, aal);
    if (state !== 'alive') return { ok: false, reason: state === 'pending' ? 'second-factor' : state };
    return {
      ok: true,
      caller: { role: 'authenticated', userId: sub, sessionId: session_id, aal, email, roles: app_metadata.roles, expiresAt: exp },
    };
  }

  private sessionState(sessionId: string, aal: 'aal1' | 'aal2'): Promise<SessionState> {
    // By level: a token of before the second factor does not rise with its session, nor does it speak for the one of after.
    const key = `${sessionId} ${aal}`;
    const until = this.alive.get(key);
    if (until !== undefined && until > this.now()) return Promise.resolve('alive');
    // Many requests of one page ask at the same moment: one question answers them all.
    const running = this.asking.get(key);
    if (running) return running;
    const question = this.ask(sessionId, aal, key).finally(() => this.asking.delete(key));
    this.asking.set(key, question);
    return question;
  }

  private async ask(sessionId: string, aal: 'aal1' | 'aal2', key: string): Promise<SessionState> {
    const asked = this.now();
    try {
      const answer = await fetch(`${this.options.identityUrl}/internal/sessions/${sessionId}`, { signal: AbortSignal.timeout(3_000) });
      if (answer.ok) {
        const { secondFactor, secondFactorPending } = sessionAnswer.parse(await answer.json());
        // Not remembered: the code may be typed at any moment.
        if (secondFactorPending || (secondFactor && aal === 'aal1')) return 'pending';
        if (this.alive.size >= maxRemembered) this.alive.clear();
        this.alive.set(key, asked + aliveMs);
        return 'alive';
      }
      return answer.status === 404 ? 'ended' : 'unknown';
    } catch {
      return 'unknown';
    }
  }
}
