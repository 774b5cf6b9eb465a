import { metrics, PermanentError } from '@decola/service-kit';
import { Counter } from 'prom-client';
import { MissingAtStripeError } from './stripe.errors.js';

export const parked = new Counter({
  name: 'stripe_parked_total',
  help: 'What Stripe sent that could not be processed and waits for an operator, by kind',
  labelNames: ['kind'],
  registers: [metrics],
});

/**
 * Stripe sent something that no retry makes readable. It is parked: set aside with its reason until an operator has looked, while everything
 * else is processed.
 */
export class ParkedError extends PermanentError {
  constructor(message: string) {
    super(message);
    this.name = 'ParkedError';
  }
}

/** @returns the error as a permanent one when no retry can succeed; undefined when a retry may. */
export function toParkedError(error: unknown): PermanentError | undefined {
  if (error instanceof PermanentError) return error;
  if (error instanceof MissingAtStripeError) return new ParkedError(error.message);
  // Reading a missing property: Stripe's answer has another shape than the one this code knows.
  if (error instanceof TypeError || error instanceof RangeError) {
    const place = /\n\s+at (?:async )?([\w.<>]+)/.exec(error.stack ?? '')?.[1];
    return new ParkedError(`an unexpected shape${place ? ` in ${place}` : ''}: ${error.message}`);
  }
  return undefined;
}
