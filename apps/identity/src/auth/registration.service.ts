import { randomUUID } from 'node:crypto';
import { userRegistered } from '@decola/contracts';
import { isUniqueViolation } from '@decola/database';
import { Outbox } from '@decola/messaging';
import { Clock, CONFIG } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Origin } from '../account/origin.js';
import { SecurityEvents } from '../account/security-events.js';
import type { IdentityConfig } from '../config.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { hashPassword, requireSignUpPassword } from '../users/password.js';
import { insertUser, userByEmail, userById } from '../users/user-store.js';
import { toUserView, type UserRecord } from '../users/user.view.js';
import { AccountMails } from './account-mails.js';
import * as errors from './auth.errors.js';
import { type Body, readEmail } from './bodies.js';
import { type Challenge, readChallenge } from './pkce.js';

/** How people come to have an account (auth-v1, 5.1). */
@Injectable()
export class RegistrationService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: SessionsService,
    private readonly mails: AccountMails,
    private readonly outbox: Outbox,
    private readonly events: SecurityEvents,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: IdentityConfig,
  ) {}

  async signUp(body: Body<'signup'>, redirect: string, origin: Origin): Promise<Record<string, unknown>> {
    if (!body.email && !body.phone) throw errors.providerDisabled('anonymous_provider_disabled', 'Anonymous sign-ins are disabled');
    if (!body.password) throw errors.validationFailed('Signup requires a valid password');
    requireSignUpPassword(body.password);
    if (body.email && body.phone) throw errors.validationFailed('Only an email address or phone number should be provided on signup.');
    const challenge = readChallenge(body.code_challenge, body.code_challenge_method);
    if (!body.email) throw errors.providerDisabled('phone_provider_disabled', 'Phone signups are disabled', 400);
    const email = readEmail(body.email);
    const passwordHash = await hashPassword(body.password);
    const isConfirmed = this.config.AUTO_CONFIRM_EMAIL;
    if (!isConfirmed) await this.mails.requireQuota();
    const known = await userByEmail(this.dataSource.manager, email);
    if (known) return this.signUpAgain(known, redirect, challenge);
    try {
      return await this.dataSource.transaction(async (manager) => {
        const user = await this.register(manager, { email, passwordHash, metadata: body.data ?? {}, isConfirmed });
        await this.events.record(user.id, 'account.created', { manager, origin });
        if (isConfirmed) return this.sessions.open(manager, user, 'password', origin);
        await this.mails.send(manager, user, 'signup', redirect, challenge);
        return toUserView((await userById(manager, user.id))!);
      });
    } catch (error) {
      // Two sign-ups at the same moment: the second one meets the first.
      const first = isUniqueViolation(error) ? await userByEmail(this.dataSource.manager, email) : null;
      if (first) return this.signUpAgain(first, redirect, challenge);
      throw error;
    }
  }

  /** Makes a person, and tells everybody, in the caller's transaction. */
  async register(manager: EntityManager, input: Parameters<typeof insertUser>[1]): Promise<UserRecord> {
    const user = await insertUser(manager, input);
    await this.outbox.add(
      manager,
      userRegistered,
      { userId: user.id, email: user.email, registeredAt: user.created_at.toISOString() },
      { subject: user.id },
    );
    return user;
  }

  private async signUpAgain(known: UserRecord, redirect: string, challenge: Challenge | null): Promise<Record<string, unknown>> {
    if (known.email_confirmed_at === null) {
      // Too soon after the last mail the answer is the same, and no mail is sent.
      if (!this.mails.isTooSoon(known, 'signup'))
        await this.dataSource.transaction((manager) => this.mails.send(manager, known, 'signup', redirect, challenge));
      return toUserView(toldNobody(known));
    }
    if (this.config.AUTO_CONFIRM_EMAIL) throw errors.userExists();
    // With confirmation by mail a taken address must look like a free one.
    const now = this.clock.now();
    return toUserView({
      ...known,
      id: randomUUID(),
      email_confirmed_at: null,
      banned_until: null,
      confirmation_sent_at: now,
      last_sign_in_at: null,
      user_metadata: {},
      roles: [],
      identities: [],
      factors: [],
      created_at: now,
      updated_at: now,
      new_email: null,
      recovery_sent_at: null,
      reauthentication_sent_at: null,
      email_change_sent_at: null,
    });
  }
}

/** What a person said of themselves is theirs: whoever signs up with their address again hears nothing of it. */
function toldNobody(user: UserRecord): UserRecord {
  const known = { sub: user.id, email: user.email, email_verified: false, phone_verified: false };
  return { ...user, user_metadata: {}, identities: user.identities.map((identity) => ({ ...identity, identity_data: known })) };
}
