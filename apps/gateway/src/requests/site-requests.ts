import { maxPickupBytes } from '@decola/contracts';
import { anonymousCaller } from '@decola/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RateLimits } from '../limits/rate-limits.js';
import { declaredLength } from '../proxy/request-body.js';
import type { ServiceProxy } from '../proxy/service-proxy.js';
import * as refusals from '../refusals/refusals.js';
import { sendRefusal } from '../refusals/send-refusal.js';

/** Plugins give up after fifteen seconds without an answer. */
const headersTimeoutMs = 12_000;

/** Forwards requests of customers' sites to blog, which checks their signature and how often a site asks. */
export class SiteRequests {
  constructor(
    private readonly proxy: ServiceProxy,
    private readonly limits: RateLimits,
  ) {}

  async handle(request: FastifyRequest, reply: FastifyReply, clientAddress: string): Promise<void> {
    if (request.method !== 'POST') return sendRefusal(reply, refusals.notFound);
    if ((declaredLength(request.raw) ?? 0) > maxPickupBytes) return sendRefusal(reply, refusals.bodyTooLarge('webhook'));
    // Addresses that send invalid requests wait, as do those that send too many of any kind: many sites share the address of their host.
    const wait =
      (await this.limits.webhookWaitSeconds(clientAddress)) ??
      (await this.limits.countRequest(clientAddress, 'webhook', request.method, '/webhooks/wordpress'));
    if (wait !== null) return sendRefusal(reply, refusals.rateLimited('webhook', wait));
    const status = await this.proxy.forward(request, reply, {
      ...{ api: 'webhook', service: 'blog', caller: anonymousCaller, clientAddress, maxBodyBytes: maxPickupBytes, headersTimeoutMs },
    });
    if (status === 400 || status === 401) await this.limits.countInvalidWebhook(clientAddress);
  }
}
