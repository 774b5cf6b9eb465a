import { isUniqueViolation } from '@decola/database';
import { CONFIG } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SecurityEvents } from '../account/security-events.js';
import type { IdentityConfig } from '../config.js';
import { lockUser, userByEmail } from '../users/user-store.js';
import type { UserRecord } from '../users/user.view.js';
import { AccountMails } from './account-mails.js';
import * as errors from './auth.errors.js';
import { type Body, readEmail } from './bodies.js';
import { OneTimeTokens } from './one-time-tokens.js';
import { readChallenge } from './pkce.js';
import { RegistrationService } from './registration.service.js';

/** Mails that people ask for: a link or code to get in, to prove an address, or to prove themselves once more. */
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

  /** Answers the same whether the person exists or not. */
  async recover(body: Body<'recover'>, redirect: string): Promise<Record<string, never>> {
    const challenge = readChallenge(body.code_challenge, body.code_challenge_method);
    const email = readEmail(body.email);
    await this.mails.requireQuota();
    const user = await userByEmail(this.dataSource.manager, email);
    // Too soon after the last mail nothing is sent, and nothing is said: a wait would tell that the address is known.
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
        // Without a password: the mail's link or code is the way in, until the person chooses one.
        const made = await this.registration.register(manager, {
          email,
          passwordHash: null,
          metadata: body.data ?? {},
          isConfirmed: false,
        });
        await this.mails.send(manager, made, 'signup', redirect, challenge);
      })
      .catch((error: unknown) => {
        // Asked twice at the same moment: the first one made the account, and sent the mail.
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
      // Nobody's session is asked for here: a new address is reminded of what a session began, while that still counts.
      if (purpose === 'email_change' && !(await this.oneTime.isWaiting(manager, user.id, purpose))) return;
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
