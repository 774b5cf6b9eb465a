import { setTimeout as sleep } from 'node:timers/promises';
import { CONFIG, Logger } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import Stripe from 'stripe';
import type { BillingConfig } from '../config/config.js';
import {
  BillingMisconfiguredError,
  CardRefusedError,
  MissingAtStripeError,
  NotRefundableError,
  notRefundableCodes,
  ProviderUnavailableError,
} from './stripe.errors.js';

/** The API version of the pinned package; the webhook endpoint is created with the same one. */
export const apiVersion = '2026-10-28.endive';

/** Pauses before each retry of a request that Stripe refused with 429. */
const rateLimitPausesMs = [300, 900, 2_000];

type Connection = Pick<BillingConfig, 'STRIPE_SECRET_KEY' | 'STRIPE_API_BASE'>;

/** The official package, connected to Stripe or to a stand-in. @param quick one attempt of at most 4 s, for requests that a person waits for. */
export function connectStripe({ STRIPE_SECRET_KEY, STRIPE_API_BASE }: Connection, quick = false): Stripe {
  const base = STRIPE_API_BASE ? new URL(STRIPE_API_BASE) : undefined;
  return new Stripe(STRIPE_SECRET_KEY, {
    apiVersion,
    maxNetworkRetries: quick ? 0 : 2,
    timeout: quick ? 4_000 : 8_000,
    telemetry: false,
    ...(base
      ? {
          host: base.hostname,
          port: base.port || (base.protocol === 'https:' ? 443 : 80),
          protocol: base.protocol === 'https:' ? 'https' : 'http',
        }
      : {}),
  });
}

/**
 * Calls Stripe and checks the answer: the package takes every reply without an `error` member for a success, whatever its status (an empty
 * 503, for example).
 * @param expected the `object` member that a valid answer has.
 * @throws ProviderUnavailableError, BillingMisconfiguredError, CardRefusedError, NotRefundableError or MissingAtStripeError.
 */
export async function requestStripe<Answer extends object>(expected: string, call: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const answer = await call();
      const { object, lastResponse } = answer as { object?: unknown; lastResponse?: { statusCode?: number } };
      const status = lastResponse?.statusCode ?? 200;
      if (status < 200 || status > 299 || object !== expected)
        throw new ProviderUnavailableError(`${status} without an error, object ${String(object)}`);
      return answer;
    } catch (error) {
      const pause = rateLimitPausesMs[attempt];
      if (error instanceof Stripe.errors.StripeRateLimitError && pause !== undefined) {
        await sleep(pause);
        continue;
      }
      throw translateError(error);
    }
  }
}

/** Stripe quotes wrong parameters in its messages, and e-mail addresses must not reach a log. */
function redactEmails(sentence: string): string {
  return sentence.replace(/[^\s'"@]+@[^\s'"@]+/g, '[e-mail]');
}

function translateError(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  const { code, requestId, statusCode, message } = error;
  const reason = `${error.type} ${statusCode ?? ''} ${code ?? ''} ${requestId ?? ''}`.trim();
  if (error instanceof Stripe.errors.StripeCardError || statusCode === 402)
    return new CardRefusedError(code ?? 'card_declined', error.decline_code);
  if (code === 'resource_missing' || statusCode === 404) return new MissingAtStripeError(error.param ?? 'object');
  const notRefundableCode = notRefundableCodes.find((known) => known === code);
  if (notRefundableCode) return new NotRefundableError(notRefundableCode);
  if (
    error instanceof Stripe.errors.StripeAuthenticationError ||
    error instanceof Stripe.errors.StripePermissionError ||
    error instanceof Stripe.errors.StripeInvalidRequestError ||
    error instanceof Stripe.errors.StripeIdempotencyError
  )
    return new BillingMisconfiguredError(`${reason}: ${redactEmails(message)}`);
  // A non-JSON answer comes from a proxy in between, not from Stripe; the package gives it no status.
  return new ProviderUnavailableError(reason, error instanceof Stripe.errors.StripeAPIError && (statusCode ?? 0) >= 500);
}

/** Billing's connection to Stripe: checks every answer and logs failures. */
@Injectable()
export class StripeClient {
  readonly stripe: Stripe;
  /** For requests that a person waits for and that can fall back to the stored state. */
  readonly quick: Stripe;

  constructor(
    @Inject(CONFIG) config: BillingConfig,
    private readonly logger: Logger,
  ) {
    this.stripe = connectStripe(config);
    this.quick = connectStripe(config, true);
  }

  /** `requestStripe`, with Stripe's reason in the log and never in an answer. */
  async request<Answer extends object>(
    expected: string,
    call: (stripe: Stripe) => Promise<Answer>,
    { quick = false } = {},
  ): Promise<Answer> {
    try {
      return await requestStripe(expected, () => call(quick ? this.quick : this.stripe));
    } catch (error) {
      if (error instanceof BillingMisconfiguredError) this.logger.error({ reason: error.reason }, 'Stripe refused a call of billing');
      else if (error instanceof ProviderUnavailableError) this.logger.warn({ reason: error.reason }, 'Stripe did not answer');
      throw error;
    }
  }

  /** Logs something that an operator must look at. */
  alert(what: string, facts: Record<string, unknown> = {}): void {
    this.logger.error({ alert: what, ...facts }, what);
  }
}
