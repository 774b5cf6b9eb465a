import { metrics } from '@decola/service-kit';
import { Counter } from 'prom-client';

/** Messages to customers' sites by what came of them: `none`, or the code of the problem. */
export const siteMessages = new Counter({
  name: 'site_messages_total',
  help: 'Messages to customers’ sites by problem (none, dns, timeout, connection, tls, plugin_missing and others)',
  labelNames: ['problem'],
  registers: [metrics],
});

/** What plugins that asked did with operations, by problem: `none`, or its code. They are no calls of ours. */
export const sitePickups = new Counter({
  name: 'site_pickups_total',
  help: 'Operations that plugins of customers’ sites asked for, by problem (none, busy, refused and others)',
  labelNames: ['problem'],
  registers: [metrics],
});

// A counter that starts at zero: Prometheus does not see the increase to the first value of a new series.
for (const problem of ['none', 'dns', 'timeout', 'connection', 'tls']) siteMessages.inc({ problem }, 0);
