import { isUniqueViolation } from '@decola/database';
import { CONFIG } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SecurityEvents } from '../security-events/security-events.service.js';
import { readEmail } from '../auth-protocol/request-body.js';
import type { IdentityConfig } from '../config/config.js';
import { lockUser, userByEmail } from '../users/user-store.js';
import type { UserRecord } from '../users/user.view.js';
import { AccountMails } from './account-mails.service.js';
import * as errors from '../auth-protocol/auth.errors.js';
import type { Body } from './auth.bodies.js';
import { OneTimeTokens } from './one-time-tokens.service.js';
import { readChallenge } from './pkce.js';
import { RegistrationService } from './registration.service.js';

/** Requests for mails: to recover an account, sign in by link, confirm an address, or reauthenticate. */
@Injectable()
export class MailRequestsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly mails: AccountMails,
    private readonly oneTime: OneTimeTokens,
    private readonly events: SecurityEvents,
    private readonly registration: RegistrationService,
    @Inject(CONFIG) private readonly config: IdentityConfig,
  ) {}

  /** Answers the same whether the account exists or not. */
  async recover(body: Body<'recover'>, redirect: string): Promise<Record<string, never>> {
    const challenge = readChallenge(body.code_challenge, body.code_challenge_method);
    const email = readEmail(body.email);
    await this.mails.requireQuota();
    const user = await userByEmail(this.dataSource.manager, email);
    // Too soon after the last mail nothing is sent, and the answer is the same: a refusal would reveal that the account exists.
    if (user && !this.mails.isTooSoon(user, 'recovery'))
      await this.dataSource.transaction(async (manager) => {
        await this.mails.send(manager, user, 'recovery', redirect, challenge);
        await this.events.record(user.id, 'recovery.requested', { manager });
      });
    return {};
  }

  async otp(body: Body<'otp'>, redirect: string): Promise<Record<string, never>> {
    if (Boolean(body.email) === Boolean(body.phone))
      throw errors.validationFailed('Only an email address or phone number should be provided');
    if (!body.email) throw errors.providerDisabled('phone_provider_disabled', 'Unsupported phone provider', 400);
    const challenge = readChallenge(body.code_challenge, body.code_challenge_method);
    const email = readEmail(body.email);
    await this.mails.requireQuota();
    const user = await userByEmail(this.dataSource.manager, email);
    if (user) {
      this.mails.requireGap(user, 'magiclink');
      await this.dataSource.transaction((manager) => this.mails.send(manager, user, 'magiclink', redirect, challenge));
      return {};
    }
    if (body.create_user === false) throw errors.providerDisabled('otp_disabled', 'Signups not allowed for otp');
    await this.dataSource
      .transaction(async (manager) => {
        // Without a password the person signs in by mail until they choose one.
        const created = await this.registration.register(manager, {
          email,
          passwordHash: null,
          metadata: body.data ?? {},
          isConfirmed: false,
        });
        await this.mails.send(manager, created, 'signup', redirect, challenge);
      })
      .catch((error: unknown) => {
        // A simultaneous request created the account and sent the mail.
        if (!isUniqueViolation(error)) throw error;
      });
    return {};
  }

  async resend(body: Body<'resend'>, redirect: string): Promise<Record<string, never>> {
    if (body.type !== 'signup' && body.type !== 'email_change')
      throw errors.validationFailed('Missing one of these types: signup, email_change, sms, phone_change');
    const challenge = readChallenge(body.code_challenge, body.code_challenge_method);
    const email = readEmail(body.email);
    await this.mails.requireQuota();
    const user = await userByEmail(this.dataSource.manager, email);
    const purpose = body.type;
    const isPending = (person: UserRecord) => (purpose === 'signup' ? person.email_confirmed_at === null : person.new_email !== null);
    if (!user || !isPending(user)) return {};
    await this.dataSource.transaction(async (manager) => {
      const current = await lockUser(manager, user.id);
      if (!current || !isPending(current) || this.mails.isTooSoon(current, purpose)) return;
      // This request needs no session, so it only repeats a change of address whose own mail is still valid.
      if (purpose === 'email_change' && !(await this.oneTime.isPending(manager, user.id, purpose))) return;
      await this.mails.send(manager, current, purpose, redirect, challenge);
    });
    return {};
  }

  async reauthenticate(user: UserRecord): Promise<Record<string, never>> {
    await this.mails.requireQuota();
    this.mails.requireGap(user, 'reauthentication');
    await this.dataSource.transaction((manager) => this.mails.send(manager, user, 'reauthentication', this.config.SITE_URL, null));
    return {};
  }
}
