import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { Clock, CONFIG, type KeyRing, parseKeyRing } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { IdentityConfig } from '../config.js';
import { lockUser } from '../users/user-store.js';
import type { Challenge } from './pkce.js';

export type TokenPurpose = 'signup' | 'recovery' | 'magiclink' | 'email_change' | 'reauthentication';

export interface OneTimeToken {
  user_id: string;
  purpose: TokenPurpose;
  email: string;
  code_challenge: string | null;
  code_challenge_method: 's256' | 'plain' | null;
  created_at: Date;
}

type StoredToken = OneTimeToken & { id: string; code_digest: Buffer; wrong_tries: number };

/** Six digits are few: after so many wrong ones the mail's code is void. Its link, which nobody guesses, goes on. */
const mostWrongTries = 5;

/**
 * The token of a link: 56 hex digits, marked when the request carried a challenge (auth-v1, 7.1). It is random and not made from the
 * code, whose million values anybody could try.
 */
function newLinkToken(isPkce: boolean): string {
  return `${isPkce ? 'pkce_' : ''}${randomBytes(28).toString('hex')}`;
}

/** At rest there is only a digest of what the link carries. */
function digestOfLink(token: string): Buffer {
  return createHash('sha256')
    .update(token.replace(/^pkce_/, ''))
    .digest();
}

/**
 * Codes and links that work once. A new one of a kind replaces the last. Everybody who changes a person and their tokens in one transaction locks
 * the person first: two who wait for each other's rows would end in an error for one of them.
 */
@Injectable()
export class OneTimeTokens {
  private readonly keys: KeyRing;

  constructor(
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: IdentityConfig,
  ) {
    this.keys = parseKeyRing(config.MAIL_KEY_RING);
  }

  /** Makes a new code and link. The caller has locked the person (`lockUser`, or a change of their row). */
  async create(
    manager: EntityManager,
    userId: string,
    purpose: TokenPurpose,
    email: string,
    challenge: Challenge | null,
  ): Promise<{ code: string; token: string }> {
    const code = String(randomInt(0, 1_000_000)).padStart(6, '0');
    const token = newLinkToken(challenge !== null);
    const [codeDigest] = this.digestsOfCode(purpose, email, code);
    await manager.query('delete from one_time_tokens where user_id = $1 and purpose = $2', [userId, purpose]);
    await manager.query(
      `insert into one_time_tokens (user_id, purpose, token_digest, code_digest, email, code_challenge, code_challenge_method, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8)
       -- Asked for twice at the same moment: the later one counts.
       on conflict (user_id, purpose) do update set token_digest = excluded.token_digest, code_digest = excluded.code_digest, email = excluded.email,
         code_challenge = excluded.code_challenge, code_challenge_method = excluded.code_challenge_method, created_at = excluded.created_at, wrong_tries = 0,
         link_followed_at = null`,
      [userId, purpose, digestOfLink(token), codeDigest, email, challenge?.challenge ?? null, challenge?.method ?? null, this.clock.now()],
    );
    return { code, token };
  }

  /**
   * Locks the person of a link and follows it, once. The code of its mail goes on: what followed the link may have been a scanner of the mail provider, and then the
   * code is the person's way in (decision 0012). @returns null when the link is unknown, used or too old.
   */
  async takeByLink(manager: EntityManager, token: string, purposes: readonly TokenPurpose[]): Promise<OneTimeToken | null> {
    const [holder] = await manager.query<Pick<OneTimeToken, 'user_id'>[]>(
      'select user_id from one_time_tokens where token_digest = $1 and purpose = any($2)',
      [digestOfLink(token), purposes],
    );
    if (!holder || !(await lockUser(manager, holder.user_id))) return null;
    const [rows] = await manager.query<[OneTimeToken[], number]>(
      `update one_time_tokens set link_followed_at = $3 where token_digest = $1 and purpose = any($2) and link_followed_at is null returning *`,
      [digestOfLink(token), purposes, this.clock.now()],
    );
    return this.fresh(rows[0]);
  }

  /**
   * Locks the person and takes a code that they typed for their address, and its link with it. A wrong one is counted: the caller commits, although it refuses.
   * @returns null when it is wrong, used or too old.
   */
  async takeByCode(manager: EntityManager, email: string, code: string, purposes: readonly TokenPurpose[]): Promise<OneTimeToken | null> {
    // Several people may want the same new address.
    const holders = await manager.query<Pick<OneTimeToken, 'user_id'>[]>(
      'select distinct user_id from one_time_tokens where email = $1 and purpose = any($2) order by user_id',
      [email, purposes],
    );
    const locked = holders.map(({ user_id: userId }) => userId);
    for (const userId of locked) await lockUser(manager, userId);
    // What somebody else was sent since is not tried: nobody could have typed it yet.
    const stored = await manager.query<StoredToken[]>(
      'select * from one_time_tokens where email = $1 and purpose = any($2) and user_id = any($3) order by id for update',
      [email, purposes, locked],
    );
    let taken: StoredToken | undefined;
    for (const token of stored) if (this.isCodeOf(token, code)) taken = token;
    if (taken) await manager.query('delete from one_time_tokens where id = $1', [taken.id]);
    else await manager.query('update one_time_tokens set wrong_tries = wrong_tries + 1 where id = any($1)', [stored.map(({ id }) => id)]);
    return this.fresh(taken);
  }

  private isCodeOf({ purpose, email, code_digest: kept, wrong_tries: tries }: StoredToken, code: string): boolean {
    if (tries >= mostWrongTries) return false;
    return this.digestsOfCode(purpose, email, code).some((digest) => timingSafeEqual(digest, kept));
  }

  /** A code's digest under every key of the ring, the active one first: a rotation spoils no mail that is on its way. */
  private digestsOfCode(purpose: TokenPurpose, email: string, code: string): Buffer[] {
    const active = this.keys.keys.get(this.keys.activeId)!;
    const others = [...this.keys.keys.values()].filter((key) => key !== active);
    return [active, ...others].map((key) => createHmac('sha256', key).update(`code\n${purpose}\n${email}\n${code}`).digest());
  }

  private fresh(found: OneTimeToken | undefined): OneTimeToken | null {
    if (!found) return null;
    const ageSeconds = (this.clock.now().getTime() - found.created_at.getTime()) / 1000;
    return ageSeconds <= this.config.MAIL_TOKEN_SECONDS ? found : null;
  }

  /** Whether a mail for this purpose can still be answered. */
  async isWaiting(manager: EntityManager, userId: string, purpose: TokenPurpose): Promise<boolean> {
    const [found] = await manager.query<OneTimeToken[]>('select * from one_time_tokens where user_id = $1 and purpose = $2', [
      userId,
      purpose,
    ]);
    return this.fresh(found) !== null;
  }

  clear(manager: EntityManager, userId: string): Promise<unknown> {
    return manager.query('delete from one_time_tokens where user_id = $1', [userId]);
  }
}
