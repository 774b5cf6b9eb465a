import { changedRows, rowOf } from '@decola/database';
import { createHash, randomUUID } from 'node:crypto';
import { Clock } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { SignInMethod } from '../sessions/sessions.service.js';
import { lockUser } from '../users/user-store.js';
import type { UserRecord } from '../users/user.view.js';
import { AuthError } from '../auth-protocol/auth.errors.js';
import { type Challenge, isVerifierOf } from './pkce.js';

const lifetimeSeconds = 300;

interface StoredCode {
  user_id: string;
  method: SignInMethod;
  code_challenge: string;
  code_challenge_method: Challenge['method'];
  created_at: Date;
}

/**
 * Authorization codes of PKCE: a mail's link redirects the browser with a code, which the page exchanges for a session with its verifier.
 */
@Injectable()
export class AuthCodes {
  constructor(private readonly clock: Clock) {}

  async create(manager: EntityManager, userId: string, { challenge, method }: Challenge): Promise<string> {
    const code = randomUUID();
    await manager.query(
      'insert into auth_codes (code_digest, user_id, method, code_challenge, code_challenge_method, created_at) values ($1, $2, $3, $4, $5, $6)',
      [digestOf(code), userId, 'otp', challenge, method, this.clock.now()],
    );
    return code;
  }

  /** Redeems a code, once. @returns its person, and how they had authenticated. @throws AuthError when it is unknown, expired or used */
  async redeem(manager: EntityManager, code: string, verifier: string): Promise<{ user: UserRecord; method: SignInMethod }> {
    const found = await rowOf<StoredCode>(manager, 'select * from auth_codes where code_digest = $1', [digestOf(code)]);
    if (!found) throw notFound();
    if ((this.clock.now().getTime() - found.created_at.getTime()) / 1000 > lifetimeSeconds)
      throw new AuthError(422, 'flow_state_expired', 'invalid flow state, flow state has expired');
    if (!isVerifierOf(verifier, { challenge: found.code_challenge, method: found.code_challenge_method }))
      throw new AuthError(400, 'bad_code_verifier', 'code challenge does not match previously saved code verifier');
    const user = await lockUser(manager, found.user_id);
    const taken = await changedRows(manager, 'delete from auth_codes where code_digest = $1', [digestOf(code)]);
    if (!user || taken === 0) throw notFound();
    return { user, method: found.method };
  }

  /** Deletes the person's codes: what authenticated them no longer counts. */
  async clear(manager: EntityManager, userId: string): Promise<void> {
    await manager.query('delete from auth_codes where user_id = $1', [userId]);
  }
}

const notFound = () => new AuthError(404, 'flow_state_not_found', 'invalid flow state, no valid flow state found');

const digestOf = (code: string) => createHash('sha256').update(code).digest();
