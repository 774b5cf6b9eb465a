import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { randomUUID } from 'node:crypto';
import type { BrowserRun } from '@decola/contracts';
import { SystemClock } from '@decola/service-kit';
import { testChromiumPath, testRedis } from '@decola/testing';
import { LeaseStore } from '../../src/accounts/account-lease.js';
import { BrowserPool } from '../../src/browser/browser-pool.js';
import { Artifacts } from '../../src/runs/artifacts.js';
import { RunWorker } from '../../src/runs/run-worker.js';
import { FakeAutomations } from './fake-automations.js';
import { testSealer } from './jobs.js';

export interface WorkerKit {
  worker: RunWorker;
  automations: FakeAutomations;
  leases: LeaseStore;
  browsers: BrowserPool;
  artifactsDir: string;
  /** Hands a job over as the broker would and returns how it ended. */
  run(job: BrowserRun, redelivered?: boolean): Promise<NonNullable<ReturnType<FakeAutomations['endOf']>>>;
  /** Another worker over the same Redis and the same automations, with a browser of its own when asked. */
  another(): RunWorker;
  redis: { url: string; prefix: string };
  dispose(): Promise<void>;
}

/** The worker's inside with a real Redis and a real Chromium; automations and extraction are faked. */
export async function workerKit(
  networkUrl: string,
  {
    leaseTtlMs = 5_000,
    answerTimeoutMs = 6_000,
    wordTimeoutMs = 1_000,
    wantedForMs = 5_000,
    contextsPerBrowser = 100,
    hangTimeoutMs = 60_000,
  } = {},
): Promise<WorkerKit> {
  const redis = testRedis();
  const leases = new LeaseStore({ url: redis.url, prefix: redis.prefix, ttlMs: leaseTtlMs });
  await leases.connect();
  const browsers = new BrowserPool({ executablePath: testChromiumPath(), sandbox: process.getuid?.() !== 0, contextsPerBrowser });
  const automations = new FakeAutomations();
  const artifactsDir = mkdtempSync(path.join(os.tmpdir(), 'run-pictures-'));
  const errors: unknown[] = [];
  const make = () =>
    new RunWorker({
      workerId: `test-${randomUUID().slice(0, 8)}`,
      leases,
      browsers,
      sealer: testSealer,
      channel: automations,
      clock: new SystemClock(),
      artifacts: new Artifacts(artifactsDir),
      log: { info: () => undefined, warn: () => undefined, error: (facts) => errors.push(facts) },
      options: { baseUrl: new URL(networkUrl), answerTimeoutMs, wordTimeoutMs, wantedForMs, hangTimeoutMs },
    });
  const worker = make();
  return {
    worker,
    automations,
    leases,
    browsers,
    artifactsDir,
    async run(job, redelivered = false) {
      await worker.handle(job, { redelivered });
      const end = automations.endOf(job.runId);
      if (!end) throw new Error('the run did not end');
      if (errors.length > 0)
        throw new Error(`unforeseen: ${JSON.stringify(errors, (_, value: unknown) => (value instanceof Error ? value.stack : value))}`);
      return end;
    },
    another: make,
    redis,
    async dispose() {
      await browsers.close();
      leases.close();
      await redis.dispose();
    },
  };
}
