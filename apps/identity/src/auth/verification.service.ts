import { isUniqueViolation } from '@decola/database';
import { Outbox } from '@decola/messaging';
import { Clock } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { readEmail } from '../auth-protocol/request-body.js';
import type { Origin } from '../security-events/origin.js';
import { SecurityEvents } from '../security-events/security-events.service.js';
import { AttemptLimits } from '../limits/attempt-limits.service.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { publishUserUpdated } from '../users/user-updates.js';
import { userById } from '../users/user-store.js';
import { isBanned, type UserRecord } from '../users/user.view.js';
import { AuthCodes } from './auth-codes.service.js';
import * as errors from '../auth-protocol/auth.errors.js';
import type { Body } from './auth.bodies.js';
import { MailboxProof } from './mailbox-proof.service.js';
import { type OneTimeToken, OneTimeTokens, type TokenPurpose } from './one-time-tokens.service.js';

/** Token purposes that each `type` of a verify request accepts. */
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

/** Redeems the links and codes of mails (auth-v1, 7). */
@Injectable()
export class VerificationService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: SessionsService,
    private readonly oneTime: OneTimeTokens,
    private readonly limits: AttemptLimits,
    private readonly outbox: Outbox,
    private readonly events: SecurityEvents,
    private readonly clock: Clock,
    private readonly codes: AuthCodes,
    private readonly proof: MailboxProof,
  ) {}

  /** Redeems a code, or a link's token that the page sends itself. */
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
    const signIn = (redeem: (manager: EntityManager) => Promise<OneTimeToken | null>) =>
      this.dataSource.transaction(async (manager) => {
        const found = await redeem(manager);
        if (!found) return null;
        const user = await this.confirm(manager, found);
        if (isBanned(user, this.clock.now())) return errors.userBanned(403);
        return this.sessions.open(manager, user, 'otp', origin);
      });
    if (hash)
      return requireSession(
        await signIn((manager) => this.oneTime.redeemLink(manager, hash, purposes)),
        'Email link is invalid or has expired',
      );
    const email = readEmail(body.email, 422);
    let result: Awaited<ReturnType<typeof signIn>> = null;
    // Each code has a limit of its own, but a new code can be requested at any time: this limit spans all of them.
    await this.limits.check({ kind: 'code', account: email, ip: origin.ip, isKnownNetwork: () => Promise.resolve(false) }, async () => {
      result = await signIn((manager) => this.oneTime.redeemCode(manager, email, token ?? '', purposes));
      return result !== null;
    });
    return requireSession(result);
  }

  /** Follows a mail's link in a browser. @returns what the redirect carries: a session, a PKCE code to exchange, or a refusal */
  async followLink(token: string, type: string, origin: Origin): Promise<LinkResult> {
    const invalid = { refusal: errors.otpExpired('Email link is invalid or has expired') };
    const purposes = purposesByType.get(type);
    if (!purposes) return invalid;
    const followed = this.dataSource.transaction(async (manager): Promise<LinkResult> => {
      const found = await this.oneTime.redeemLink(manager, token, purposes);
      if (!found) return invalid;
      const user = await this.confirm(manager, found);
      if (isBanned(user, this.clock.now())) return { refusal: errors.userBanned() };
      if (found.code_challenge === null || found.code_challenge_method === null)
        return { session: await this.sessions.open(manager, user, 'otp', origin) };
      const challenge = { challenge: found.code_challenge, method: found.code_challenge_method };
      return { code: await this.codes.create(manager, user.id, challenge) };
    });
    return followed.catch((error: unknown) => {
      // The new address was taken meanwhile. A browser opened the link, so the refusal travels in the redirect.
      if (error instanceof errors.AuthError) return { refusal: error };
      throw error;
    });
  }

  /** Applies what a redeemed token proves: a confirmed address, or the change to a new one. */
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
      // Tokens sent to the old address become void.
      await this.oneTime.clear(manager, token.user_id);
      await this.codes.clear(manager, token.user_id);
    } else {
      await manager.query(
        `update users set email_confirmed_at = coalesce(email_confirmed_at, now()), user_metadata = user_metadata || '{"email_verified": true}' where id = $1`,
        [token.user_id],
      );
    }
    await this.proof.record(manager, token.user_id, token.purpose);
    const user = await userById(manager, token.user_id);
    if (!user) throw errors.userNotFound();
    if (token.purpose === 'email_change') {
      await this.events.record(user.id, 'email.changed', { manager });
      await publishUserUpdated(manager, this.outbox, user, this.clock.now());
    }
    if (token.purpose === 'recovery') await this.events.record(user.id, 'recovery.used', { manager });
    return user;
  }
}

/** @throws AuthError the refusal that a transaction returned, because throwing it inside would have rolled back */
function requireSession(result: Record<string, unknown> | errors.AuthError | null, refusal?: string): Record<string, unknown> {
  if (!result) throw errors.otpExpired(refusal);
  if (result instanceof errors.AuthError) throw result;
  return result;
}
