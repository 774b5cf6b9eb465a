import { Clock, CONFIG } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type Origin } from '../account/origin.js';
import { SecurityEvents } from '../account/security-events.js';
import {
  conflict,
  refreshBanned,
  revokedByNewerLogin,
  sessionExpired,
  sessionNotFound,
  unknownRefreshToken,
  usedRefreshToken,
  malformedRefreshToken,
  userBanned,
  userNotFound,
} from '../auth/auth.errors.js';
import type { IdentityConfig } from '../config.js';
import { hasSecondFactor } from '../factors/factor.view.js';
import { AccessTokens, type SessionClaims } from '../tokens/access-tokens.js';
import { userById } from '../users/user-store.js';
import { isBanned, toUserView, type UserRecord } from '../users/user.view.js';
import { newRefreshKey, readRefreshToken, refreshToken } from './refresh-token.js';

/** Who asks auth/v1, through which session. */
export interface AuthenticatedSession {
  user: UserRecord;
  sessionId: string;
  /** What both the token and the session have: a token of before the second factor does not rise with its session. */
  aal: 'aal1' | 'aal2';
  openedAt: Date;
}

/** A session that lives. */
export interface SessionState {
  /** Its person has a verified second factor. */
  secondFactor: boolean;
  /** That factor has not been shown in this session. */
  secondFactorPending: boolean;
}

/** How a session was opened. */
export type SignInMethod = 'password' | 'otp';

interface SessionRow {
  id: string;
  user_id: string;
  aal: 'aal1' | 'aal2';
  amr: SessionClaims['amr'];
  refresh_key: Buffer;
  refresh_counter: number;
  refresh_floor: number;
  refreshed_at: Date;
  created_at: Date;
}

interface LivingSession {
  aal: 'aal1' | 'aal2';
  banned: boolean;
  created_at: Date;
  second_factor: boolean;
}

/** What a refresh does with a token that is `behind` refreshes older than the active one. */
export function refreshVerdict(
  behind: number,
  msSinceRefresh: number,
  reuseMs: number,
  isOfLowerAal = false,
): 'rotate' | 'repeat' | 'outdated' | 'stolen' | 'unknown' {
  if (behind < 0) return 'unknown';
  if (behind === 0) return 'rotate';
  // The second factor was shown since: it gives nobody the higher session, but another tab may still hold it for a moment.
  if (isOfLowerAal) return msSinceRefresh < reuseMs ? 'outdated' : 'stolen';
  // The one just before the active: the client lost our answer. Older ones only while several tabs may still race.
  return behind === 1 || msSinceRefresh < reuseMs ? 'repeat' : 'stolen';
}

@Injectable()
export class SessionsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly tokens: AccessTokens,
    private readonly clock: Clock,
    private readonly events: SecurityEvents,
    @Inject(CONFIG) private readonly config: IdentityConfig,
  ) {}

  /** Opens a session and answers with its tokens (auth-v1, 2.4). */
  async open(manager: EntityManager, user: UserRecord, method: SignInMethod, origin: Origin): Promise<Record<string, unknown>> {
    const amr = [{ method, timestamp: Math.floor(this.clock.now().getTime() / 1000) }];
    const key = newRefreshKey();
    const [session] = await manager.query<SessionRow[]>(
      'insert into sessions (user_id, amr, refresh_key, user_agent, ip, refreshed_at, created_at) values ($1, $2, $3, $4, $5, $6, $6) returning *',
      [user.id, JSON.stringify(amr), key, origin.userAgent, origin.ip, this.clock.now()],
    );
    await manager.query('update users set last_sign_in_at = $2 where id = $1', [user.id, this.clock.now()]);
    await this.events.record(user.id, `sign_in.${method}`, { manager, origin });
    return this.answer({ ...user, last_sign_in_at: this.clock.now() }, session!);
  }

  private async answer(user: UserRecord, session: SessionRow): Promise<Record<string, unknown>> {
    const issuedAt = this.clock.now();
    const seconds = this.accessSeconds(user, session, issuedAt);
    const { token, expiresAt } = await this.tokens.sign(user, { id: session.id, aal: session.aal, amr: session.amr }, issuedAt, seconds);
    return {
      access_token: token,
      token_type: 'bearer',
      expires_in: seconds,
      expires_at: expiresAt,
      refresh_token: refreshToken({ sessionId: session.id, counter: session.refresh_counter }, session.refresh_key),
      user: toUserView(user),
    };
  }

  /** An access token without the second factor lives no longer than its session may go without it. */
  private accessSeconds(user: UserRecord, session: SessionRow, now: Date): number {
    const { ACCESS_TOKEN_SECONDS: usual, SESSION_LOW_AAL_SECONDS: limit } = this.config;
    if (limit === 0 || session.aal !== 'aal1' || !hasSecondFactor(user)) return usual;
    const left = Math.floor((session.created_at.getTime() - now.getTime()) / 1000) + limit;
    return Math.max(1, Math.min(usual, left));
  }

  /** @throws AuthError by the table of auth-v1 section 4; a reused token ends its session although the call fails. */
  async refresh(token: string): Promise<Record<string, unknown>> {
    const claim = readRefreshToken(token);
    if (!claim) throw malformedRefreshToken();
    const result = await this.dataSource
      .transaction(async (manager) => {
        // Two refreshes of one session wait for each other here and end at one active token.
        await manager.query(`set local lock_timeout = '5s'`);
        const [session] = await manager.query<SessionRow[]>('select * from sessions where id = $1 for update', [claim.sessionId]);
        if (!session || !claim.isGenuine(session.refresh_key)) return unknownRefreshToken();
        const now = this.clock.now();
        const { REFRESH_REUSE_SECONDS: reuse } = this.config;
        const ended = await this.endOf(manager, session, now);
        if (ended) return ended;
        const verdict = refreshVerdict(
          session.refresh_counter - claim.counter,
          now.getTime() - session.refreshed_at.getTime(),
          reuse * 1000,
          claim.counter < session.refresh_floor,
        );
        if (verdict === 'unknown') return unknownRefreshToken();
        if (verdict === 'outdated') return usedRefreshToken();
        if (verdict === 'stolen') {
          await manager.query('delete from sessions where id = $1', [session.id]);
          await this.events.record(session.user_id, 'session.reused_token', { manager });
          return usedRefreshToken();
        }
        const user = await userById(manager, session.user_id);
        if (!user) return unknownRefreshToken();
        if (isBanned(user, now)) return refreshBanned();
        if (verdict === 'rotate') {
          session.refresh_counter += 1;
          await manager.query('update sessions set refresh_counter = $2, refreshed_at = $3 where id = $1', [
            session.id,
            session.refresh_counter,
            now,
          ]);
        }
        return this.answer(user, session);
      })
      .catch((error: unknown) => {
        // Somebody else held the session for too long: that is no failure of ours, and a 5xx would make every tab ask for half a minute.
        if ((error as { code?: unknown }).code === '55P03') return conflict();
        throw error;
      });
    // Returned, not thrown, inside: the end of a stolen session must be committed.
    if (result instanceof Error) throw result;
    return result;
  }

  /** Why a session may not be refreshed any more, by the settings of auth-v1 section 4; null when it may. */
  private async endOf(manager: EntityManager, session: SessionRow, now: Date): Promise<Error | null> {
    const config = this.config;
    const isPast = (since: Date, seconds: number) => seconds > 0 && now.getTime() - since.getTime() > seconds * 1000;
    if (isPast(session.created_at, config.SESSION_TIMEBOX_SECONDS)) return sessionExpired();
    if (isPast(session.refreshed_at, config.SESSION_INACTIVITY_SECONDS)) return sessionExpired(' (Inactivity)');
    if (session.aal === 'aal1' && isPast(session.created_at, config.SESSION_LOW_AAL_SECONDS)) {
      const factors = await manager.query<unknown[]>(`select 1 from factors where user_id = $1 and status = 'verified' limit 1`, [
        session.user_id,
      ]);
      if (factors.length > 0) return sessionExpired(' (Low AAL: User Needs MFA Verification)');
    }
    if (config.SINGLE_SESSION) {
      const newer = await manager.query<unknown[]>('select 1 from sessions where user_id = $1 and created_at > $2 limit 1', [
        session.user_id,
        session.created_at,
      ]);
      if (newer.length > 0) return revokedByNewerLogin();
    }
    return null;
  }

  /**
   * The second factor was shown in this session: answers with its tokens of aal2. Its earlier refresh tokens are void, and the person's sessions
   * that have shown no second factor end.
   */
  async upgrade(
    manager: EntityManager,
    userId: string,
    sessionId: string,
    { factorId, method }: { factorId: string; method: string },
  ): Promise<Record<string, unknown>> {
    const [row] = await manager.query<Pick<SessionRow, 'amr'>[]>('select amr from sessions where id = $1 and user_id = $2 for update', [
      sessionId,
      userId,
    ]);
    if (!row) throw sessionNotFound();
    const now = this.clock.now();
    const amr = [{ method, timestamp: Math.floor(now.getTime() / 1000) }, ...row.amr.filter((entry) => entry.method !== method)];
    const [[session]] = await manager.query<[SessionRow[]]>(
      `update sessions set aal = 'aal2', amr = $2, factor_id = $3, refreshed_at = $4, refresh_counter = refresh_counter + 1,
        refresh_floor = refresh_counter + 1 where id = $1 returning *`,
      [sessionId, JSON.stringify(amr), factorId, now],
    );
    const [, ended] = await manager.query<[unknown, number]>(`delete from sessions where user_id = $1 and aal <> 'aal2'`, [userId]);
    if (ended > 0) await this.events.record(userId, 'session.ended', { manager });
    const user = await userById(manager, userId);
    if (!user || !session) throw userNotFound();
    return this.answer(user, session);
  }

  /** A factor goes: sessions that it had raised are of aal1 again, and their next token says so. */
  async degrade(manager: EntityManager, factorId: string, method: string): Promise<void> {
    await manager.query(
      `update sessions set aal = 'aal1', amr = (select coalesce(jsonb_agg(entry order by place), '[]')
        from jsonb_array_elements(amr) with ordinality as each (entry, place) where entry ->> 'method' <> $2) where factor_id = $1`,
      [factorId, method],
    );
  }

  /** The person and session behind a bearer. @throws AuthError as section 3 says. */
  async authenticate(authorization: string | undefined): Promise<AuthenticatedSession> {
    const { userId, sessionId, aal } = await this.tokens.verify(authorization);
    const user = await userById(this.dataSource.manager, userId);
    if (!user) throw userNotFound();
    const session = await this.find(sessionId, userId);
    if (!session) throw sessionNotFound();
    if (session.banned) throw userBanned(403);
    return { user, sessionId, aal: aal === 'aal2' && session.aal === 'aal2' ? 'aal2' : 'aal1', openedAt: session.created_at };
  }

  /** What the gateway asks about a session; null when it does not live (any more). */
  async state(sessionId: string): Promise<SessionState | null> {
    const session = await this.find(sessionId);
    if (!session || session.banned) return null;
    return { secondFactor: session.second_factor, secondFactorPending: session.second_factor && session.aal !== 'aal2' };
  }

  /** Whether the session has not ended, as the caller's transaction sees it. */
  async lives(manager: EntityManager, sessionId: string): Promise<boolean> {
    const rows = await manager.query<unknown[]>('select 1 from sessions where id = $1', [sessionId]);
    return rows.length > 0;
  }

  private async find(sessionId: string, userId?: string): Promise<LivingSession | undefined> {
    const rows = await this.dataSource.query<LivingSession[]>(
      `select s.aal, s.created_at, coalesce(u.banned_until > $3, false) as banned,
        exists (select 1 from factors f where f.user_id = s.user_id and f.status = 'verified') as second_factor
        from sessions s join users u on u.id = s.user_id
        where s.id = $1 and ($2::uuid is null or s.user_id = $2)`,
      [sessionId, userId ?? null, this.clock.now()],
    );
    return rows[0];
  }

  /** Ends sessions of a person. */
  async end(
    userId: string,
    sessionId: string,
    scope: 'global' | 'local' | 'others',
    manager: EntityManager = this.dataSource.manager,
  ): Promise<void> {
    const condition = { global: '', local: ' and id = $2', others: ' and id <> $2' }[scope];
    const [, ended] = await manager.query<[unknown, number]>(
      `delete from sessions where user_id = $1${condition}`,
      scope === 'global' ? [userId] : [userId, sessionId],
    );
    if (ended > 0) await this.events.record(userId, 'session.ended', { manager });
  }
}
