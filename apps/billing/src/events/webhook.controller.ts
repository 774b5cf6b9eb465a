import { CONFIG, Logger, metrics, Refusal } from '@decola/service-kit';
import { Controller, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Counter } from 'prom-client';
import type Stripe from 'stripe';
import type { BillingConfig } from '../config.js';
import { StripeClient } from '../stripe/stripe-client.js';
import { EventStore } from './event-store.js';

const received = new Counter({
  name: 'stripe_webhooks_total',
  help: 'Deliveries of Stripe by outcome',
  labelNames: ['outcome'],
  registers: [metrics],
});

const largestBytes = 1024 * 1024;
const toleranceSeconds = 300;
/** Stripe takes ten seconds of silence for a failure; a database that says nothing is answered for before that. */
const storeWithinMs = 5_000;

const storeUnavailable = () => new Refusal(503, 'unavailable', 'Try again later', { headers: { 'retry-after': '5' } });

/** What is late may still be stored: then the repeated delivery finds the event known. */
async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing stored after ${ms} ms`)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Where Stripe delivers. The signature over the raw bytes is the only authentication. */
@Controller('webhooks')
export class WebhookController {
  constructor(
    private readonly events: EventStore,
    private readonly client: StripeClient,
    private readonly logger: Logger,
    @Inject(CONFIG) private readonly config: BillingConfig,
  ) {}

  /** Stores the event and answers; everything else happens from the queue. */
  @Post('stripe')
  @HttpCode(200)
  async receive(@Req() request: FastifyRequest & { rawBody?: Buffer }, @Res({ passthrough: true }) reply: FastifyReply): Promise<object> {
    const body = request.rawBody;
    if (body && body.length > largestBytes) return this.refuse(reply, 413, 'Request body is too large');
    const event = body && this.verified(body, request.headers['stripe-signature']);
    if (!event) return this.refuse(reply, 400, 'The signature does not fit the body');
    if (event.livemode !== this.config.STRIPE_LIVEMODE) {
      // A refusal would be delivered again for days.
      received.inc({ outcome: 'wrong_mode' });
      this.client.alert('an event of the other mode was dropped', { event: event.id });
      return { received: true };
    }
    const isNew = await within(storeWithinMs, this.events.receive(event)).catch((error: unknown) => {
      this.logger.error({ err: error }, 'an event could not be stored');
      received.inc({ outcome: 'unavailable' });
      throw storeUnavailable();
    });
    received.inc({ outcome: isNew ? 'stored' : 'known' });
    return { received: true };
  }

  private verified(body: Buffer, signature: string | string[] | undefined): Stripe.Event | undefined {
    if (typeof signature !== 'string') return undefined;
    for (const secret of this.config.STRIPE_WEBHOOK_SECRETS) {
      try {
        const event = this.client.stripe.webhooks.constructEvent(body, signature, secret, toleranceSeconds);

        if (typeof event?.id === 'string' && typeof event.data?.object === 'object') return event;
      } catch {
        // Another secret may fit; any failure to read it is a refusal.
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
