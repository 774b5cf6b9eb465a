import {
  type DeliveryFunctionAnswer,
  type RetryDeliveryBody,
  retryDeliveryBody,
  type WithdrawArticleBody,
  withdrawArticleBody,
} from '@decola/contracts';
import { CurrentUserId } from '@decola/service-kit';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { DeliveryFunctions } from './delivery-functions.service.js';

/** Deliveries of articles, for their owners. */
@Controller('functions/v1')
export class DeliveriesController {
  constructor(private readonly deliveries: DeliveryFunctions) {}

  @Post('retry-delivery')
  @HttpCode(200)
  retry(@CurrentUserId() userId: string, @Body({ schema: retryDeliveryBody }) body: RetryDeliveryBody): Promise<DeliveryFunctionAnswer> {
    return this.deliveries.retry(userId, body);
  }

  @Post('withdraw-article')
  @HttpCode(200)
  withdraw(
    @CurrentUserId() userId: string,
    @Body({ schema: withdrawArticleBody }) body: WithdrawArticleBody,
  ): Promise<DeliveryFunctionAnswer> {
    return this.deliveries.withdraw(userId, body);
  }

  @Post('revoke-previous-token')
  @HttpCode(200)
  revoke(@CurrentUserId() userId: string): Promise<DeliveryFunctionAnswer> {
    return this.deliveries.revokePreviousToken(userId);
  }
}
