import { CONFIG } from '@decola/service-kit';
import { Body, Controller, Delete, Get, Inject, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as errors from '../auth-protocol/auth.errors.js';
import type { IdentityConfig } from '../config/config.js';
import { SessionsService } from '../sessions/sessions.service.js';

/**
 * Routes of auth/v1 for external providers, single sign-on and linked identities: none is enabled, and each answers with the contract's
 * refusal.
 */
@Controller('auth/v1')
export class DisabledProvidersController {
  constructor(
    private readonly sessions: SessionsService,
    @Inject(CONFIG) private readonly config: IdentityConfig,
  ) {}

  @Get('authorize')
  authorize() {
    throw errors.validationFailed('Unsupported provider: provider is not enabled');
  }

  /** Where an external provider would redirect browsers. No provider is enabled, so every call is refused, by a redirect. */
  @Get('callback')
  async callback(@Query() query: Record<string, unknown>, @Res() reply: FastifyReply): Promise<void> {
    await this.refuseCallback(query['state'], reply);
  }

  @Post('callback')
  async postedCallback(@Query() query: Record<string, unknown>, @Body() body: unknown, @Res() reply: FastifyReply): Promise<void> {
    const form = new URLSearchParams(Buffer.isBuffer(body) ? body.toString('utf8') : '');
    await this.refuseCallback(form.get('state') ?? query['state'], reply);
  }

  private async refuseCallback(state: unknown, reply: FastifyReply): Promise<void> {
    const [code, description] =
      typeof state === 'string' && state !== ''
        ? ['bad_oauth_state', 'OAuth state is invalid or has expired']
        : ['bad_oauth_callback', 'OAuth state parameter missing'];
    const target = new URL(this.config.SITE_URL);
    target.search = new URLSearchParams({ error: 'invalid_request', error_code: code, error_description: description }).toString();
    await reply.status(303).header('location', target.href).header('cache-control', 'no-store').send();
  }

  @Post('sso')
  sso() {
    throw errors.providerDisabled('saml_provider_disabled', 'SAML 2.0 is disabled', 404);
  }

  @Get('sso/saml/metadata')
  samlMetadata() {
    throw errors.providerDisabled('saml_provider_disabled', 'SAML 2.0 is disabled', 404);
  }

  @Post('sso/saml/acs')
  samlAssertion() {
    throw errors.providerDisabled('saml_provider_disabled', 'SAML 2.0 is disabled', 404);
  }

  @Get('user/identities/authorize')
  async linkIdentity(@Req() request: FastifyRequest) {
    await this.sessions.authenticate(request.headers.authorization);
    throw errors.providerDisabled('manual_linking_disabled', 'Manual linking is disabled', 404);
  }

  @Delete('user/identities/:identityId')
  async unlinkIdentity(@Req() request: FastifyRequest) {
    await this.sessions.authenticate(request.headers.authorization);
    throw errors.providerDisabled('manual_linking_disabled', 'Manual linking is disabled', 404);
  }
}
