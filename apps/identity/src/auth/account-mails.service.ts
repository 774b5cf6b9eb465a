import { MailQueue } from '@decola/mailer';
import { Clock, CONFIG } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { IdentityConfig } from '../config/config.js';
import { AttemptLimits } from '../limits/attempt-limits.service.js';
import type { IdentityMail } from '../mails/identity-mail.js';
import type { UserRecord } from '../users/user.view.js';
import { mailQuotaReached, mailTooSoon } from '../auth-protocol/auth.errors.js';
import { OneTimeTokens, type TokenPurpose } from './one-time-tokens.service.js';
import type { Challenge } from './pkce.js';

/** Column of `users` that says when the last mail of a purpose was sent. */
const sentColumn = {
  signup: 'confirmation_sent_at',
  magiclink: 'confirmation_sent_at',
  recovery: 'recovery_sent_at',
  email_change: 'email_change_sent_at',
  reauthentication: 'reauthentication_sent_at',
} as const satisfies Record<TokenPurpose, keyof UserRecord>;

/** Sends the mails with a one-time link or code. */
@Injectable()
export class AccountMails {
  constructor(
    private readonly oneTime: OneTimeTokens,
    private readonly queue: MailQueue<IdentityMail>,
    private readonly limits: AttemptLimits,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: IdentityConfig,
  ) {}

  /**
   * Call it before looking up the account, so that the answer is the same for unknown addresses.
   * @throws AuthError when the hour's mails are used up
   */
  async requireQuota(): Promise<void> {
    const wait = await this.limits.secondsUntilMails();
    if (wait !== null) throw mailQuotaReached(wait);
  }

  /** Whether the person got a mail of this purpose within MAIL_GAP_SECONDS. */
  isTooSoon(user: UserRecord, purpose: TokenPurpose): boolean {
    return this.msUntilNext(user, purpose) > 0;
  }

  /** @throws AuthError when the person got a mail of this purpose within MAIL_GAP_SECONDS */
  requireGap(user: UserRecord, purpose: TokenPurpose): void {
    const wait = this.msUntilNext(user, purpose);
    if (wait > 0) throw mailTooSoon(Math.ceil(wait / 1000));
  }

  private msUntilNext(user: UserRecord, purpose: TokenPurpose): number {
    const last = user[sentColumn[purpose]];
    return last === null ? 0 : last.getTime() + this.config.MAIL_GAP_SECONDS * 1000 - this.clock.now().getTime();
  }

  /** Creates a link and a code, and queues their mail, in the caller's transaction. */
  async send(
    manager: EntityManager,
    user: UserRecord,
    purpose: TokenPurpose,
    redirect: string,
    challenge: Challenge | null,
  ): Promise<void> {
    await this.limits.countMail();
    const to = purpose === 'email_change' ? (user.new_email ?? user.email) : user.email;
    // Updates the user before the tokens: it takes the lock of `lockUser`.
    await manager.query(`update users set ${sentColumn[purpose]} = $2 where id = $1`, [user.id, this.clock.now()]);
    const { code, token } = await this.oneTime.create(manager, user.id, purpose, to, challenge);
    const query = new URLSearchParams({ token, type: purpose, redirect_to: redirect });
    const link = purpose === 'reauthentication' ? null : `${this.config.TOKEN_ISSUER}/verify?${query.toString()}`;
    await this.queue.add(manager, user.id, { to, kind: purpose, link, code });
  }

  /** Notifies the current address that a change of address was requested. The mail has no link: it only informs. */
  async notifyOldAddress(manager: EntityManager, user: UserRecord): Promise<void> {
    await this.queue.add(manager, user.id, { to: user.email, kind: 'email_changed_notice', link: null, code: null });
  }
}
