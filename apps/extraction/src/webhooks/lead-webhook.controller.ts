import { type FunctionRefusal, type LeadWebhookAnswer, type LeadWebhookBody, leadWebhookBody } from '@decola/contracts';
import { CurrentUserId } from '@decola/service-kit';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { LeadWebhooks } from './lead-webhooks.service.js';

/** The webhook of a wheel, for its owner. */
@Controller('functions/v1')
export class LeadWebhookController {
  constructor(private readonly webhooks: LeadWebhooks) {}

  @Post('lead-webhook')
  @HttpCode(200)
  webhook(
    @CurrentUserId() ownerId: string,
    @Body({ schema: leadWebhookBody }) body: LeadWebhookBody,
  ): Promise<LeadWebhookAnswer | FunctionRefusal> {
    return this.webhooks.act(ownerId, body);
  }
}
