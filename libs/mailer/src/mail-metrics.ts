import { metrics } from '@decola/service-kit';
import { Counter } from 'prom-client';

/**
 * Attempts to send a mail by outcome: `sent`, `failed` (it is tried again), `expired` (dropped unsent), `unwanted` (switched off by its recipient) and `unknown_address` (dropped,
 * because the server says that the address does not exist). Readiness does not depend on the
 * mail server: while it is away mails wait, and everything else goes on. `deploy/alerts.yaml` watches this counter instead.
 */
export const mailAttempts = new Counter({
  name: 'mail_attempts_total',
  help: 'Attempts to send a mail by outcome: sent, failed (tried again), expired (dropped unsent), unwanted (switched off by its recipient), unknown_address (dropped)',
  labelNames: ['outcome'],
  registers: [metrics],
});

// A counter that starts at zero: Prometheus does not see the increase to the first value of a new series.
for (const outcome of ['sent', 'failed', 'expired', 'unwanted', 'unknown_address']) mailAttempts.inc({ outcome }, 0);
