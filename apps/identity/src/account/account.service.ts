import { Outbox } from '@decola/messaging';
import { type AuthenticatedCaller, Clock, UnauthenticatedError } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { hasSecondFactor } from '../factors/factor.view.js';
import { verifyPassword } from '../users/password.js';
import { MailQueue } from '../mail/mail-queue.js';
import { userById } from '../users/user-store.js';
import { insufficientAal, tooManyTries } from './account.errors.js';
import { eraseAccount } from './erasure.js';
import { SecurityEvents } from './security-events.js';

/** Somebody with a stolen session must not find the password out here. */
const mostTries = 5;
const triesWithinMs = 15 * 60_000;

export type ErasureAnswer = { success: true } | { success: false; error: string };

/** What people may do with their account as a whole. */
@Injectable()
export class AccountService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly mails: MailQueue,
    private readonly events: SecurityEvents,
    private readonly clock: Clock,
  ) {}

  /**
   * Erases the account of somebody who knows its password.
   * @throws Refusal when the person has a second factor and this session has not shown it, and after too many wrong passwords.
   */
  async erase({ userId, aal }: AuthenticatedCaller, password: string): Promise<ErasureAnswer> {
    const user = await userById(this.dataSource.manager, userId);
    if (!user) throw new UnauthenticatedError();
    if (hasSecondFactor(user) && aal !== 'aal2') throw insufficientAal();
    // Noted before it is known to be wrong, so that tries at the same moment count each other.
    await this.events.record(userId, 'erasure.asked');
    const since = new Date(this.clock.now().getTime() - triesWithinMs);
    if ((await this.events.countSince(userId, 'erasure.asked', since)) > mostTries) throw tooManyTries(triesWithinMs / 1000);
    if (!(await verifyPassword(user.password_hash, password))) return { success: false, error: 'Senha incorreta.' };
    // Asked twice at the same moment, the second one finds nobody: that is what was asked for.
    await this.dataSource.transaction((manager) =>
      eraseAccount(manager, { outbox: this.outbox, mails: this.mails }, userId, this.clock.now()),
    );
    return { success: true };
  }
}
