import { Outbox } from '@decola/messaging';
import { Clock, CONFIG } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { currentOrigin } from '../account/origin.js';
import { SecurityEvents } from '../account/security-events.js';
import type { IdentityConfig } from '../config.js';
import { hasSecondFactor } from '../factors/factor.view.js';
import { Tries } from '../limits/tries.js';
import { type AuthenticatedSession, SessionsService } from '../sessions/sessions.service.js';
import { announceUser } from '../users/announce.js';
import { hashPassword, requireChangedPassword, verifyPassword } from '../users/password.js';
import { lockUser, userByEmail, userById } from '../users/user-store.js';
import { toUserView, type UserRecord } from '../users/user.view.js';
import { AccountMails } from './account-mails.js';
import { AuthCodes } from './auth-codes.js';
import * as errors from './auth.errors.js';
import { type Body, mostMetadata, readEmail } from './bodies.js';
import { OneTimeTokens } from './one-time-tokens.js';
import { type Challenge, readChallenge } from './pkce.js';

/** Sessions younger than this have just shown the password (auth-v1, 5.5). */
const recentMs = 24 * 3_600_000;

/** What people change of their own account (auth-v1, 5.5). */
@Injectable()
export class UserUpdateService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: SessionsService,
    private readonly oneTime: OneTimeTokens,
    private readonly codes: AuthCodes,
    private readonly mails: AccountMails,
    private readonly tries: Tries,
    private readonly outbox: Outbox,
    private readonly events: SecurityEvents,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: IdentityConfig,
  ) {}

  /** @throws AuthError by the table of auth-v1, 5.5; refused changes change nothing. */
  async update(session: AuthenticatedSession, body: Body<'updateUser'>, redirect: string): Promise<Record<string, unknown>> {
    const { user, sessionId, aal } = session;
    if (body.app_metadata !== undefined && body.app_metadata !== null)
      throw new errors.AuthError(403, 'not_admin', 'Updating app_metadata requires admin role');
    // An empty password is a weak one, not none: nobody shall believe that it was changed.
    const password = body.password ?? null;
    if ((password !== null || body.email || body.phone) && hasSecondFactor(user) && aal !== 'aal2') throw errors.updateNeedsAal2();
    if (body.phone) throw errors.providerDisabled('phone_provider_disabled', 'Phone is disabled', 400);
    const challenge = readChallenge(body.code_challenge, body.code_challenge_method);
    const newEmail = body.email ? readEmail(body.email) : user.email;
    if (password !== null) {
      requireChangedPassword(password);
      await this.requireNonce(session, body.nonce);
      if (body.current_password) await this.requireCurrentPassword(user, body.current_password);
    }
    const passwordHash = password === null ? null : await this.newPassword(user, password);
    return this.dataSource.transaction(async (manager) => {
      const current = await lockUser(manager, user.id);
      // Whoever waited here for a new password asked through a session that it ended.
      if (!current || !(await this.sessions.lives(manager, sessionId))) throw errors.sessionNotFound();
      if (body.data) await mergeMetadata(manager, user.id, body.data);
      if (passwordHash) {
        // A change of address that waits may be the reason for the new password. When its mail was sent stays: the next one keeps its gap.
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
      if (body.data) await announceUser(manager, this.outbox, updated, this.clock.now());
      return toUserView(updated);
    });
  }

  /** A code is checked whenever one is given; it must be given when the setting asks for it and the log-in is long past. */
  private async requireNonce({ user, openedAt }: AuthenticatedSession, nonce: string | null | undefined): Promise<void> {
    const isRecent = this.clock.now().getTime() - openedAt.getTime() < recentMs;
    if (!nonce) {
      if (this.config.REQUIRE_REAUTHENTICATION && !isRecent) throw errors.reauthenticationNeeded();
      return;
    }
    // A transaction of its own: wrong codes are counted although the change is refused.
    const taken = await this.dataSource.transaction((manager) => this.oneTime.takeByCode(manager, user.email, nonce, ['reauthentication']));
    if (taken?.user_id !== user.id) throw errors.reauthenticationNotValid();
  }

  private async requireCurrentPassword(user: UserRecord, password: string): Promise<void> {
    const { ip } = currentOrigin();
    const isRight = await this.tries.check(
      { of: 'current_password', account: user.id, address: ip, isKnownAddress: () => this.events.signedInFrom(user.id, ip) },
      () => verifyPassword(user.password_hash, password),
    );
    if (!isRight) throw errors.currentPasswordInvalid();
  }

  private async newPassword(user: UserRecord, password: string): Promise<string> {
    if (await verifyPassword(user.password_hash, password)) throw errors.samePassword();
    return hashPassword(password);
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
    await this.mails.tellOldAddress(manager, user);
  }
}

/** Shallow merge; null deletes a key. */
async function mergeMetadata(manager: EntityManager, userId: string, data: Record<string, unknown>): Promise<void> {
  const removed = Object.keys(data).filter((key) => data[key] === null);
  const [rows] = await manager.query<[{ bytes: number }[], number]>(
    `update users set user_metadata = (user_metadata || $2::jsonb) - $3::text[], updated_at = clock_timestamp() where id = $1
     returning octet_length(user_metadata::text) as bytes`,
    [userId, JSON.stringify(data), removed],
  );
  if ((rows[0]?.bytes ?? 0) > mostMetadata) throw errors.validationFailed('User metadata is too large');
}
