import { metrics } from '@decola/service-kit';
import { Counter, Gauge, Histogram } from 'prom-client';

const runs = new Counter({
  name: 'browser_runs_total',
  help: 'Runs that this worker carried out, by plan, outcome and stop class',
  labelNames: ['plan', 'outcome', 'stop'],
  registers: [metrics],
});

const seconds = new Histogram({
  name: 'browser_run_duration_seconds',
  help: 'Time from the lease to run.finished',
  labelNames: ['plan'],
  buckets: [1, 2, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600, 14_400],
  registers: [metrics],
});

export function countRun(run: { plan: string; outcome: string; stop: string | null; seconds: number }): void {
  runs.inc({ plan: run.plan, outcome: run.outcome, stop: run.stop ?? 'none' });
  seconds.observe({ plan: run.plan }, run.seconds);
}

/** Figures that are read when somebody asks. */
export function measureWorker(read: { busy: () => number; browsers: () => number }): void {
  gauge('browser_runs_active', 'Runs under way', read.busy);
  gauge('browser_processes', 'Chromium browsers that are up', read.browsers);
}

function gauge(name: string, help: string, read: () => number): void {
  if (metrics.getSingleMetric(name)) metrics.removeSingleMetric(name);
  new Gauge({
    name,
    help,
    registers: [metrics],
    collect() {
      this.set(read());
    },
  });
}
