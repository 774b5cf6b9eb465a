import { Clock, CONFIG } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { IdentityConfig } from '../config.js';
import { Tries } from '../limits/tries.js';
import { MailQueue } from '../mail/mail-queue.js';
import type { UserRecord } from '../users/user.view.js';
import { mailQuotaReached, mailTooSoon } from './auth.errors.js';
import { OneTimeTokens, type TokenPurpose } from './one-time-tokens.js';
import type { Challenge } from './pkce.js';

const sentColumn = {
  signup: 'confirmation_sent_at',
  magiclink: 'confirmation_sent_at',
  recovery: 'recovery_sent_at',
  email_change: 'email_change_sent_at',
  reauthentication: 'reauthentication_sent_at',
} as const satisfies Record<TokenPurpose, keyof UserRecord>;

/** Mails with a link or code that work once. */
@Injectable()
export class AccountMails {
  constructor(
    private readonly oneTime: OneTimeTokens,
    private readonly queue: MailQueue,
    private readonly tries: Tries,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: IdentityConfig,
  ) {}

  /** Asked before it is known who would get one, so that the answer tells nothing. @throws AuthError when the hour's mails are used up */
  async requireQuota(): Promise<void> {
    const wait = await this.tries.secondsUntilMails();
    if (wait !== null) throw mailQuotaReached(wait);
  }

  /** Whether the person got one for this purpose a moment ago. */
  isTooSoon(user: UserRecord, purpose: TokenPurpose): boolean {
    return this.msUntilNext(user, purpose) > 0;
  }

  /** @throws AuthError when the person got one for this purpose a moment ago */
  requireGap(user: UserRecord, purpose: TokenPurpose): void {
    const wait = this.msUntilNext(user, purpose);
    if (wait > 0) throw mailTooSoon(Math.ceil(wait / 1000));
  }

  private msUntilNext(user: UserRecord, purpose: TokenPurpose): number {
    const last = user[sentColumn[purpose]];
    return last === null ? 0 : last.getTime() + this.config.MAIL_GAP_SECONDS * 1000 - this.clock.now().getTime();
  }

  /** Makes a new link and code, and queues their mail, in the caller's transaction. */
  async send(
    manager: EntityManager,
    user: UserRecord,
    purpose: TokenPurpose,
    redirect: string,
    challenge: Challenge | null,
  ): Promise<void> {
    await this.tries.countMail();
    const to = purpose === 'email_change' ? (user.new_email ?? user.email) : user.email;
    // The person before their tokens, as everywhere: this locks them.
    await manager.query(`update users set ${sentColumn[purpose]} = $2 where id = $1`, [user.id, this.clock.now()]);
    const { code, token } = await this.oneTime.create(manager, user.id, purpose, to, challenge);
    const query = new URLSearchParams({ token, type: purpose, redirect_to: redirect });
    const link = purpose === 'reauthentication' ? null : `${this.config.TOKEN_ISSUER}/verify?${query.toString()}`;
    await this.queue.add(manager, user.id, { to, kind: purpose, link, code });
  }

  /** Tells the old address that somebody asked to leave it; it can do nothing but tell. */
  async tellOldAddress(manager: EntityManager, user: UserRecord): Promise<void> {
    await this.queue.add(manager, user.id, { to: user.email, kind: 'email_changed_notice', link: null, code: null });
  }
}
