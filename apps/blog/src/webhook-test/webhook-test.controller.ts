import { type TestWebhookAnswer, type TestWebhookBody, testWebhookBody } from '@decola/contracts';
import { CurrentUserId } from '@decola/service-kit';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { WebhookTest } from './webhook-test.service.js';

/** The test of an address and a token in the wizard. */
@Controller('functions/v1')
export class WebhookTestController {
  constructor(private readonly tests: WebhookTest) {}

  @Post('test-webhook')
  @HttpCode(200)
  test(@CurrentUserId() userId: string, @Body({ schema: testWebhookBody }) body: TestWebhookBody): Promise<TestWebhookAnswer> {
    return this.tests.test(userId, body);
  }
}
