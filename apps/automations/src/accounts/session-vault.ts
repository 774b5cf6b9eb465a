import { type NetworkCookie, type ParsedSession, parseSessionCookies } from '@decola/contracts';
import { Sealer } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Database, rowOf } from '../rows.js';
import { accountKeyOf } from './account-key.js';
import type { SessionChecks } from './session-checks.js';

export interface StoredSession {
  /** Id of the row in instagram_sessions, and additional data of its envelope. */
  sessionId: string;
  accountKey: string;
  networkUserId: string;
}

type GoodSession = Extract<ParsedSession, { ok: true }>;

/** The only place that sees a session in the clear, for the moment between the request and the seal. */
@Injectable()
export class SessionVault {
  constructor(
    private readonly sealer: Sealer,
    private readonly pepper: string,
    private readonly checks: SessionChecks,
  ) {}

  accountKeyOf(networkUserId: string): string {
    return accountKeyOf(networkUserId, this.pepper);
  }

  /** Reads what a client sent as `cookies`: a text, parsed JSON, or an object with `raw_cookie`. */
  read(cookies: unknown, now: Date): ParsedSession {
    return parseSessionCookies(typeof cookies === 'string' ? cookies : (JSON.stringify(cookies) ?? ''), now);
  }

  /**
   * Seals a session, makes it the one that this customer's automations of the account use, and has it checked. The one before is forgotten.
   * @param rowId a row of instagram_sessions that waits for its session; without one a row is made
   */
  async store(db: EntityManager, userId: string, session: GoodSession, now: Date, rowId?: string): Promise<StoredSession> {
    const { networkUserId } = session;
    const accountKey = this.accountKeyOf(networkUserId);
    await db.query(`insert into network_accounts (account_key, first_seen_at) values ($1, $2) on conflict do nothing`, [accountKey, now]);
    // Serialises two sessions of one account that arrive at once.
    await db.query(`select 1 from network_accounts where account_key = $1 for update`, [accountKey]);
    await db.query(
      `update instagram_sessions set is_active = false, envelope = null, ended_at = $3, ended_cause = 'replaced'
       where user_id = $1 and account_key = $2 and (is_active or envelope is not null) and id is distinct from $4`,
      [userId, accountKey, now, rowId ?? null],
    );
    const row = rowId
      ? { id: rowId }
      : await rowOf<{ id: string }>(
          db,
          `insert into instagram_sessions (user_id, is_active, created_at) values ($1, false, $2) returning id`,
          [userId, now],
        );
    if (!row) throw new Error('no row was made for the session');
    const envelope = this.seal(session.cookies, row.id);
    await db.query(
      `update instagram_sessions s set account_key = $2, network_user_id = $3, envelope = $4, is_active = true, created_at = $5, ended_at = null,
         ended_cause = null, cookies = null,
         username = coalesce((select '@' || a.username from network_accounts a where a.account_key = $2 and a.username is not null), $3)
       where s.id = $1`,
      [row.id, accountKey, networkUserId, envelope, now],
    );
    await this.checks.begin(db, { id: row.id, userId, accountKey, networkUserId, envelope }, now);
    return { sessionId: row.id, accountKey, networkUserId };
  }

  private seal(cookies: readonly NetworkCookie[], sessionId: string): string {
    return this.sealer.seal(JSON.stringify(cookies), sessionId);
  }
}

/** True when the customer has a session of the account that the network still takes, as far as we know. */
export async function hasUsableSession(db: Database, userId: string, accountKey: string): Promise<boolean> {
  const found = await rowOf(
    db,
    `select 1 from instagram_sessions s join network_accounts a using (account_key)
     where s.user_id = $1 and s.account_key = $2 and s.is_active and s.envelope is not null
       and s.created_at > coalesce(a.session_needed_since, '-infinity')`,
    [userId, accountKey],
  );
  return found !== undefined;
}
