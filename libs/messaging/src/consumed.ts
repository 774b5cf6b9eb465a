import { metrics } from '@decola/service-kit';
import { Counter } from 'prom-client';

/** `waiting`: it waits for a replica of a newer release, which can read it. */
export const consumed = new Counter({
  name: 'messages_consumed_total',
  help: 'Messages by type and outcome',
  labelNames: ['type', 'outcome'],
  registers: [metrics],
});
