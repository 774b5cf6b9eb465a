import { CONFIG, Logger } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import Stripe from 'stripe';
import type { BillingConfig } from '../config.js';
import {
  BillingMisconfiguredError,
  CardRefusedError,
  MissingAtStripeError,
  NothingToGiveBackError,
  nothingToGiveBackCodes,
  ProviderUnavailableError,
} from './stripe.errors.js';

/** The API version that the pinned package speaks; the webhook endpoint is made with the same. */
export const apiVersion = '2026-10-28.endive';

const rateLimitPausesMs = [300, 900, 2_000];

type Connection = Pick<BillingConfig, 'STRIPE_SECRET_KEY' | 'STRIPE_API_BASE'>;

/** The official package, at Stripe or at a stand-in. @param quick one attempt of 4 s, for calls somebody waits for. */
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
 * Asks Stripe and believes only a real answer: the package takes every reply without an `error` member for a success, whatever its
 * status (an empty 503, for example).
 * @param expected `object` of the answer.
 * @throws ProviderUnavailableError, BillingMisconfiguredError, CardRefusedError, NothingToGiveBackError or MissingAtStripeError.
 */
export async function asked<Answer extends object>(expected: string, call: () => Promise<Answer>): Promise<Answer> {
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
        await new Promise((resolve) => setTimeout(resolve, pause));
        continue;
      }
      throw translated(error);
    }
  }
}

/** Stripe repeats wrong parameters in its sentences; e-mail addresses do not belong into a log. */
function withoutAddresses(sentence: string): string {
  return sentence.replace(/[^\s'"@]+@[^\s'"@]+/g, '[e-mail]');
}

function translated(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  const { code, requestId, statusCode, message } = error;
  const reason = `${error.type} ${statusCode ?? ''} ${code ?? ''} ${requestId ?? ''}`.trim();
  if (error instanceof Stripe.errors.StripeCardError || statusCode === 402)
    return new CardRefusedError(code ?? 'card_declined', error.decline_code);
  if (code === 'resource_missing' || statusCode === 404) return new MissingAtStripeError(error.param ?? 'object');
  const nothingToGiveBack = nothingToGiveBackCodes.find((known) => known === code);
  if (nothingToGiveBack) return new NothingToGiveBackError(nothingToGiveBack);
  if (
    error instanceof Stripe.errors.StripeAuthenticationError ||
    error instanceof Stripe.errors.StripePermissionError ||
    error instanceof Stripe.errors.StripeInvalidRequestError ||
    error instanceof Stripe.errors.StripeIdempotencyError
  )
    return new BillingMisconfiguredError(`${reason}: ${withoutAddresses(message)}`);
  // An answer that is no JSON is somebody's in between; the package gives it no status.
  return new ProviderUnavailableError(reason, error instanceof Stripe.errors.StripeAPIError && (statusCode ?? 0) >= 500);
}

/** The two ways in which billing talks to Stripe, and the log of what went wrong. */
@Injectable()
export class StripeClient {
  readonly stripe: Stripe;
  /** For calls that a person waits for and that have a stored answer to fall back to. */
  readonly quick: Stripe;

  constructor(
    @Inject(CONFIG) config: BillingConfig,
    private readonly logger: Logger,
  ) {
    this.stripe = connectStripe(config);
    this.quick = connectStripe(config, true);
  }

  /** `asked`, with the provider's reason in the log and never in an answer. */
  async ask<Answer extends object>(expected: string, call: (stripe: Stripe) => Promise<Answer>, { quick = false } = {}): Promise<Answer> {
    try {
      return await asked(expected, () => call(quick ? this.quick : this.stripe));
    } catch (error) {
      if (error instanceof BillingMisconfiguredError) this.logger.error({ reason: error.reason }, 'Stripe refused a call of billing');
      else if (error instanceof ProviderUnavailableError) this.logger.warn({ reason: error.reason }, 'Stripe did not answer');
      throw error;
    }
  }

  /** Something that operators must look at. */
  alert(what: string, facts: Record<string, unknown> = {}): void {
    this.logger.error({ alert: what, ...facts }, what);
  }
}
