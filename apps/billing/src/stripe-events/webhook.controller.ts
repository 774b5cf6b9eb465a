import { CONFIG, Logger, metrics, Refusal } from '@decola/service-kit';
import { Controller, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import pTimeout from 'p-timeout';
import { Counter } from 'prom-client';
import type Stripe from 'stripe';
import type { BillingConfig } from '../config/config.js';
import { StripeClient } from '../stripe/stripe-client.js';
import { EventStore } from './event-store.js';

const received = new Counter({
  name: 'stripe_webhooks_total',
  help: 'Deliveries of Stripe by outcome',
  labelNames: ['outcome'],
  registers: [metrics],
});

const maxBodyBytes = 1024 * 1024;
const toleranceSeconds = 300;
/** Stripe gives up after ten seconds without an answer; when the database hangs, 503 must be sent before that. */
const storeTimeoutMs = 5_000;

const storeUnavailable = () => new Refusal(503, 'unavailable', 'Try again later', { headers: { 'retry-after': '5' } });

/** Receives Stripe's webhook deliveries. The signature over the raw body is the only authentication. */
@Controller('webhooks')
export class WebhookController {
  constructor(
    private readonly events: EventStore,
    private readonly client: StripeClient,
    private readonly logger: Logger,
    @Inject(CONFIG) private readonly config: BillingConfig,
  ) {}

  /** Stores the event and answers; a job from the queue processes it. */
  @Post('stripe')
  @HttpCode(200)
  async receive(@Req() request: FastifyRequest & { rawBody?: Buffer }, @Res({ passthrough: true }) reply: FastifyReply): Promise<object> {
    const body = request.rawBody;
    if (body && body.length > maxBodyBytes) return this.refuse(reply, 413, 'Request body is too large');
    const event = body && this.verify(body, request.headers['stripe-signature']);
    if (!event) return this.refuse(reply, 400, 'The signature does not fit the body');
    if (event.livemode !== this.config.STRIPE_LIVEMODE) {
      // Answered with 200, because Stripe would repeat a refused delivery for days.
      received.inc({ outcome: 'wrong_mode' });
      this.client.alert('an event of the other mode was dropped', { event: event.id });
      return { received: true };
    }
    // After a timeout the event may still be stored; the repeated delivery then finds it.
    const isNew = await pTimeout(this.events.store(event), { milliseconds: storeTimeoutMs }).catch((error: unknown) => {
      this.logger.error({ err: error }, 'an event could not be stored');
      received.inc({ outcome: 'unavailable' });
      throw storeUnavailable();
    });
    received.inc({ outcome: isNew ? 'stored' : 'known' });
    return { received: true };
  }

  private verify(body: Buffer, signature: string | string[] | undefined): Stripe.Event | undefined {
    if (typeof signature !== 'string') return undefined;
    for (const secret of this.config.STRIPE_WEBHOOK_SECRETS) {
      try {
        const event = this.client.stripe.webhooks.constructEvent(body, signature, secret, toleranceSeconds);
        // A thin event has no data and is refused. Other malformed events are parked when they are processed.
        if (typeof event?.id === 'string' && typeof event.data === 'object' && event.data !== null && 'object' in event.data) return event;
      } catch {
        // Another secret may match. A body that cannot be parsed is refused like a wrong signature.
      }
    }
    return undefined;
  }

  private refuse(reply: FastifyReply, status: number, message: string): object {
    received.inc({ outcome: 'refused' });
    reply.status(status);
    return { error: { message } };
  }
}
