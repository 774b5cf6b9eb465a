import { Body, Controller, Delete, HttpCode, Param, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { originOf } from '../security-events/origin.js';
import { providerDisabled, validationFailed } from '../auth-protocol/auth.errors.js';
import { readBody } from '../auth-protocol/request-body.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { challengeBody, enrollBody, verifyBody } from './factor.bodies.js';
import { FactorsService } from './factors.service.js';

/** Second factors (auth-v1, 6.8). There is no route that lists them: the user object contains them. */
@Controller('auth/v1/factors')
export class FactorsController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly factors: FactorsService,
  ) {}

  @Post()
  @HttpCode(200)
  async enroll(@Body() body: unknown, @Req() request: FastifyRequest) {
    const session = await this.sessions.authenticate(request.headers.authorization);
    const { factor_type: type, ...asked } = readBody(enrollBody, body);
    if (type === 'phone' || type === 'webauthn') throw providerDisabled(`mfa_${type}_enroll_not_enabled`, 'MFA enroll is disabled');
    if (type !== 'totp') throw validationFailed('factor_type needs to be totp, phone, or webauthn');
    return this.factors.enroll(session, { name: asked.friendly_name ?? '', issuer: asked.issuer || null });
  }

  @Post(':id/challenge')
  @HttpCode(200)
  async challenge(@Param('id') id: string, @Body() body: unknown, @Req() request: FastifyRequest) {
    const session = await this.sessions.authenticate(request.headers.authorization);
    readBody(challengeBody, body);
    return this.factors.challenge(session, id, originOf(request));
  }

  @Post(':id/verify')
  @HttpCode(200)
  async verify(@Param('id') id: string, @Body() body: unknown, @Req() request: FastifyRequest) {
    const session = await this.sessions.authenticate(request.headers.authorization);
    const { challenge_id: challengeId, code } = readBody(verifyBody, body);
    if (!code) throw validationFailed('Code needs to be non-empty');
    return this.factors.verify(session, id, { challengeId: challengeId ?? '', code }, originOf(request));
  }

  @Delete(':id')
  @HttpCode(200)
  async remove(@Param('id') id: string, @Req() request: FastifyRequest) {
    return this.factors.remove(await this.sessions.authenticate(request.headers.authorization), id);
  }
}
