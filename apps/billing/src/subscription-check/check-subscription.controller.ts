import { CurrentUserId } from '@decola/service-kit';
import { Controller, HttpCode, Post } from '@nestjs/common';
import { CheckSubscriptionService } from './check-subscription.service.js';

@Controller('functions/v1')
export class CheckSubscriptionController {
  constructor(private readonly checks: CheckSubscriptionService) {}

  @Post('check-subscription')
  @HttpCode(200)
  check(@CurrentUserId() userId: string) {
    return this.checks.check(userId);
  }
}
