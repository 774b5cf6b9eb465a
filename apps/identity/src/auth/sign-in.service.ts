import { Clock } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Origin } from '../security-events/origin.js';
import { SecurityEvents } from '../security-events/security-events.service.js';
import { AttemptLimits } from '../limits/attempt-limits.service.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { weaknessOf } from '../users/password-rules.js';
import { Passwords } from '../users/passwords.service.js';
import { lockUser, userByEmail } from '../users/user-store.js';
import { isBanned, type UserRecord } from '../users/user.view.js';
import { AuthCodes } from './auth-codes.service.js';
import * as errors from '../auth-protocol/auth.errors.js';
import type { Body } from './auth.bodies.js';

/** Sign-in by password, or by the PKCE code that a mail's link passed to the page. */
@Injectable()
export class SignInService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly passwords: Passwords,
    private readonly sessions: SessionsService,
    private readonly limits: AttemptLimits,
    private readonly events: SecurityEvents,
    private readonly clock: Clock,
    private readonly codes: AuthCodes,
  ) {}

  async signInWithPassword(body: Body<'password'>, origin: Origin): Promise<Record<string, unknown>> {
    if (Boolean(body.email) === Boolean(body.phone)) throw errors.validationFailed('missing email or phone');
    if (!body.email) throw errors.providerDisabled('phone_provider_disabled', 'Phone logins are disabled');
    const email = body.email.trim().toLowerCase();
    const password = body.password ?? '';
    // Loaded only after the limits allow the attempt, so that a refused one costs no query.
    let user: UserRecord | null = null;
    const find = async () => (user ??= await userByEmail(this.dataSource.manager, email));
    const isRight = await this.limits.check(
      {
        kind: 'password',
        account: email,
        ip: origin.ip,
        isKnownNetwork: async () => this.events.signedInFrom((await find())?.id ?? null, origin.ip),
      },
      async () => this.passwords.verify((await find())?.password_hash ?? null, password),
    );
    return this.afterPassword(user, isRight, password, origin);
  }

  private async afterPassword(
    user: UserRecord | null,
    isRight: boolean,
    password: string,
    origin: Origin,
  ): Promise<Record<string, unknown>> {
    if (!user || !isRight) {
      if (user) await this.events.record(user.id, 'sign_in.wrong_password', { origin });
      throw errors.invalidCredentials();
    }
    if (isBanned(user, this.clock.now())) throw errors.userBanned();
    if (user.email_confirmed_at === null) throw errors.emailNotConfirmed();
    const session = await this.dataSource.transaction(async (manager) => {
      const current = await lockUser(manager, user.id);
      // The password was changed while this one was checked.
      if (current?.password_hash !== user.password_hash) throw errors.invalidCredentials();
      return this.sessions.open(manager, current, 'password', origin);
    });
    const weakness = weaknessOf(password);
    return weakness ? { ...session, weak_password: weakness } : session;
  }

  async exchangeCode(body: Body<'pkce'>, origin: Origin): Promise<Record<string, unknown>> {
    if (!body.auth_code || !body.code_verifier)
      throw errors.validationFailed('invalid request: both auth code and code verifier should be non-empty');
    const { auth_code: code, code_verifier: verifier } = body;
    return this.dataSource.transaction(async (manager) => {
      const { user, method } = await this.codes.redeem(manager, code, verifier);
      return this.sessions.open(manager, user, method, origin);
    });
  }
}
