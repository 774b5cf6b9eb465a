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

const refusedCalls = new Counter({
  name: 'browser_calls_refused_total',
  help: 'Calls and page loads of pages that were held back: their lease was over, or the run',
  registers: [metrics],
});

export function countRefusedRequest(): void {
  refusedCalls.inc();
}

const watchdogEnds = new Counter({
  name: 'browser_watchdog_ends_total',
  help: 'Browsers that ended by their watchdog: a lease ran out while the worker could not act, or the watchdog died',
  labelNames: ['reason'],
  registers: [metrics],
});

export function countWatchdogEnd(reason: 'late' | 'died'): void {
  watchdogEnds.inc({ reason });
}

const starts = new Counter({
  name: 'browser_starts_total',
  help: 'Starts of Chromium, by outcome',
  labelNames: ['outcome'],
  registers: [metrics],
});

export function countBrowserStart(outcome: 'started' | 'failed'): void {
  starts.inc({ outcome });
}

export function countRun(run: { plan: string; outcome: string; stop: string | null; seconds: number }): void {
  runs.inc({ plan: run.plan, outcome: run.outcome, stop: run.stop ?? 'none' });
  seconds.observe({ plan: run.plan }, run.seconds);
}

/** Registers gauges whose values are read at every scrape. */
export function measureWorker(read: { busy: () => number; browsers: () => number; browsersStart: () => boolean }): void {
  gauge('browser_runs_active', 'Runs under way', read.busy);
  gauge('browser_processes', 'Chromium browsers that are up', read.browsers);
  gauge('browser_startable', 'Whether the last start of Chromium succeeded (1): otherwise (0) this worker takes no runs', () =>
    read.browsersStart() ? 1 : 0,
  );
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
