import { anonymousCaller, callerHeader, clientAddressHeaders, Logger, signCaller } from '@decola/service-kit';
import pTimeout from 'p-timeout';
import type { GatewayConfig } from '../config/config.js';
import type { RateLimits } from '../limits/rate-limits.js';
import type { ServiceAgent } from '../proxy/service-agent.js';
import { serviceUrl } from '../routing/routes.js';

const path = '/functions/v1/prize-extractor';
/** After this time the page is sent without the wheel's state, and asks for it itself. */
const patienceMs = 800;

/**
 * Asks for what a wheel's page shows first.
 * @param token of the address; null without one
 * @returns the service's answer as it was, refusals too; null when there is none in time
 */
export type AskForState = (visit: { automationId: string; token: string | null; clientAddress: string }) => Promise<unknown>;

/** The question counts towards the limit of the visitor's address, like any call of a function. */
export function createAskForState(config: GatewayConfig, agent: ServiceAgent, limits: RateLimits, logger: Logger): AskForState {
  const ask = async ({ automationId, token, clientAddress }: Parameters<AskForState>[0]): Promise<unknown> => {
    if ((await limits.countRequest(clientAddress, 'functions', 'POST', path)) !== null) return null;
    const { statusCode, body } = await agent.request({
      origin: serviceUrl(config, 'prize-wheel'),
      path,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        [callerHeader]: signCaller(anonymousCaller, config.INTERNAL_SIGNING_KEY),
        ...clientAddressHeaders(clientAddress, config.INTERNAL_SIGNING_KEY),
      },
      body: JSON.stringify({ automationId, token, action: 'state' }),
      signal: AbortSignal.timeout(patienceMs),
    });
    const text = await body.text();
    return statusCode === 200 ? JSON.parse(text) : null;
  };
  return async (visit) => {
    try {
      // The request cannot be aborted while it waits for a free connection.
      return await pTimeout(ask(visit), { milliseconds: patienceMs });
    } catch (error) {
      logger.warn({ err: error }, 'sent a wheel’s page without its state');
      return null;
    }
  };
}
