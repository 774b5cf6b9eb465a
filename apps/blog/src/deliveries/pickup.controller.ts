import { maxPickupBytes, type PickupAnswer } from '@decola/contracts';
import { Controller, HttpCode, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { pickupTooLarge } from './pickup.errors.js';
import { Pickups } from './pickups.service.js';

/** Sites that let no call in ask here for what they would have been sent. The signature over the raw body is the only authentication. */
@Controller('webhooks')
export class PickupController {
  constructor(private readonly pickups: Pickups) {}

  @Post('wordpress')
  @HttpCode(200)
  answer(@Req() { headers, rawBody }: FastifyRequest & { rawBody?: Buffer }): Promise<PickupAnswer> {
    const body = rawBody ?? Buffer.alloc(0);
    if (body.length > maxPickupBytes) throw pickupTooLarge();
    const header = (name: string) => (typeof headers[name] === 'string' ? headers[name] : '');
    return this.pickups.answer({
      ...{ id: header('webhook-id'), timestamp: header('webhook-timestamp'), signatures: header('webhook-signature') },
      body,
    });
  }
}
