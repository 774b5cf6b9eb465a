import { clientAddressHeader } from '@decola/service-kit';
import { Body, Controller, Headers, HttpCode, Post } from '@nestjs/common';
import { LeadPrivacy } from './lead-privacy.service.js';
import { type PrivacyBody, privacyBody } from './privacy-body.js';

/** The function of a winner's own data. Its callers are anonymous: the prize's code lets them in. */
@Controller('functions/v1')
export class LeadPrivacyController {
  constructor(private readonly privacy: LeadPrivacy) {}

  @Post('lead-privacy')
  @HttpCode(200)
  leadPrivacy(@Body({ schema: privacyBody }) body: PrivacyBody, @Headers(clientAddressHeader) address: string | undefined) {
    return this.privacy.act(body, address ?? null);
  }
}
