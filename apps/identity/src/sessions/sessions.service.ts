import { Clock, CONFIG } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type Origin } from '../account/origin.js';
import { SecurityEvents } from '../account/security-events.js';
import {
  conflict,
  sessionExpired,
  sessionNotFound,
  unknownRefreshToken,
  usedRefreshToken,
  malformedRefreshToken,
  userBanned,
  userNotFound,
} from '../auth/auth.errors.js';
import type { IdentityConfig } from '../config.js';
import { AccessTokens, type SessionClaims } from '../tokens/access-tokens.js';
import { userById } from '../users/user-store.js';
import { toUserView, type UserRecord } from '../users/user.view.js';
import { newRefreshKey, readRefreshToken, refreshToken } from './refresh-token.js';

/** How a session was opened. */
export type SignInMethod = 'password' | 'otp';

interface SessionRow {
  id: string;
  user_id: string;
  aal: 'aal1' | 'aal2';
  amr: SessionClaims['amr'];
  refresh_key: Buffer;
  refresh_counter: number;
  refreshed_at: Date;
  created_at: Date;
}

/** What a refresh does with a token that is `behind` refreshes older than the active one. */
export function refreshVerdict(behind: number, msSinceRefresh: number, reuseMs: number): 'rotate' | 'repeat' | 'stolen' | 'unknown' {
  if (behind < 0) return 'unknown';
  if (behind === 0) return 'rotate';
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
    const { token, expiresAt } = await this.tokens.sign(user, { id: session.id, aal: session.aal, amr: session.amr });
    return {
      access_token: token,
      token_type: 'bearer',
      expires_in: this.tokens.seconds,
      expires_at: expiresAt,
      refresh_token: refreshToken({ sessionId: session.id, counter: session.refresh_counter }, session.refresh_key),
      user: toUserView(user),
    };
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
        const { SESSION_TIMEBOX_SECONDS: timebox, REFRESH_REUSE_SECONDS: reuse } = this.config;
        if (timebox > 0 && now.getTime() - session.created_at.getTime() > timebox * 1000) return sessionExpired();
        const verdict = refreshVerdict(
          session.refresh_counter - claim.counter,
          now.getTime() - session.refreshed_at.getTime(),
          reuse * 1000,
        );
        if (verdict === 'unknown') return unknownRefreshToken();
        if (verdict === 'stolen') {
          await manager.query('delete from sessions where id = $1', [session.id]);
          await this.events.record(session.user_id, 'session.reused_token', { manager });
          return usedRefreshToken();
        }
        const user = await userById(manager, session.user_id);
        if (!user) return unknownRefreshToken();
        if (user.banned_until && user.banned_until > now) return userBanned();
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

  /** The person and session behind a bearer. @throws AuthError as section 3 says. */
  async authenticate(authorization: string | undefined): Promise<{ user: UserRecord; sessionId: string }> {
    const { userId, sessionId } = await this.tokens.verify(authorization);
    const user = await userById(this.dataSource.manager, userId);
    if (!user) throw userNotFound();
    if (!(await this.isAlive(sessionId, userId))) throw sessionNotFound();
    if (user.banned_until && user.banned_until > this.clock.now()) throw userBanned(403);
    return { user, sessionId };
  }

  async isAlive(sessionId: string, userId?: string): Promise<boolean> {
    const rows = await this.dataSource.query<unknown[]>(
      'select 1 from sessions s join users u on u.id = s.user_id where s.id = $1 and ($2::uuid is null or s.user_id = $2) and (u.banned_until is null or u.banned_until <= now())',
      [sessionId, userId ?? null],
    );
    return rows.length > 0;
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
