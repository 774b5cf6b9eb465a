import { type Caller, Logger } from '@decola/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config/config.js';
import * as refusals from '../refusals/refusals.js';
import { sendRefusal } from '../refusals/send-refusal.js';
import { type ForwardedRoute, type ServiceName, serviceUrl } from '../routing/routes.js';
import { forward, type ForwardOptions } from './forward.js';
import { BodyAbortedError, BodyTooLargeError, BodyTooSlowError } from './request-body.js';
import type { ServiceAgent } from './service-agent.js';

type Api = ForwardedRoute['api'] | 'webhook';

export interface ProxiedRequest extends Pick<
  ForwardOptions,
  'clientAddress' | 'responseHeaders' | 'isReadRepeatable' | 'headersTimeoutMs'
> {
  api: Api;
  service: ServiceName;
  caller: Caller | null;
  maxBodyBytes: number;
}

/** Forwards requests to the services and answers for a service that fails, in the error format of the API. */
export class ServiceProxy {
  constructor(
    private readonly config: GatewayConfig,
    private readonly agent: ServiceAgent,
    private readonly logger: Logger,
  ) {}

  /** @returns status of the service's answer; undefined when the gateway answered for it */
  async forward(request: FastifyRequest, reply: FastifyReply, { api, service, ...options }: ProxiedRequest): Promise<number | undefined> {
    try {
      return await forward(request, reply, {
        ...options,
        agent: this.agent,
        serviceUrl: serviceUrl(this.config, service),
        signingKey: this.config.INTERNAL_SIGNING_KEY,
      });
    } catch (error) {
      await this.answerFailure(reply, error, api, service);
      return undefined;
    }
  }

  private async answerFailure(reply: FastifyReply, error: unknown, api: Api, service: ServiceName): Promise<void> {
    if (reply.raw.destroyed || error instanceof BodyAbortedError) return; // the client has disconnected
    if (!reply.sent && error instanceof BodyTooLargeError) return sendRefusal(reply, refusals.bodyTooLarge(api));
    if (!reply.sent && error instanceof BodyTooSlowError) return sendRefusal(reply, refusals.bodyTooSlow(api));
    this.logger.error({ err: error, service }, 'service cannot be reached');
    if (reply.sent) return;
    const isTimeout = error instanceof Error && error.name === 'HeadersTimeoutError';
    await sendRefusal(reply, isTimeout ? refusals.serviceTimedOut(api) : refusals.serviceUnavailable(api, service));
  }
}
