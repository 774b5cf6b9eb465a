import { MailQueue } from '@decola/mailer';
import { Outbox } from '@decola/messaging';
import { type AuthenticatedCaller, Clock, UnauthenticatedError } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { hasSecondFactor } from '../users/factor.view.js';
import type { IdentityMail } from '../mails/identity-mail.js';
import { accountTexts } from '../texts/texts.js';
import { Passwords } from '../users/passwords.service.js';
import { userById } from '../users/user-store.js';
import { insufficientAal, tooManyAttempts } from './account.errors.js';
import { eraseAccount } from './account-erasure.js';
import { SecurityEvents } from '../security-events/security-events.service.js';

/** Attempts in one window, so that a stolen session does not allow guessing the password. */
const maxAttempts = 5;
const attemptWindowMs = 15 * 60_000;

export type ErasureAnswer = { success: true } | { success: false; error: string };

/** Deletes accounts on request of their owner. */
@Injectable()
export class AccountService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly passwords: Passwords,
    private readonly outbox: Outbox,
    private readonly mails: MailQueue<IdentityMail>,
    private readonly events: SecurityEvents,
    private readonly clock: Clock,
  ) {}

  /**
   * Erases the caller's account when the password is right.
   * @throws Refusal when the account has a second factor and the session is at aal1, and after too many attempts
   */
  async erase({ userId, aal }: AuthenticatedCaller, password: string): Promise<ErasureAnswer> {
    const user = await userById(this.dataSource.manager, userId);
    if (!user) throw new UnauthenticatedError();
    if (hasSecondFactor(user) && aal !== 'aal2') throw insufficientAal();
    // Recorded before the check, so that attempts at the same moment see each other.
    await this.events.record(userId, 'erasure.asked');
    const since = new Date(this.clock.now().getTime() - attemptWindowMs);
    if ((await this.events.countSince(userId, 'erasure.asked', since)) > maxAttempts) throw tooManyAttempts(attemptWindowMs / 1000);
    if (!(await this.passwords.verify(user.password_hash, password))) return { success: false, error: accountTexts.wrongPassword };
    // Of two simultaneous requests the second one finds no account, which is also success.
    await this.dataSource.transaction((manager) =>
      eraseAccount(manager, { outbox: this.outbox, mails: this.mails }, userId, this.clock.now()),
    );
    return { success: true };
  }
}
