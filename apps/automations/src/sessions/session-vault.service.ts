import { type NetworkCookie, type ParsedSession, parseSessionCookies } from '@decola/contracts';
import { type Database, rowOf, rowsOf, type SealedColumn } from '@decola/database';
import { Sealer } from '@decola/service-kit';
import { refusedFor } from '@decola/table-api';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { accountKeyOf, sessionFingerprintOf, targetKeyOf } from '../accounts/account-key.js';
import { isProven } from '../accounts/account-proof.js';
import { endStop, stopOf } from '../accounts/session-stops.js';
import { refusalOfSameSession } from './same-session.js';
import type { SessionChecks } from './session-checks.service.js';

export interface StoredSession {
  /** Id of the row in instagram_sessions, which is also the additional data of its envelope. */
  sessionId: string;
  accountKey: string;
  networkUserId: string;
  /** The session was given after a stop: automations wait until a visit finds it good. */
  isHeld: boolean;
}

type ReadableSession = Extract<ParsedSession, { ok: true }>;

/** Seals sessions before they are stored. Apart from the worker, nothing else handles them in plain text. */
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

  /** What the ledger keeps instead of a person's id after the customer was erased. */
  targetKeyOf(accountKey: string, targetId: string): string {
    return targetKeyOf(accountKey, targetId, this.pepper);
  }

  /** Parses what a client sent as `cookies`: text, JSON, or an object with `raw_cookie`. */
  parse(cookies: unknown, now: Date): ParsedSession {
    return parseSessionCookies(typeof cookies === 'string' ? cookies : (JSON.stringify(cookies) ?? ''), now);
  }

  /**
   * Seals and stores a session as the active one of this customer for the account, and has it checked. The session before it is deleted. After
   * a challenge or a suspension it is held until the check.
   * @param rowId the row of instagram_sessions that gets the session; without it a row is inserted
   * @throws RestError P0001 with the sentence for the customer when the session ended, met a stop that is not over, or is one too many today
   */
  async store(db: EntityManager, userId: string, session: ReadableSession, now: Date, rowId?: string): Promise<StoredSession> {
    const { networkUserId } = session;
    const accountKey = this.accountKeyOf(networkUserId);
    await this.checks.lockTries(db, userId);
    await db.query(
      `insert into network_accounts (account_key, first_seen_at) values ($1, $2)
       on conflict (account_key) do update set left_at = null where network_accounts.left_at is not null`,
      [accountKey, now],
    );
    // Serialises concurrent sessions of one account.
    await db.query(`select 1 from network_accounts where account_key = $1 for update`, [accountKey]);
    const fingerprint = this.fingerprintOf(session.cookies);
    await this.fillFingerprints(db, accountKey);
    const refused = await refusalOfSameSession(db, { userId, accountKey, fingerprint }, now);
    if (refused) throw refusedFor(refused);
    await db.query(
      `insert into instagram_accounts (user_id, account_key, network_user_id, created_at, proven_at) values ($1, $2, $3, $4, $5)
       on conflict (user_id, account_key) do update set proven_at = excluded.proven_at
       where instagram_accounts.proven_at is null and excluded.proven_at is not null`,
      // Without visits nothing can prove the account, so it counts as proven.
      [userId, accountKey, networkUserId, now, this.checks.isEnabled ? null : now],
    );
    const stop = this.checks.isEnabled ? await stopOf(db, userId, accountKey) : null;
    // The page sends the session of a new automation twice: in its configuration, and as a session of its own.
    const visit = await this.checks.runningVisitOf(db, { userId, accountKey, fingerprint, isHeld: stop !== null }, now);
    if (!visit) await this.checks.requireTryLeft(db, userId, now);

    // Ends the previous session. The cause of its end is the stop for a kept session that was activated again, else `replaced`; a session
    // that had ended before keeps its cause.
    await db.query(
      `update instagram_sessions set is_active = false, envelope = null, envelope_until = null, held_cause = null, check_again_at = null,
         ended_at = case when is_active then $3 else coalesce(ended_at, $3) end,
         ended_cause = case when not is_active then coalesce(ended_cause, 'replaced') when envelope_until is not null then held_cause
           else 'replaced' end
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
    if (!row) throw new Error('no row was inserted for the session');
    const envelope = this.seal(session.cookies, row.id);
    await db.query(
      `update instagram_sessions s set account_key = $2, network_user_id = $3, envelope = $4, is_active = true, created_at = $5, ended_at = null,
         ended_cause = null, cookies = null, fingerprint = $6, held_cause = $7, envelope_until = null, check_again_at = null, check_attempts = 0,
         username = coalesce((select '@' || a.username from network_accounts a where a.account_key = $2 and a.username is not null and $8), $3)
       where s.id = $1`,
      [row.id, accountKey, networkUserId, envelope, now, fingerprint, stop, await isProven(db, userId, accountKey)],
    );
    if (!stop) await endStop(db, userId, accountKey, now);
    if (visit) await this.checks.moveVisit(db, visit, row.id);
    else
      await this.checks.begin(db, { id: row.id, userId, accountKey, networkUserId, envelope }, now, {
        isHeld: stop !== null,
        isPasted: true,
      });
    return { sessionId: row.id, accountKey, networkUserId, isHeld: stop !== null };
  }

  private seal(cookies: readonly NetworkCookie[], sessionId: string): string {
    return this.sealer.seal(JSON.stringify(cookies), sessionId);
  }

  private fingerprintOf(cookies: readonly NetworkCookie[]): string {
    const sessionid = cookies.find(({ name }) => name === 'sessionid');
    if (!sessionid) throw new Error('a session without the cookie sessionid');
    return sessionFingerprintOf(sessionid.value, this.pepper);
  }

  /** Adds fingerprints to sessions that were stored before there were any. */
  private async fillFingerprints(db: Database, accountKey: string): Promise<void> {
    const rows = await rowsOf<{ id: string; envelope: string }>(
      db,
      `select id, envelope from instagram_sessions where account_key = $1 and fingerprint is null and envelope is not null`,
      [accountKey],
    );
    for (const { id, envelope } of rows) {
      const cookies = JSON.parse(this.sealer.open(envelope, id)) as NetworkCookie[];
      await db.query(`update instagram_sessions set fingerprint = $2 where id = $1`, [id, this.fingerprintOf(cookies)]);
    }
  }
}

/** Whether the customer has an active session of the account. The network may have ended it without our knowledge. */
export async function hasUsableSession(db: Database, userId: string, accountKey: string): Promise<boolean> {
  const found = await rowOf(
    db,
    `select 1 from instagram_sessions s where s.user_id = $1 and s.account_key = $2 and s.is_active and s.envelope is not null`,
    [userId, accountKey],
  );
  return found !== undefined;
}

/** For `keys.command.ts`: the sessions, and the copies in jobs that the broker does not have yet. */
export const sealedSessions: readonly SealedColumn[] = [
  { table: 'instagram_sessions', column: 'envelope', reseal: { key: { id: 'uuid' }, additionalData: ({ id }) => id! } },
  {
    table: 'outbox',
    column: `(payload->'session'->>'envelope')`,
    where: `kind = 'job' and sent_at is null and payload->'session'->>'envelope' is not null`,
  },
];
