import { rowOf } from '@decola/database';
import { MailQueue } from '@decola/mailer';
import { Clock } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SecurityEvents } from '../security-events/security-events.service.js';
import type { IdentityMail } from '../mails/identity-mail.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { AuthCodes } from './auth-codes.service.js';
import { OneTimeTokens, type TokenPurpose } from './one-time-tokens.service.js';

interface Proven {
  email: string;
  had_password: boolean;
  password_disputed: boolean;
}

/**
 * Proof that the account's person reads its mailbox. Accounts can be used right after sign-up, so somebody may have signed up with an
 * address of another person. The first link or code of a mail that is used proves who owns the address, and removes everything that was set
 * before: password, sessions, identities of other providers, a pending change of address, one-time tokens, and unverified factors. A
 * verified factor stays: it can be added only after this proof, and access to the mailbox alone must never remove one.
 */
@Injectable()
export class MailboxProof {
  constructor(
    private readonly sessions: SessionsService,
    private readonly oneTime: OneTimeTokens,
    private readonly codes: AuthCodes,
    private readonly events: SecurityEvents,
    private readonly queue: MailQueue<IdentityMail>,
    private readonly clock: Clock,
  ) {}

  /**
   * Records that a mail to the person's address was answered. Only the first call for a person does anything.
   * The caller has locked the person (`lockUser`), and opens sessions afterwards: this call ends the existing ones.
   * @param purpose of the mail; its code stays valid until it is used (decision 0012)
   * @param keptSession id of the session in which the person typed the code
   */
  async record(manager: EntityManager, userId: string, purpose: TokenPurpose, keptSession?: string): Promise<void> {
    const proven = await rowOf<Proven>(
      manager,
      `update users set mailbox_proven_at = $2 where id = $1 and mailbox_proven_at is null
       returning email, password_hash is not null as had_password, password_disputed`,
      [userId, this.clock.now()],
    );
    if (!proven) return;
    // The mail of a sign-up confirms that sign-up with its password, unless a later sign-up for the same address tried another password.
    const keepsPassword = purpose === 'signup' && !proven.password_disputed;
    const voidsPassword = proven.had_password && !keepsPassword;
    await manager.query(
      `update users set password_hash = case when $2 then password_hash end, password_disputed = false, new_email = null, updated_at = clock_timestamp()
       where id = $1`,
      [userId, keepsPassword],
    );
    await manager.query(`delete from identities where user_id = $1 and provider <> 'email'`, [userId]);
    await manager.query(`delete from factors where user_id = $1 and status <> 'verified'`, [userId]);
    await this.oneTime.clear(manager, userId, purpose);
    await this.codes.clear(manager, userId);
    await this.sessions.end(userId, keptSession ?? null, keptSession ? 'others' : 'global', manager);
    await this.events.record(userId, 'mailbox.proven', { manager });
    // A person who recovers the account or changes the password chooses a new one anyway.
    if (voidsPassword && purpose !== 'recovery' && purpose !== 'reauthentication')
      await this.queue.add(manager, userId, { to: proven.email, kind: 'password_voided_notice', link: null, code: null });
  }
}
