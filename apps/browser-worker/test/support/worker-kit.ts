import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { BrowserRun, RunPlan } from '@decola/contracts';
import { Clock } from '@decola/service-kit';
import { testChromiumPath, testRedis } from '@decola/testing';
import { LeaseStore } from '../../src/accounts/lease-store.js';
import { BrowserPool, type BrowserPoolOptions } from '../../src/browser/browser-pool.js';
import type { PlanOptions } from '../../src/runs/plan-runner.js';
import type { RunModules } from '../../src/runs/run-module.js';
import { RunWorker } from '../../src/runs/run-worker.js';
import { Screenshots } from '../../src/runs/screenshots.js';
import { runModules } from '../../src/tools/registry.js';
import { FakeAutomations, type PeopleSlot, type RunEnd } from './fake-automations.js';
import { jobFor, type Person, testSealer, type TestSession } from './jobs.js';
import { Network } from './network.js';

export interface KitOptions extends Partial<Omit<PlanOptions, 'baseUrl'>> {
  readonly leaseTtlMs?: number;
  readonly contextsPerBrowser?: number;
  /** How runs of these kinds are carried out, in place of their tools' modules. */
  readonly modules?: Partial<RunModules['runs']>;
}

/** How long pages may take: many times longer than they do on a machine without other work. */
const patience = { answerTimeoutMs: 15_000, wordTimeoutMs: 3_000, pictureTimeoutMs: 15_000 };

/** The machine's clock, which a test may set ahead. */
class TestClock extends Clock {
  aheadMs = 0;

  now(): Date {
    return new Date(Date.now() + this.aheadMs);
  }
}

/** The browsers of the test machine. */
export function testBrowsers(over: Partial<BrowserPoolOptions> = {}): BrowserPool {
  return new BrowserPool({ executablePath: testChromiumPath(), sandbox: process.getuid?.() !== 0, contextsPerBrowser: 100, ...over });
}

let shared: BrowserPool | undefined;

/** One pool for all kits of a test file that need none of their own: starting a browser costs more than most runs. */
const sharedBrowsers = () => (shared ??= testBrowsers());

// This module is loaded once for each test file.
afterAll(() => shared?.close());

/** The inside of a worker with a real Redis and a real Chromium; automations and extraction are faked. */
export class WorkerKit {
  readonly automations = new FakeAutomations();
  readonly clock = new TestClock();
  readonly redis = testRedis();
  readonly screenshotsDir = mkdtempSync(path.join(os.tmpdir(), 'run-screenshots-'));
  readonly leases: LeaseStore;
  readonly browsers: BrowserPool;
  private readonly closeBrowsers: () => Promise<void>;
  private worker: RunWorker | undefined;
  private readonly errors: unknown[] = [];

  /** @param browsers a pool that others use too; without it the kit has a pool of its own, and closes it */
  constructor(
    private readonly options: KitOptions = {},
    browsers?: BrowserPool,
  ) {
    this.leases = new LeaseStore({ url: this.redis.url, prefix: this.redis.prefix, ttlMs: options.leaseTtlMs ?? 30_000 });
    this.browsers = browsers ?? testBrowsers({ contextsPerBrowser: options.contextsPerBrowser ?? 100 });
    this.closeBrowsers = () => (browsers ? Promise.resolve() : this.browsers.close());
  }

  async start(networkUrl: string): Promise<this> {
    await this.leases.connect();
    this.worker = new RunWorker({
      workerId: `test-${randomUUID().slice(0, 8)}`,
      leases: this.leases,
      browsers: this.browsers,
      sealer: testSealer,
      channel: this.automations,
      modules: { ...runModules, runs: { ...runModules.runs, ...this.options.modules } },
      clock: this.clock,
      screenshots: new Screenshots(this.screenshotsDir),
      log: { info: () => undefined, warn: () => undefined, error: (facts) => this.errors.push(facts) },
      options: { ...patience, ...this.options, baseUrl: new URL(networkUrl) },
    });
    return this;
  }

  /** Delivers a job as the broker would. */
  async deliver(job: BrowserRun, redelivered = false): Promise<void> {
    await this.worker!.handle(job, { redelivered });
  }

  /** Delivers a job and returns how its run ended. */
  async run(job: BrowserRun, redelivered = false): Promise<RunEnd> {
    await this.deliver(job, redelivered);
    const end = this.automations.endOf(job.runId);
    if (!end) throw new Error('the run did not end');
    if (this.errors.length > 0)
      throw new Error(`unforeseen: ${JSON.stringify(this.errors, (_, value: unknown) => (value instanceof Error ? value.stack : value))}`);
    return end;
  }

  /** Carries out a plan in an account's session. */
  runPlan(session: TestSession, plan: RunPlan, over: Partial<BrowserRun> = {}): Promise<RunEnd> {
    return this.run(jobFor(session, plan, over));
  }

  /** An extraction that contains these people. */
  slotOf(people: readonly Person[]): PeopleSlot {
    return this.automations.slotOf(people);
  }

  actionsOf(runId: string) {
    return this.automations.actions.filter((action) => action.runId === runId);
  }

  /** Outcomes of a run's actions; for a skipped person the reason. */
  outcomesOf(runId: string): string[] {
    return this.actionsOf(runId).map(({ outcome, skipReason }) => skipReason ?? outcome);
  }

  pagesOf(runId: string) {
    return this.automations.pages.filter((page) => page.runId === runId);
  }

  commentsOf(...runIds: string[]) {
    return runIds.flatMap((runId) => this.pagesOf(runId)).flatMap(({ comments }) => comments ?? []);
  }

  rowsOf(...runIds: string[]) {
    return runIds.flatMap((runId) => this.pagesOf(runId)).flatMap(({ rows }) => rows);
  }

  async dispose(): Promise<void> {
    await this.closeBrowsers();
    this.leases.close();
    await this.redis.dispose();
  }
}

/** Runs `work` with a kit of its own for a network at `networkUrl`. A lease that may end early could end the browser, which others would share. */
export async function withKit<Result>(networkUrl: string, options: KitOptions, work: (kit: WorkerKit) => Promise<Result>): Promise<Result> {
  const needsOwnBrowser = options.leaseTtlMs !== undefined || options.contextsPerBrowser !== undefined;
  const kit = new WorkerKit(options, needsOwnBrowser ? undefined : sharedBrowsers());
  try {
    return await work(await kit.start(networkUrl));
  } finally {
    await kit.dispose();
  }
}

/** A sandbox network and a worker for all tests of a file: started before the first, and ended after the last. */
export function workerSuite(options: KitOptions = {}): { network: Network; kit: WorkerKit } {
  const network = new Network();
  const kit = new WorkerKit(options);
  beforeAll(async () => {
    await network.start();
    await kit.start(network.url);
  });
  afterEach(() => kit.automations.resetHooks());
  afterAll(async () => {
    await kit.dispose();
    await network.stop();
  });
  return { network, kit };
}
