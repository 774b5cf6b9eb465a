import { type Database, rowOf } from '@decola/database';
import { Clock } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import { TokenSeals } from './token-seals.js';

/** The tokens that sign what a customer's sites are sent. */
export interface SigningTokens {
  current: string;
  /** Names the current token without telling anything about it. */
  fingerprint: string;
  /** The token before, as long as it signs along. */
  previous: string | null;
}

/** Which tokens sign. A token that was replaced signs along until every site has proven to know the new one, at most seven days. */
@Injectable()
export class SigningTokensService {
  constructor(
    private readonly seals: TokenSeals,
    private readonly clock: Clock,
  ) {}

  /** @returns null when the customer has no token. @throws UnknownKeyError when this replica lacks the token's key */
  async of(db: Database, userId: string): Promise<SigningTokens | null> {
    const row = await rowOf<{ token: string; fingerprint: string; previous_sealed: string | null; previous_until: Date | null }>(
      db,
      `select token, coalesce(fingerprint, id::text) as fingerprint, previous_sealed, previous_until from user_tokens
       where user_id = $1 and token_type = 'webhook'`,
      [userId],
    );
    const current = row ? this.seals.decode(row.token, userId) : null;
    if (!row || !current) return null;
    const signsAlong = row.previous_sealed !== null && row.previous_until !== null && row.previous_until > this.clock.now();
    return { current, fingerprint: row.fingerprint, previous: signsAlong ? this.seals.decode(row.previous_sealed!, userId) : null };
  }

  /** Forgets the token before when every site of the customer that answered with our plugin has proven to know the new one. */
  async settle(db: Database, userId: string): Promise<void> {
    await db.query(
      `update user_tokens t set previous_sealed = null, previous_until = null
       where t.user_id = $1 and t.token_type = 'webhook' and t.previous_sealed is not null and not exists (
         select 1 from sites s where s.user_id = t.user_id and s.kind = 'plugin'
           and s.proven_fingerprint is distinct from coalesce(t.fingerprint, t.id::text))`,
      [userId],
    );
  }

  /** Forgets the token before at once. */
  async revoke(db: Database, userId: string): Promise<void> {
    await db.query(`update user_tokens set previous_sealed = null, previous_until = null where user_id = $1 and token_type = 'webhook'`, [
      userId,
    ]);
  }
}
