import { rowsOf } from '@decola/database';
import { Outbox } from '@decola/messaging';
import { Clock, CONFIG } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { currentOrigin } from '../security-events/origin.js';
import { SecurityEvents } from '../security-events/security-events.service.js';
import { readEmail } from '../auth-protocol/request-body.js';
import type { IdentityConfig } from '../config/config.js';
import { hasSecondFactor } from '../users/factor.view.js';
import { AttemptLimits } from '../limits/attempt-limits.service.js';
import { type AuthenticatedSession, SessionsService } from '../sessions/sessions.service.js';
import { publishUserUpdated } from '../users/user-updates.js';
import { requireChangedPassword } from '../users/password-rules.js';
import { Passwords } from '../users/passwords.service.js';
import { lockUser, userByEmail, userById } from '../users/user-store.js';
import { toUserView, type UserRecord } from '../users/user.view.js';
import { AccountMails } from './account-mails.service.js';
import { AuthCodes } from './auth-codes.service.js';
import * as errors from '../auth-protocol/auth.errors.js';
import { type Body, maxMetadataBytes } from './auth.bodies.js';
import { MailboxProof } from './mailbox-proof.service.js';
import { OneTimeTokens } from './one-time-tokens.service.js';
import { type Challenge, readChallenge } from './pkce.js';

/** A session younger than this needs no reauthentication (auth-v1, 5.5). */
const recentMs = 24 * 3_600_000;

/** Changes of one's own account: password, e-mail and metadata (auth-v1, 5.5). */
@Injectable()
export class UserUpdateService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly passwords: Passwords,
    private readonly sessions: SessionsService,
    private readonly oneTime: OneTimeTokens,
    private readonly codes: AuthCodes,
    private readonly proof: MailboxProof,
    private readonly mails: AccountMails,
    private readonly limits: AttemptLimits,
    private readonly outbox: Outbox,
    private readonly events: SecurityEvents,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: IdentityConfig,
  ) {}

  /** Makes all requested changes or none. @throws AuthError by the table of auth-v1, section 5.5 */
  async update(session: AuthenticatedSession, body: Body<'updateUser'>, redirect: string): Promise<Record<string, unknown>> {
    const { user, sessionId, aal } = session;
    if (body.app_metadata !== undefined && body.app_metadata !== null)
      throw new errors.AuthError(403, 'not_admin', 'Updating app_metadata requires admin role');
    // An empty password is refused as weak instead of ignored: the client must not believe that it was changed.
    const password = body.password ?? null;
    if ((password !== null || body.email || body.phone) && hasSecondFactor(user) && aal !== 'aal2') throw errors.updateNeedsAal2();
    if (body.phone) throw errors.providerDisabled('phone_provider_disabled', 'Phone is disabled', 400);
    const challenge = readChallenge(body.code_challenge, body.code_challenge_method);
    const newEmail = body.email ? readEmail(body.email) : user.email;
    let typedCode = false;
    if (password !== null) {
      requireChangedPassword(password);
      typedCode = await this.requireNonce(session, body.nonce);
      if (body.current_password) await this.requireCurrentPassword(user, body.current_password);
    }
    const passwordHash = password === null ? null : await this.newPassword(user, password);
    return this.dataSource.transaction(async (manager) => {
      const current = await lockUser(manager, user.id);
      // A change of the password that held the lock before may have ended this session.
      if (!current || !(await this.sessions.isActive(manager, sessionId))) throw errors.sessionNotFound();
      if (body.data) await mergeMetadata(manager, user.id, body.data);
      if (passwordHash) {
        // The code was mailed, so typing it proves access to the mailbox.
        if (typedCode && current.email === user.email) await this.proof.record(manager, user.id, 'reauthentication', sessionId);
        // Cancels a pending change of address: an intruder may have requested it. `email_change_sent_at` stays, so that the gap between
        // mails holds.
        await manager.query('update users set password_hash = $2, new_email = null, updated_at = clock_timestamp() where id = $1', [
          user.id,
          passwordHash,
        ]);
        await this.oneTime.clear(manager, user.id);
        await this.codes.clear(manager, user.id);
        await this.sessions.end(user.id, sessionId, 'others', manager);
        await this.events.record(user.id, 'password.changed', { manager });
      }
      if (newEmail !== user.email) await this.beginEmailChange(manager, current, newEmail, redirect, challenge);
      const updated = await userById(manager, user.id);
      if (!updated) throw errors.userNotFound();
      if (body.data) await publishUserUpdated(manager, this.outbox, updated, this.clock.now());
      return toUserView(updated);
    });
  }

  /**
   * Checks the mailed code when one is given. REQUIRE_REAUTHENTICATION makes it mandatory in sessions older than a day.
   * @returns whether a code was given
   */
  private async requireNonce({ user, openedAt }: AuthenticatedSession, nonce: string | null | undefined): Promise<boolean> {
    const isRecent = this.clock.now().getTime() - openedAt.getTime() < recentMs;
    if (!nonce) {
      if (this.config.REQUIRE_REAUTHENTICATION && !isRecent) throw errors.reauthenticationNeeded();
      return false;
    }
    // A transaction of its own, so that a wrong code is counted although the change is refused.
    const token = await this.dataSource.transaction((manager) => this.oneTime.redeemCode(manager, user.email, nonce, ['reauthentication']));
    if (token?.user_id !== user.id) throw errors.reauthenticationNotValid();
    return true;
  }

  private async requireCurrentPassword(user: UserRecord, password: string): Promise<void> {
    const { ip } = currentOrigin();
    const isRight = await this.limits.check(
      { kind: 'current_password', account: user.id, ip, isKnownNetwork: () => this.events.signedInFrom(user.id, ip) },
      () => this.passwords.verify(user.password_hash, password),
    );
    if (!isRight) throw errors.currentPasswordInvalid();
  }

  private async newPassword(user: UserRecord, password: string): Promise<string> {
    if (await this.passwords.verify(user.password_hash, password)) throw errors.samePassword();
    return this.passwords.hash(password);
  }

  private async beginEmailChange(
    manager: EntityManager,
    user: UserRecord,
    newEmail: string,
    redirect: string,
    challenge: Challenge | null,
  ): Promise<void> {
    if (await userByEmail(manager, newEmail)) throw errors.emailExists();
    this.mails.requireGap(user, 'email_change');
    await this.mails.requireQuota();
    await manager.query('update users set new_email = $2 where id = $1', [user.id, newEmail]);
    await this.events.record(user.id, 'email.change_requested', { manager });
    await this.mails.send(manager, { ...user, new_email: newEmail }, 'email_change', redirect, challenge);
    await this.mails.notifyOldAddress(manager, user);
  }
}

/** Merges top-level keys; null deletes a key. */
async function mergeMetadata(manager: EntityManager, userId: string, data: Record<string, unknown>): Promise<void> {
  const removed = Object.keys(data).filter((key) => data[key] === null);
  const rows = await rowsOf<{ bytes: number }>(
    manager,
    `update users set user_metadata = (user_metadata || $2::jsonb) - $3::text[], updated_at = clock_timestamp() where id = $1
     returning octet_length(user_metadata::text) as bytes`,
    [userId, JSON.stringify(data), removed],
  );
  if ((rows[0]?.bytes ?? 0) > maxMetadataBytes) throw errors.validationFailed('User metadata is too large');
}
