import { CurrentUserId } from '@decola/service-kit';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { z } from 'zod';
import { priceId } from '../catalogue/price-id.js';
import { ChangePlanService } from './change-plan.service.js';

const changePlanBody = z.object({
  new_price_id: priceId,
  /** Only tells what the change would cost. */
  preview: z.boolean().optional(),
  /** `proration_date` of the preview that the person saw. */
  proration_date: z.number().int().positive().optional(),
});

@Controller('functions/v1')
export class ChangePlanController {
  constructor(private readonly changes: ChangePlanService) {}

  @Post('change-plan')
  @HttpCode(200)
  async changePlan(@CurrentUserId() userId: string, @Body({ schema: changePlanBody }) body: z.infer<typeof changePlanBody>) {
    if (body.preview) return { success: true, preview: await this.changes.preview(userId, body.new_price_id) };
    return { success: true, subscription: { plan_name: await this.changes.change(userId, body.new_price_id, body.proration_date) } };
  }
}
