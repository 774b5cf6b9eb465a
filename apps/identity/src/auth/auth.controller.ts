import { CONFIG } from '@decola/service-kit';
import { Body, Controller, Get, Header, HttpCode, Inject, Post, Put, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { originOf } from '../security-events/origin.js';
import type { IdentityConfig } from '../config/config.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { AccessTokens } from '../tokens/access-tokens.service.js';
import { toUserView } from '../users/user.view.js';
import * as errors from '../auth-protocol/auth.errors.js';
import { readBody } from '../auth-protocol/request-body.js';
import { bodies } from './auth.bodies.js';
import { MailRequestsService } from './mail-requests.service.js';
import { allowedRedirect } from './redirects.js';
import { RegistrationService } from './registration.service.js';
import { SignInService } from './sign-in.service.js';
import { UserUpdateService } from './user-update.service.js';
import { VerificationService } from './verification.service.js';

const scopes = ['global', 'local', 'others'] as const;

/** auth/v1: sign-up, sign-in, tokens, the user, and the mails about them. */
@Controller('auth/v1')
export class AuthController {
  constructor(
    private readonly registration: RegistrationService,
    private readonly signIn: SignInService,
    private readonly mailRequests: MailRequestsService,
    private readonly verification: VerificationService,
    private readonly updates: UserUpdateService,
    private readonly sessions: SessionsService,
    private readonly tokens: AccessTokens,
    @Inject(CONFIG) private readonly config: IdentityConfig,
  ) {}

  private redirect(request: FastifyRequest, requested: unknown): string {
    return allowedRedirect(
      typeof requested === 'string' ? requested : undefined,
      request.headers.referer,
      this.config.SITE_URL,
      this.config.REDIRECT_ALLOW_LIST,
    );
  }

  @Post('signup')
  @HttpCode(200)
  signUp(@Body() body: unknown, @Query('redirect_to') redirectTo: unknown, @Req() request: FastifyRequest) {
    return this.registration.signUp(readBody(bodies.signup, body), this.redirect(request, redirectTo), originOf(request));
  }

  @Post('token')
  @HttpCode(200)
  token(@Query('grant_type') grant: unknown, @Body() body: unknown, @Req() request: FastifyRequest) {
    switch (grant) {
      case 'password':
        return this.signIn.signInWithPassword(readBody(bodies.password, body), originOf(request));
      case 'refresh_token': {
        const { refresh_token: token } = readBody(bodies.refresh, body);
        if (!token) throw errors.malformedRefreshToken();
        return this.sessions.refresh(token);
      }
      case 'pkce':
        return this.signIn.exchangeCode(readBody(bodies.pkce, body), originOf(request));
      case 'id_token':
        throw errors.providerDisabled('provider_disabled', 'Provider is not enabled', 400);
      case 'web3':
        throw errors.providerDisabled('web3_provider_disabled', 'Web3 provider is disabled');
      default:
        throw errors.unsupportedGrant();
    }
  }

  @Get('user')
  async user(@Req() request: FastifyRequest) {
    return toUserView((await this.sessions.authenticate(request.headers.authorization)).user);
  }

  @Put('user')
  async updateUser(@Body() body: unknown, @Query('redirect_to') redirectTo: unknown, @Req() request: FastifyRequest) {
    const session = await this.sessions.authenticate(request.headers.authorization);
    return this.updates.update(session, readBody(bodies.updateUser, body), this.redirect(request, redirectTo));
  }

  @Post('logout')
  @HttpCode(204)
  async logout(@Query('scope') scope: unknown, @Req() request: FastifyRequest): Promise<void> {
    const requested = scope || 'global';
    const known = scopes.find((each) => each === requested);
    if (!known) throw errors.validationFailed(`Unsupported logout scope`);
    const { userId, sessionId } = await this.tokens.verify(request.headers.authorization);
    // A session that has already ended is no error.
    await this.sessions.end(userId, sessionId, known);
  }

  @Post('recover')
  @HttpCode(200)
  recover(@Body() body: unknown, @Query('redirect_to') redirectTo: unknown, @Req() request: FastifyRequest) {
    return this.mailRequests.recover(readBody(bodies.recover, body), this.redirect(request, redirectTo));
  }

  @Post('otp')
  @HttpCode(200)
  otp(@Body() body: unknown, @Query('redirect_to') redirectTo: unknown, @Req() request: FastifyRequest) {
    return this.mailRequests.otp(readBody(bodies.otp, body), this.redirect(request, redirectTo));
  }

  @Post('resend')
  @HttpCode(200)
  resend(@Body() body: unknown, @Query('redirect_to') redirectTo: unknown, @Req() request: FastifyRequest) {
    return this.mailRequests.resend(readBody(bodies.resend, body), this.redirect(request, redirectTo));
  }

  @Get('reauthenticate')
  async reauthenticate(@Req() request: FastifyRequest) {
    const { user } = await this.sessions.authenticate(request.headers.authorization);
    return this.mailRequests.reauthenticate(user);
  }

  @Post('verify')
  @HttpCode(200)
  verify(@Body() body: unknown, @Req() request: FastifyRequest) {
    return this.verification.verify(readBody(bodies.verify, body), originOf(request));
  }

  /** Follows a mail's link in a browser: success and refusal both redirect to a page. */
  @Get('verify')
  async followLink(@Query() query: Record<string, unknown>, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { token, type } = query;
    if (typeof token !== 'string' || typeof type !== 'string' || token === '' || type === '')
      throw errors.validationFailed('Verify requires a token and a verification type');
    const target = new URL(this.redirect(request, query['redirect_to']));
    const followed = await this.verification.followLink(token, type, originOf(request));
    if ('refusal' in followed) {
      const { code, message } = followed.refusal;
      const failure = new URLSearchParams({ error: 'access_denied', error_code: code, error_description: message });
      if (token.startsWith('pkce_')) for (const [key, value] of failure) target.searchParams.set(key, value);
      target.hash = `${failure.toString()}&sb=`;
    } else if ('code' in followed) {
      target.searchParams.set('code', followed.code);
    } else {
      const { access_token, expires_at, expires_in, refresh_token } = followed.session as Record<string, string | number>;
      const fragment = new URLSearchParams({
        access_token: String(access_token),
        expires_at: String(expires_at),
        expires_in: String(expires_in),
        refresh_token: String(refresh_token),
        sb: '',
        token_type: 'bearer',
        type,
      });
      target.hash = fragment.toString();
    }
    // 303, so that the browser requests the page by GET.
    await reply.status(303).header('location', target.href).header('cache-control', 'no-store').send();
  }

  @Get('.well-known/jwks.json')
  @Header('cache-control', 'public, max-age=600')
  jwks() {
    return this.tokens.jwks();
  }

  @Get('settings')
  settings() {
    const off = Object.fromEntries(
      ['anonymous_users', 'phone', 'apple', 'azure', 'facebook', 'github', 'google', 'kakao', 'keycloak', 'twitter'].map((name) => [
        name,
        false,
      ]),
    );
    return {
      external: { ...off, email: true },
      disable_signup: false,
      mailer_autoconfirm: this.config.AUTO_CONFIRM_EMAIL,
      phone_autoconfirm: false,
      sms_provider: '',
      saml_enabled: false,
    };
  }

  @Get('health')
  health() {
    return { version: '1', name: this.config.PRODUCT_NAME, description: 'Accounts and sessions' };
  }
}
