import { randomUUID } from 'node:crypto';
import { userRegistered } from '@decola/contracts';
import { isUniqueViolation } from '@decola/database';
import { Outbox } from '@decola/messaging';
import { Clock, CONFIG } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Origin } from '../security-events/origin.js';
import { SecurityEvents } from '../security-events/security-events.service.js';
import { readEmail } from '../auth-protocol/request-body.js';
import type { IdentityConfig } from '../config/config.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { requireSignUpPassword } from '../users/password-rules.js';
import { Passwords } from '../users/passwords.service.js';
import { insertUser, userByEmail, userById } from '../users/user-store.js';
import { toUserView, type UserRecord } from '../users/user.view.js';
import { AccountMails } from './account-mails.service.js';
import * as errors from '../auth-protocol/auth.errors.js';
import type { Body } from './auth.bodies.js';
import { type Challenge, readChallenge } from './pkce.js';

/** Sign-up (auth-v1, 5.1). */
@Injectable()
export class RegistrationService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly passwords: Passwords,
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
    const passwordHash = await this.passwords.hash(body.password);
    const isConfirmed = this.config.AUTO_CONFIRM_EMAIL;
    if (!isConfirmed) await this.mails.requireQuota();
    const known = await userByEmail(this.dataSource.manager, email);
    // Checked for unknown addresses too, so that the time of the answer does not reveal whether the account exists.
    const isSame = (user: UserRecord | null) => this.passwords.verify(user?.password_hash ?? null, body.password ?? '');
    const isSamePassword = isConfirmed || (await isSame(known));
    if (known) return this.signUpAgain(known, isSamePassword, redirect, challenge);
    try {
      return await this.dataSource.transaction(async (manager) => {
        const user = await this.register(manager, { email, passwordHash, metadata: body.data ?? {}, isConfirmed });
        await this.events.record(user.id, 'account.created', { manager, origin });
        if (isConfirmed) return this.sessions.open(manager, user, 'password', origin);
        await this.mails.send(manager, user, 'signup', redirect, challenge);
        return toUserView((await userById(manager, user.id))!);
      });
    } catch (error) {
      // A simultaneous sign-up created the account first.
      const first = isUniqueViolation(error) ? await userByEmail(this.dataSource.manager, email) : null;
      if (first) return this.signUpAgain(first, isConfirmed || (await isSame(first)), redirect, challenge);
      throw error;
    }
  }

  /** Creates a user and publishes `user.registered`, in the caller's transaction. */
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

  private async signUpAgain(
    known: UserRecord,
    isSamePassword: boolean,
    redirect: string,
    challenge: Challenge | null,
  ): Promise<Record<string, unknown>> {
    if (known.email_confirmed_at === null) {
      // Two passwords were given for one address. Its owner may have chosen either, so confirming the address keeps none of them.
      if (!isSamePassword)
        await this.dataSource.query(
          'update users set password_disputed = true where id = $1 and email_confirmed_at is null and password_hash is not null',
          [known.id],
        );
      // Too soon after the last mail none is sent, and the answer is the same.
      if (!this.mails.isTooSoon(known, 'signup'))
        await this.dataSource.transaction((manager) => this.mails.send(manager, known, 'signup', redirect, challenge));
      return toUserView(withoutPersonalData(known));
    }
    if (this.config.AUTO_CONFIRM_EMAIL) throw errors.userExists();
    // Where addresses are confirmed by mail, a taken address must look like a free one.
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
      mailbox_proven_at: null,
      recovery_sent_at: null,
      reauthentication_sent_at: null,
      email_change_sent_at: null,
    });
  }
}

/** Removes what the person entered about themselves: somebody else may be signing up with their address. */
function withoutPersonalData(user: UserRecord): UserRecord {
  const known = { sub: user.id, email: user.email, email_verified: false, phone_verified: false };
  return { ...user, user_metadata: {}, identities: user.identities.map((identity) => ({ ...identity, identity_data: known })) };
}
