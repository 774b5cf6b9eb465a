import { type AuthenticatedCaller, CurrentUser, CurrentUserId } from '@decola/service-kit';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { z } from 'zod';
import { CheckoutService } from './checkout/checkout.service.js';
import { PortalService } from './portal/portal.service.js';
import { ChangePlanService } from './subscriptions/change-plan.service.js';
import { CheckSubscriptionService } from './subscriptions/check-subscription.service.js';

/** Ids are printable ASCII; PostgreSQL keeps neither NUL nor half of a surrogate pair. */
const priceId = z
  .string()
  .max(255)
  .regex(/^[!-~]+$/);
const checkoutBody = z.object({ price_id: priceId });
const changePlanBody = z.object({
  new_price_id: priceId,
  /** Only tells what the change would cost. */
  preview: z.boolean().optional(),
  /** Of the preview that the person saw. */
  proration_date: z.number().int().positive().optional(),
});

/** The functions of billing. The person comes from the token, never from the body. */
@Controller('functions/v1')
export class FunctionsController {
  constructor(
    private readonly checks: CheckSubscriptionService,
    private readonly checkout: CheckoutService,
    private readonly changes: ChangePlanService,
    private readonly portal: PortalService,
  ) {}

  @Post('check-subscription')
  @HttpCode(200)
  check(@CurrentUserId() userId: string) {
    return this.checks.check(userId);
  }

  @Post('create-checkout')
  @HttpCode(200)
  async createCheckout(@CurrentUser() caller: AuthenticatedCaller, @Body({ schema: checkoutBody }) body: z.infer<typeof checkoutBody>) {
    return { url: await this.checkout.start(caller, body.price_id) };
  }

  @Post('change-plan')
  @HttpCode(200)
  async changePlan(@CurrentUserId() userId: string, @Body({ schema: changePlanBody }) body: z.infer<typeof changePlanBody>) {
    if (body.preview) return { success: true, preview: await this.changes.preview(userId, body.new_price_id) };
    return { success: true, subscription: { plan_name: await this.changes.change(userId, body.new_price_id, body.proration_date) } };
  }

  @Post('customer-portal')
  @HttpCode(200)
  async customerPortal(@CurrentUserId() userId: string) {
    return { url: await this.portal.open(userId) };
  }
}
