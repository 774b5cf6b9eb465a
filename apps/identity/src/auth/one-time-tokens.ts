import { createHash, randomInt } from 'node:crypto';
import { Clock, CONFIG } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { IdentityConfig } from '../config.js';
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

/** The token of a link: hex SHA-224 of address and code, marked when the request carried a challenge (auth-v1, 7.1). */
function linkToken(email: string, code: string, isPkce: boolean): string {
  return `${isPkce ? 'pkce_' : ''}${createHash('sha224')
    .update(email + code)
    .digest('hex')}`;
}

/** At rest there is only a digest of what the link carries. */
function digest(token: string): Buffer {
  return createHash('sha256')
    .update(token.replace(/^pkce_/, ''))
    .digest();
}

/** Codes and links that work once. A new one of a kind replaces the last. */
@Injectable()
export class OneTimeTokens {
  constructor(
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: IdentityConfig,
  ) {}

  async create(
    manager: EntityManager,
    userId: string,
    purpose: TokenPurpose,
    email: string,
    challenge: Challenge | null,
  ): Promise<{ code: string; token: string }> {
    const code = String(randomInt(0, 1_000_000)).padStart(6, '0');
    const token = linkToken(email, code, challenge !== null);
    await manager.query('delete from one_time_tokens where user_id = $1 and purpose = $2', [userId, purpose]);
    await manager.query(
      'insert into one_time_tokens (user_id, purpose, token_digest, email, code_challenge, code_challenge_method, created_at) values ($1, $2, $3, $4, $5, $6, $7)',
      [userId, purpose, digest(token), email, challenge?.challenge ?? null, challenge?.method ?? null, this.clock.now()],
    );
    return { code, token };
  }

  /** Takes a link's token out of the world; null when it is unknown, used or too old. */
  takeByLink(manager: EntityManager, token: string, purposes: readonly TokenPurpose[]): Promise<OneTimeToken | null> {
    return this.take(manager, 'token_digest = $1 and purpose = any($2)', [digest(token), purposes]);
  }

  /** Takes a code that a person typed for their address. */
  takeByCode(manager: EntityManager, email: string, code: string, purposes: readonly TokenPurpose[]): Promise<OneTimeToken | null> {
    return this.take(manager, 'token_digest = $1 and purpose = any($2) and email = $3', [
      digest(linkToken(email, code, false)),
      purposes,
      email,
    ]);
  }

  private async take(manager: EntityManager, condition: string, values: unknown[]): Promise<OneTimeToken | null> {
    const [rows] = await manager.query<[OneTimeToken[], number]>(`delete from one_time_tokens where ${condition} returning *`, values);
    const [found] = rows;
    if (!found) return null;
    const ageSeconds = (this.clock.now().getTime() - found.created_at.getTime()) / 1000;
    return ageSeconds <= this.config.MAIL_TOKEN_SECONDS ? found : null;
  }

  clear(manager: EntityManager, userId: string): Promise<unknown> {
    return manager.query('delete from one_time_tokens where user_id = $1', [userId]);
  }
}
