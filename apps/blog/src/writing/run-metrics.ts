import { metrics } from '@decola/service-kit';
import { Counter } from 'prom-client';

/** Runs of articles by how they ended. */
export const endedRuns = new Counter({
  name: 'article_runs_ended_total',
  help: 'Runs of articles by their last state (published, needs_review, skipped, failed) and reason (none, budget, policy and others)',
  labelNames: ['state', 'reason'],
  registers: [metrics],
});

// A counter that starts at zero: Prometheus does not see the increase to the first value of a new series.
endedRuns.inc({ state: 'skipped', reason: 'budget' }, 0);
