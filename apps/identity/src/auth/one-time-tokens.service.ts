import { rowOf, rowsOf } from '@decola/database';
import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { Clock, CONFIG, type KeyRing, parseKeyRing } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { IdentityConfig } from '../config/config.js';
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

type TokenRow = OneTimeToken & { id: string; code_digest: Buffer; wrong_tries: number };

/** Wrong codes after which a mail's six digits are void. Its link cannot be guessed and stays valid. */
const maxWrongTries = 5;

/**
 * The token of a link: 56 hex digits, with a prefix when the request carried a PKCE challenge (auth-v1, 7.1). It is random, because a token
 * derived from the code would reveal the code to whoever tries all million.
 */
function newLinkToken(isPkce: boolean): string {
  return `${isPkce ? 'pkce_' : ''}${randomBytes(28).toString('hex')}`;
}

/** The database stores only this digest of a link's token. */
function digestOfLink(token: string): Buffer {
  return createHash('sha256')
    .update(token.replace(/^pkce_/, ''))
    .digest();
}

/**
 * Codes and links that work once. A new one of a purpose replaces the last. A transaction that changes both a person and their tokens locks
 * the person first (`lockUser`), so that two of them cannot deadlock.
 */
@Injectable()
export class OneTimeTokens {
  private readonly keys: KeyRing;

  constructor(
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: IdentityConfig,
  ) {
    this.keys = parseKeyRing(config.MAIL_KEY_RING, 'MAIL_KEY_RING');
  }

  /** Creates a code and a link. The caller has locked the person (`lockUser`, or an update of their row). */
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
       -- Two requests at the same moment: the later one wins.
       on conflict (user_id, purpose) do update set token_digest = excluded.token_digest, code_digest = excluded.code_digest, email = excluded.email,
         code_challenge = excluded.code_challenge, code_challenge_method = excluded.code_challenge_method, created_at = excluded.created_at, wrong_tries = 0,
         link_followed_at = null`,
      [userId, purpose, digestOfLink(token), codeDigest, email, challenge?.challenge ?? null, challenge?.method ?? null, this.clock.now()],
    );
    return { code, token };
  }

  /**
   * Redeems a link, once, and locks its person. The code of the same mail stays valid: a link scanner of the mail provider may have
   * followed the link, and then the person still gets in by the code (decision 0012).
   * @returns null when the link is unknown, used or expired
   */
  async redeemLink(manager: EntityManager, token: string, purposes: readonly TokenPurpose[]): Promise<OneTimeToken | null> {
    const holder = await rowOf<Pick<OneTimeToken, 'user_id'>>(
      manager,
      'select user_id from one_time_tokens where token_digest = $1 and purpose = any($2)',
      [digestOfLink(token), purposes],
    );
    if (!holder || !(await lockUser(manager, holder.user_id))) return null;
    const rows = await rowsOf<OneTimeToken>(
      manager,
      `update one_time_tokens set link_followed_at = $3 where token_digest = $1 and purpose = any($2) and link_followed_at is null returning *`,
      [digestOfLink(token), purposes, this.clock.now()],
    );
    return this.unlessExpired(rows[0]);
  }

  /**
   * Redeems a code that was typed for an address, together with its link, and locks the person. Counts a wrong code, so the caller commits
   * even when it refuses.
   * @returns null when the code is wrong, used or expired
   */
  async redeemCode(manager: EntityManager, email: string, code: string, purposes: readonly TokenPurpose[]): Promise<OneTimeToken | null> {
    // Several people may have requested a change to the same new address.
    const holders = await rowsOf<Pick<OneTimeToken, 'user_id'>>(
      manager,
      'select distinct user_id from one_time_tokens where email = $1 and purpose = any($2) order by user_id',
      [email, purposes],
    );
    const locked = holders.map(({ user_id: userId }) => userId);
    for (const userId of locked) await lockUser(manager, userId);
    // Only tokens of the locked people: one that was sent since then cannot have been typed yet.
    const stored = await rowsOf<TokenRow>(
      manager,
      'select * from one_time_tokens where email = $1 and purpose = any($2) and user_id = any($3) order by id for update',
      [email, purposes, locked],
    );
    let found: TokenRow | undefined;
    for (const token of stored) if (this.isCodeOf(token, code)) found = token;
    if (found) await manager.query('delete from one_time_tokens where id = $1', [found.id]);
    else await manager.query('update one_time_tokens set wrong_tries = wrong_tries + 1 where id = any($1)', [stored.map(({ id }) => id)]);
    return this.unlessExpired(found);
  }

  private isCodeOf({ purpose, email, code_digest: expected, wrong_tries: tries }: TokenRow, code: string): boolean {
    if (tries >= maxWrongTries) return false;
    return this.digestsOfCode(purpose, email, code).some((digest) => timingSafeEqual(digest, expected));
  }

  /** Digests of a code under every key of the ring, the active one first: codes from before a key rotation stay valid. */
  private digestsOfCode(purpose: TokenPurpose, email: string, code: string): Buffer[] {
    const active = this.keys.keys.get(this.keys.activeId)!;
    const others = [...this.keys.keys.values()].filter((key) => key !== active);
    return [active, ...others].map((key) => createHmac('sha256', key).update(`code\n${purpose}\n${email}\n${code}`).digest());
  }

  private unlessExpired(found: OneTimeToken | undefined): OneTimeToken | null {
    if (!found) return null;
    const ageSeconds = (this.clock.now().getTime() - found.created_at.getTime()) / 1000;
    return ageSeconds <= this.config.MAIL_TOKEN_SECONDS ? found : null;
  }

  /** Whether the person has an unexpired token of this purpose. */
  async isPending(manager: EntityManager, userId: string, purpose: TokenPurpose): Promise<boolean> {
    const found = await rowOf<OneTimeToken>(manager, 'select * from one_time_tokens where user_id = $1 and purpose = $2', [
      userId,
      purpose,
    ]);
    return this.unlessExpired(found) !== null;
  }

  /** Deletes the person's tokens. @param except a purpose whose token stays valid */
  clear(manager: EntityManager, userId: string, except: TokenPurpose | null = null): Promise<unknown> {
    return manager.query('delete from one_time_tokens where user_id = $1 and purpose is distinct from $2', [userId, except]);
  }
}
