import { changedRows, rowOf, rowsOf } from '@decola/database';
import { Clock, CONFIG } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type Origin } from '../security-events/origin.js';
import { SecurityEvents } from '../security-events/security-events.service.js';
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
} from '../auth-protocol/auth.errors.js';
import type { IdentityConfig } from '../config/config.js';
import { hasSecondFactor } from '../users/factor.view.js';
import { AccessTokens, type SessionClaims } from '../tokens/access-tokens.service.js';
import { userById } from '../users/user-store.js';
import { isBanned, toUserView, type UserRecord } from '../users/user.view.js';
import { newRefreshKey, readRefreshToken, refreshToken } from './refresh-token.js';
import { refreshVerdict } from './refresh-verdict.js';

/** The person and session of a request to auth/v1. */
export interface AuthenticatedSession {
  user: UserRecord;
  sessionId: string;
  /** The lower level of token and session: a token issued at aal1 stays aal1 after its session reached aal2. */
  aal: 'aal1' | 'aal2';
  openedAt: Date;
}

/** Facts of an active session. */
export interface SessionState {
  /** The person has a verified second factor. */
  secondFactor: boolean;
  /** That factor has not been used in this session. */
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

interface ActiveSession {
  aal: 'aal1' | 'aal2';
  banned: boolean;
  created_at: Date;
  second_factor: boolean;
}

/** Opens, refreshes, checks and ends sessions. */
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
    const session = await rowOf<SessionRow>(
      manager,
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

  /** Lifetime of an access token. At aal1 it ends with the time that the session may go without the second factor. */
  private accessSeconds(user: UserRecord, session: SessionRow, now: Date): number {
    const { ACCESS_TOKEN_SECONDS: usual, SESSION_LOW_AAL_SECONDS: limit } = this.config;
    if (limit === 0 || session.aal !== 'aal1' || !hasSecondFactor(user)) return usual;
    const left = Math.floor((session.created_at.getTime() - now.getTime()) / 1000) + limit;
    return Math.max(1, Math.min(usual, left));
  }

  /**
   * Answers a refresh token with new tokens. A reused token ends its session, although the call fails.
   * @throws AuthError by the table of auth-v1, section 4
   */
  async refresh(token: string): Promise<Record<string, unknown>> {
    const claim = readRefreshToken(token);
    if (!claim) throw malformedRefreshToken();
    const result = await this.dataSource
      .transaction(async (manager) => {
        // Refreshes of one session run one after another, so that there is one active token.
        await manager.query(`set local lock_timeout = '5s'`);
        const session = await rowOf<SessionRow>(manager, 'select * from sessions where id = $1 for update', [claim.sessionId]);
        if (!session || !claim.isGenuine(session.refresh_key)) return unknownRefreshToken();
        const now = this.clock.now();
        const { REFRESH_REUSE_SECONDS: reuse } = this.config;
        const refusal = await this.expiryOf(manager, session, now);
        if (refusal) return refusal;
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
        // Another refresh held the lock for too long. A 5xx would make every tab of the client retry for half a minute.
        if ((error as { code?: unknown }).code === '55P03') return conflict();
        throw error;
      });
    // The transaction returns refusals instead of throwing them, because the deletion of a stolen session must be committed.
    if (result instanceof Error) throw result;
    return result;
  }

  /** The refusal when a session may no longer be refreshed by the settings of auth-v1, section 4; null when it may. */
  private async expiryOf(manager: EntityManager, session: SessionRow, now: Date): Promise<Error | null> {
    const config = this.config;
    const isPast = (since: Date, seconds: number) => seconds > 0 && now.getTime() - since.getTime() > seconds * 1000;
    if (isPast(session.created_at, config.SESSION_TIMEBOX_SECONDS)) return sessionExpired();
    if (isPast(session.refreshed_at, config.SESSION_INACTIVITY_SECONDS)) return sessionExpired(' (Inactivity)');
    if (session.aal === 'aal1' && isPast(session.created_at, config.SESSION_LOW_AAL_SECONDS)) {
      const factors = await rowsOf<unknown>(manager, `select 1 from factors where user_id = $1 and status = 'verified' limit 1`, [
        session.user_id,
      ]);
      if (factors.length > 0) return sessionExpired(' (Low AAL: User Needs MFA Verification)');
    }
    if (config.SINGLE_SESSION) {
      const newer = await rowsOf<unknown>(manager, 'select 1 from sessions where user_id = $1 and created_at > $2 limit 1', [
        session.user_id,
        session.created_at,
      ]);
      if (newer.length > 0) return revokedByNewerLogin();
    }
    return null;
  }

  /**
   * Raises a session to aal2 after a correct code, and answers with its new tokens. Its earlier refresh tokens become void, and the
   * person's sessions at aal1 end.
   */
  async upgrade(
    manager: EntityManager,
    userId: string,
    sessionId: string,
    { factorId, method }: { factorId: string; method: string },
  ): Promise<Record<string, unknown>> {
    const row = await rowOf<Pick<SessionRow, 'amr'>>(manager, 'select amr from sessions where id = $1 and user_id = $2 for update', [
      sessionId,
      userId,
    ]);
    if (!row) throw sessionNotFound();
    const now = this.clock.now();
    const amr = [{ method, timestamp: Math.floor(now.getTime() / 1000) }, ...row.amr.filter((entry) => entry.method !== method)];
    const session = await rowOf<SessionRow>(
      manager,
      `update sessions set aal = 'aal2', amr = $2, factor_id = $3, refreshed_at = $4, refresh_counter = refresh_counter + 1,
        refresh_floor = refresh_counter + 1 where id = $1 returning *`,
      [sessionId, JSON.stringify(amr), factorId, now],
    );
    const ended = await changedRows(manager, `delete from sessions where user_id = $1 and aal <> 'aal2'`, [userId]);
    if (ended > 0) await this.events.record(userId, 'session.ended', { manager });
    const user = await userById(manager, userId);
    if (!user || !session) throw userNotFound();
    return this.answer(user, session);
  }

  /** Returns the sessions that a factor had raised to aal1, before the factor is removed. Their next access token says so. */
  async degrade(manager: EntityManager, factorId: string, method: string): Promise<void> {
    await manager.query(
      `update sessions set aal = 'aal1', amr = (select coalesce(jsonb_agg(entry order by place), '[]')
        from jsonb_array_elements(amr) with ordinality as each (entry, place) where entry ->> 'method' <> $2) where factor_id = $1`,
      [factorId, method],
    );
  }

  /** Finds the person and session of an `Authorization` header. @throws AuthError by the table of auth-v1, section 3 */
  async authenticate(authorization: string | undefined): Promise<AuthenticatedSession> {
    const { userId, sessionId, aal } = await this.tokens.verify(authorization);
    const user = await userById(this.dataSource.manager, userId);
    if (!user) throw userNotFound();
    const session = await this.find(sessionId, userId);
    if (!session) throw sessionNotFound();
    if (session.banned) throw userBanned(403);
    return { user, sessionId, aal: aal === 'aal2' && session.aal === 'aal2' ? 'aal2' : 'aal1', openedAt: session.created_at };
  }

  /** Null when the session has ended or its person is banned. */
  async state(sessionId: string): Promise<SessionState | null> {
    const session = await this.find(sessionId);
    if (!session || session.banned) return null;
    return { secondFactor: session.second_factor, secondFactorPending: session.second_factor && session.aal !== 'aal2' };
  }

  /** Whether the session still exists, as the caller's transaction sees it. */
  async isActive(manager: EntityManager, sessionId: string): Promise<boolean> {
    const rows = await rowsOf<unknown>(manager, 'select 1 from sessions where id = $1', [sessionId]);
    return rows.length > 0;
  }

  private async find(sessionId: string, userId?: string): Promise<ActiveSession | undefined> {
    const rows = await rowsOf<ActiveSession>(
      this.dataSource,
      `select s.aal, s.created_at, coalesce(u.banned_until > $3, false) as banned,
        exists (select 1 from factors f where f.user_id = s.user_id and f.status = 'verified') as second_factor
        from sessions s join users u on u.id = s.user_id
        where s.id = $1 and ($2::uuid is null or s.user_id = $2)`,
      [sessionId, userId ?? null, this.clock.now()],
    );
    return rows[0];
  }

  /** Ends sessions of a person: all of them (`global`), this one (`local`) or all but this one (`others`). */
  async end(
    userId: string,
    /** Not used by `global`. */
    sessionId: string | null,
    scope: 'global' | 'local' | 'others',
    manager: EntityManager = this.dataSource.manager,
  ): Promise<void> {
    const condition = { global: '', local: ' and id = $2', others: ' and id <> $2' }[scope];
    const ended = await changedRows(
      manager,
      `delete from sessions where user_id = $1${condition}`,
      scope === 'global' ? [userId] : [userId, sessionId],
    );
    if (ended > 0) await this.events.record(userId, 'session.ended', { manager });
  }
}
