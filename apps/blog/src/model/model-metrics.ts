import { metrics } from '@decola/service-kit';
import { Counter } from 'prom-client';

/** Calls to the language model by step and by how they ended. */
export const modelCalls = new Counter({
  name: 'model_calls_total',
  help: 'Calls to the language model by step and outcome: ok, cut (at its limit), refused, busy (may be repeated), error',
  labelNames: ['step', 'outcome'],
  registers: [metrics],
});
