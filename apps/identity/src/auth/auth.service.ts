import { createHash, randomUUID } from 'node:crypto';
import { userRegistered } from '@decola/contracts';
import { Outbox } from '@decola/messaging';
import { Clock, CONFIG } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { z } from 'zod';
import type { Origin } from '../account/origin.js';
import { SecurityEvents } from '../account/security-events.js';
import type { IdentityConfig } from '../config.js';
import { Tries } from '../limits/tries.js';
import { SessionsService, type SignInMethod } from '../sessions/sessions.service.js';
import { hashPassword, requireSignUpPassword, verifyPassword, weaknessOf } from '../users/password.js';
import { announceUser } from '../users/announce.js';
import { insertUser, userByEmail, userById } from '../users/user-store.js';
import { toUserView, type UserRecord } from '../users/user.view.js';
import { AccountMails } from './account-mails.js';
import * as errors from './auth.errors.js';
import { type bodies, readEmail } from './bodies.js';
import { OneTimeTokens, type OneTimeToken, type TokenPurpose } from './one-time-tokens.js';
import { type Challenge, fulfils, readChallenge } from './pkce.js';

type Body<Name extends keyof typeof bodies> = z.infer<(typeof bodies)[Name]>;

/** Which purposes a `type` of verify may meet. */
const purposesByType: ReadonlyMap<string, readonly TokenPurpose[]> = new Map(
  Object.entries({
    signup: ['signup'],
    invite: ['signup'],
    magiclink: ['magiclink'],
    recovery: ['recovery'],
    email_change: ['email_change'],
    email: ['signup', 'magiclink'],
  }),
);

const authCodeSeconds = 300;

export type LinkResult = { session: Record<string, unknown> } | { code: string } | { refusal: errors.AuthError };

@Injectable()
export class AuthService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: SessionsService,
    private readonly oneTime: OneTimeTokens,
    private readonly mails: AccountMails,
    private readonly tries: Tries,
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
      const first = (error as { code?: unknown }).code === '23505' ? await userByEmail(this.dataSource.manager, email) : null;
      if (first) return this.signUpAgain(first, redirect, challenge);
      throw error;
    }
  }

  private async register(manager: EntityManager, input: Parameters<typeof insertUser>[1]): Promise<UserRecord> {
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
      return toUserView(known);
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

  async signInWithPassword(body: Body<'password'>, origin: Origin): Promise<Record<string, unknown>> {
    if (Boolean(body.email) === Boolean(body.phone)) throw errors.validationFailed('missing email or phone');
    if (!body.email) throw errors.providerDisabled('phone_provider_disabled', 'Phone logins are disabled');
    const email = body.email.trim().toLowerCase();
    const password = body.password ?? '';
    // Looked for only where the limits allow: a refused try costs the database nothing.
    let user: UserRecord | null = null;
    const find = async () => (user ??= await userByEmail(this.dataSource.manager, email));
    const isRight = await this.tries.check(
      {
        of: 'password',
        account: email,
        address: origin.ip,
        isKnownAddress: async () => this.events.signedInFrom((await find())?.id ?? null, origin.ip),
      },
      async () => verifyPassword((await find())?.password_hash ?? null, password),
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
    if (user.banned_until && user.banned_until > this.clock.now()) throw errors.userBanned();
    if (user.email_confirmed_at === null) throw errors.emailNotConfirmed();
    const session = await this.dataSource.transaction((manager) => this.sessions.open(manager, user, 'password', origin));
    const weakness = weaknessOf(password);
    return weakness ? { ...session, weak_password: weakness } : session;
  }

  async exchangeCode(body: Body<'pkce'>, origin: Origin): Promise<Record<string, unknown>> {
    if (!body.auth_code || !body.code_verifier)
      throw errors.validationFailed('invalid request: both auth code and code verifier should be non-empty');
    const verifier = body.code_verifier;
    const digest = createHash('sha256').update(body.auth_code).digest();
    return this.dataSource.transaction(async (manager) => {
      const rows = await manager.query<
        { user_id: string; method: SignInMethod; code_challenge: string; code_challenge_method: 's256' | 'plain'; created_at: Date }[]
      >('select * from auth_codes where code_digest = $1 for update', [digest]);
      const [found] = rows;
      if (!found) throw new errors.AuthError(404, 'flow_state_not_found', 'invalid flow state, no valid flow state found');
      if ((this.clock.now().getTime() - found.created_at.getTime()) / 1000 > authCodeSeconds)
        throw new errors.AuthError(422, 'flow_state_expired', 'invalid flow state, flow state has expired');
      if (!fulfils(verifier, { challenge: found.code_challenge, method: found.code_challenge_method }))
        throw new errors.AuthError(400, 'bad_code_verifier', 'code challenge does not match previously saved code verifier');
      await manager.query('delete from auth_codes where code_digest = $1', [digest]);
      const user = await userById(manager, found.user_id);
      if (!user) throw errors.userNotFound();
      return this.sessions.open(manager, user, found.method, origin);
    });
  }

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
        const made = await this.register(manager, { email, passwordHash: null, metadata: body.data ?? {}, isConfirmed: false });
        await this.mails.send(manager, made, 'signup', redirect, challenge);
      })
      .catch((error: unknown) => {
        // Asked twice at the same moment: the first one made the account, and sent the mail.
        if ((error as { code?: unknown }).code !== '23505') throw error;
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
    if (!user || (purpose === 'signup' ? user.email_confirmed_at !== null : user.new_email === null)) return {};
    if (!this.mails.isTooSoon(user, purpose))
      await this.dataSource.transaction((manager) => this.mails.send(manager, user, purpose, redirect, challenge));
    return {};
  }

  async reauthenticate(user: UserRecord): Promise<Record<string, never>> {
    await this.mails.requireQuota();
    this.mails.requireGap(user, 'reauthentication');
    await this.dataSource.transaction((manager) => this.mails.send(manager, user, 'reauthentication', this.config.SITE_URL, null));
    return {};
  }

  /** Verifies a code, or a link's token that the page itself hands in. */
  async verify(body: Body<'verify'>, origin: Origin): Promise<Record<string, unknown>> {
    const { type, token, token_hash: hash } = body;
    if (!type) throw errors.validationFailed('Verify requires a verification type');
    const purposes = purposesByType.get(type);
    if (!purposes) throw errors.validationFailed('Unsupported verification type');
    if (Boolean(token) === Boolean(hash)) throw errors.validationFailed('Verify requires either a token or a token hash');
    if (hash && (body.email || body.phone || body.redirect_to))
      throw errors.validationFailed('Only the token_hash and type should be provided');
    if (token && (!body.email || body.phone))
      throw errors.validationFailed('Only an email address or phone number should be provided on verify');
    const enter = (take: (manager: EntityManager) => Promise<OneTimeToken | null>) =>
      this.dataSource.transaction(async (manager) => {
        const found = await take(manager);
        if (!found) return null;
        const user = await this.confirm(manager, found);
        if (user.banned_until && user.banned_until > this.clock.now()) return errors.userBanned(403);
        return this.sessions.open(manager, user, 'otp', origin);
      });
    if (hash)
      return entered(await enter((manager) => this.oneTime.takeByLink(manager, hash, purposes)), 'Email link is invalid or has expired');
    const email = readEmail(body.email, 422);
    let result: Awaited<ReturnType<typeof enter>> = null;
    // Many codes can be asked for, one after another: tries are limited over all of them.
    await this.tries.check({ of: 'code', account: email, address: origin.ip, isKnownAddress: () => Promise.resolve(false) }, async () => {
      result = await enter((manager) => this.oneTime.takeByCode(manager, email, token ?? '', purposes));
      return result !== null;
    });
    return entered(result);
  }

  /** Follows a link of a mail. @returns what the address gets: a session, a code to exchange, or why there is none. */
  async followLink(token: string, type: string, origin: Origin): Promise<LinkResult> {
    const spent = { refusal: errors.otpExpired('Email link is invalid or has expired') };
    const purposes = purposesByType.get(type);
    if (!purposes) return spent;
    const followed = this.dataSource.transaction(async (manager): Promise<LinkResult> => {
      const found = await this.oneTime.takeByLink(manager, token, purposes);
      if (!found) return spent;
      const user = await this.confirm(manager, found);
      if (user.banned_until && user.banned_until > this.clock.now()) return { refusal: errors.userBanned() };
      if (found.code_challenge === null || found.code_challenge_method === null)
        return { session: await this.sessions.open(manager, user, 'otp', origin) };
      const code = randomUUID();
      await manager.query(
        'insert into auth_codes (code_digest, user_id, method, code_challenge, code_challenge_method, created_at) values ($1, $2, $3, $4, $5, $6)',
        [createHash('sha256').update(code).digest(), user.id, 'otp', found.code_challenge, found.code_challenge_method, this.clock.now()],
      );
      return { code };
    });
    return followed.catch((error: unknown) => {
      // The new address was taken by somebody else meanwhile: a browser opened this, so it is led to a page.
      if (error instanceof errors.AuthError) return { refusal: error };
      throw error;
    });
  }

  private async confirm(manager: EntityManager, token: OneTimeToken): Promise<UserRecord> {
    if (token.purpose === 'email_change') {
      try {
        await manager.query(
          `update users set email = $2, new_email = null, email_change_sent_at = null, email_confirmed_at = coalesce(email_confirmed_at, now()), updated_at = clock_timestamp() where id = $1`,
          [token.user_id, token.email],
        );
      } catch (error) {
        if ((error as { code?: unknown }).code === '23505') throw errors.emailExists();
        throw error;
      }
      await manager.query(
        `update identities set identity_data = identity_data || jsonb_build_object('email', $2::text, 'email_verified', true), updated_at = clock_timestamp() where user_id = $1 and provider = 'email'`,
        [token.user_id, token.email],
      );
      // Whoever reads the old address gets in no more.
      await this.oneTime.clear(manager, token.user_id);
    } else {
      await manager.query(
        `update users set email_confirmed_at = coalesce(email_confirmed_at, now()), user_metadata = user_metadata || '{"email_verified": true}' where id = $1`,
        [token.user_id],
      );
    }
    const user = await userById(manager, token.user_id);
    if (!user) throw errors.userNotFound();
    if (token.purpose === 'email_change') {
      await this.events.record(user.id, 'email.changed', { manager });
      await announceUser(manager, this.outbox, user, this.clock.now());
    }
    if (token.purpose === 'recovery') await this.events.record(user.id, 'recovery.used', { manager });
    return user;
  }
}

/** @throws what stands in the way of the session: in a transaction that must be committed it was returned, not thrown */
function entered(result: Record<string, unknown> | errors.AuthError | null, refusal?: string): Record<string, unknown> {
  if (!result) throw errors.otpExpired(refusal);
  if (result instanceof errors.AuthError) throw result;
  return result;
}
