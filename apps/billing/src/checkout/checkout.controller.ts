import { type AuthenticatedCaller, CurrentUser } from '@decola/service-kit';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { z } from 'zod';
import { priceId } from '../catalogue/price-id.js';
import { CheckoutService } from './checkout.service.js';

const checkoutBody = z.object({ price_id: priceId });

@Controller('functions/v1')
export class CheckoutController {
  constructor(private readonly checkout: CheckoutService) {}

  @Post('create-checkout')
  @HttpCode(200)
  async createCheckout(@CurrentUser() caller: AuthenticatedCaller, @Body({ schema: checkoutBody }) body: z.infer<typeof checkoutBody>) {
    return { url: await this.checkout.start(caller, body.price_id) };
  }
}
