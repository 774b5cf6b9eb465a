import { metrics } from '@decola/service-kit';
import { Counter } from 'prom-client';

const outcomes = ['delivered', 'retry', 'failed', 'ended'] as const;

/** Attempts to deliver to webhooks by what followed: `delivered`, `retry`, `failed` (given up) and `ended` (the receiver answered 410). */
export const webhookAttempts = new Counter({
  name: 'webhook_attempts_total',
  help: 'Attempts to deliver to webhooks by what followed: delivered, retry, failed (given up), ended (410)',
  labelNames: ['outcome'],
  registers: [metrics],
});

// A counter that starts at zero: Prometheus does not see the increase to the first value of a new series.
for (const outcome of outcomes) webhookAttempts.inc({ outcome }, 0);
