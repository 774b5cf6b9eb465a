import { anonymousCaller } from '@decola/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { maxBodyBytes } from '../limits/body-limits.js';
import type { RateLimits } from '../limits/rate-limits.js';
import { declaredLength } from '../proxy/request-body.js';
import type { ServiceProxy } from '../proxy/service-proxy.js';
import * as refusals from '../refusals/refusals.js';
import { sendRefusal } from '../refusals/send-refusal.js';

/** Stripe gives up after ten seconds without an answer. Billing must begin its answer before that, so that Stripe gets a 503 and retries. */
const headersTimeoutMs = 8_000;

/** Forwards webhooks of Stripe to billing, which checks their signature. Only addresses that send invalid ones are limited. */
export class StripeWebhooks {
  constructor(
    private readonly proxy: ServiceProxy,
    private readonly limits: RateLimits,
  ) {}

  async handle(request: FastifyRequest, reply: FastifyReply, clientAddress: string): Promise<void> {
    if (request.method !== 'POST') return sendRefusal(reply, refusals.notFound);
    const maxBytes = maxBodyBytes({ api: 'webhook', service: 'billing' }, request.method);
    if ((declaredLength(request.raw) ?? 0) > maxBytes) return sendRefusal(reply, refusals.bodyTooLarge('webhook'));
    const wait = await this.limits.webhookWaitSeconds(clientAddress);
    if (wait !== null) return sendRefusal(reply, refusals.rateLimited('webhook', wait));
    const status = await this.proxy.forward(request, reply, {
      api: 'webhook',
      service: 'billing',
      caller: anonymousCaller,
      clientAddress,
      maxBodyBytes: maxBytes,
      headersTimeoutMs,
    });
    if (status !== undefined && status >= 400 && status < 500) await this.limits.countInvalidWebhook(clientAddress);
  }
}
