import { isUniqueViolation } from '@decola/database';
import { Outbox } from '@decola/messaging';
import { Clock } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Origin } from '../account/origin.js';
import { SecurityEvents } from '../account/security-events.js';
import { Tries } from '../limits/tries.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { announceUser } from '../users/announce.js';
import { userById } from '../users/user-store.js';
import { isBanned, type UserRecord } from '../users/user.view.js';
import { AuthCodes } from './auth-codes.js';
import * as errors from './auth.errors.js';
import { type Body, readEmail } from './bodies.js';
import { type OneTimeToken, OneTimeTokens, type TokenPurpose } from './one-time-tokens.js';

/** Which purposes a `type` of verify may meet. */
const purposesByType: ReadonlyMap<string, readonly TokenPurpose[]> = new Map(
  Object.entries({
    signup: ['signup'],
    invite: ['signup'],
    magiclink: ['magiclink'],
    recovery: ['recovery'],
    email_change: ['email_change'],
    email: ['signup', 'magiclink'],
  }),
);

export type LinkResult = { session: Record<string, unknown> } | { code: string } | { refusal: errors.AuthError };

/** What the links and codes of mails lead to. */
@Injectable()
export class VerificationService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: SessionsService,
    private readonly oneTime: OneTimeTokens,
    private readonly tries: Tries,
    private readonly outbox: Outbox,
    private readonly events: SecurityEvents,
    private readonly clock: Clock,
    private readonly codes: AuthCodes,
  ) {}

  /** Verifies a code, or a link's token that the page itself hands in. */
  async verify(body: Body<'verify'>, origin: Origin): Promise<Record<string, unknown>> {
    const { type, token, token_hash: hash } = body;
    if (!type) throw errors.validationFailed('Verify requires a verification type');
    const purposes = purposesByType.get(type);
    if (!purposes) throw errors.validationFailed('Unsupported verification type');
    if (Boolean(token) === Boolean(hash)) throw errors.validationFailed('Verify requires either a token or a token hash');
    if (hash && (body.email || body.phone || body.redirect_to))
      throw errors.validationFailed('Only the token_hash and type should be provided');
    if (token && (!body.email || body.phone))
      throw errors.validationFailed('Only an email address or phone number should be provided on verify');
    const enter = (take: (manager: EntityManager) => Promise<OneTimeToken | null>) =>
      this.dataSource.transaction(async (manager) => {
        const found = await take(manager);
        if (!found) return null;
        const user = await this.confirm(manager, found);
        if (isBanned(user, this.clock.now())) return errors.userBanned(403);
        return this.sessions.open(manager, user, 'otp', origin);
      });
    if (hash)
      return entered(await enter((manager) => this.oneTime.takeByLink(manager, hash, purposes)), 'Email link is invalid or has expired');
    const email = readEmail(body.email, 422);
    let result: Awaited<ReturnType<typeof enter>> = null;
    // Many codes can be asked for, one after another: tries are limited over all of them.
    await this.tries.check({ of: 'code', account: email, address: origin.ip, isKnownAddress: () => Promise.resolve(false) }, async () => {
      result = await enter((manager) => this.oneTime.takeByCode(manager, email, token ?? '', purposes));
      return result !== null;
    });
    return entered(result);
  }

  /** Follows a link of a mail. @returns what the address gets: a session, a code to exchange, or why there is none. */
  async followLink(token: string, type: string, origin: Origin): Promise<LinkResult> {
    const spent = { refusal: errors.otpExpired('Email link is invalid or has expired') };
    const purposes = purposesByType.get(type);
    if (!purposes) return spent;
    const followed = this.dataSource.transaction(async (manager): Promise<LinkResult> => {
      const found = await this.oneTime.takeByLink(manager, token, purposes);
      if (!found) return spent;
      const user = await this.confirm(manager, found);
      if (isBanned(user, this.clock.now())) return { refusal: errors.userBanned() };
      if (found.code_challenge === null || found.code_challenge_method === null)
        return { session: await this.sessions.open(manager, user, 'otp', origin) };
      const challenge = { challenge: found.code_challenge, method: found.code_challenge_method };
      return { code: await this.codes.create(manager, user.id, challenge) };
    });
    return followed.catch((error: unknown) => {
      // The new address was taken by somebody else meanwhile: a browser opened this, so it is led to a page.
      if (error instanceof errors.AuthError) return { refusal: error };
      throw error;
    });
  }

  private async confirm(manager: EntityManager, token: OneTimeToken): Promise<UserRecord> {
    if (token.purpose === 'email_change') {
      try {
        await manager.query(
          `update users set email = $2, new_email = null, email_change_sent_at = null, email_confirmed_at = coalesce(email_confirmed_at, now()), updated_at = clock_timestamp() where id = $1`,
          [token.user_id, token.email],
        );
      } catch (error) {
        if (isUniqueViolation(error)) throw errors.emailExists();
        throw error;
      }
      await manager.query(
        `update identities set identity_data = identity_data || jsonb_build_object('email', $2::text, 'email_verified', true), updated_at = clock_timestamp() where user_id = $1 and provider = 'email'`,
        [token.user_id, token.email],
      );
      // Whoever reads the old address gets in no more.
      await this.oneTime.clear(manager, token.user_id);
      await this.codes.clear(manager, token.user_id);
    } else {
      await manager.query(
        `update users set email_confirmed_at = coalesce(email_confirmed_at, now()), user_metadata = user_metadata || '{"email_verified": true}' where id = $1`,
        [token.user_id],
      );
    }
    const user = await userById(manager, token.user_id);
    if (!user) throw errors.userNotFound();
    if (token.purpose === 'email_change') {
      await this.events.record(user.id, 'email.changed', { manager });
      await announceUser(manager, this.outbox, user, this.clock.now());
    }
    if (token.purpose === 'recovery') await this.events.record(user.id, 'recovery.used', { manager });
    return user;
  }
}

/** @throws what stands in the way of the session: in a transaction that must be committed it was returned, not thrown */
function entered(result: Record<string, unknown> | errors.AuthError | null, refusal?: string): Record<string, unknown> {
  if (!result) throw errors.otpExpired(refusal);
  if (result instanceof errors.AuthError) throw result;
  return result;
}
