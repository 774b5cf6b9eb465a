import { randomBytes } from 'node:crypto';
import os from 'node:os';
import { browserRun, runQueues } from '@decola/contracts';
import { BROKER_CONNECTION, type BrokerConnection, consumeJobs, EventPublisher, Requester, type RunningJobs } from '@decola/messaging';
import {
  Clock,
  CONFIG,
  HealthRegistry,
  Logger,
  parseKeyRing,
  periodically,
  type PeriodicWork,
  RetryLaterError,
  Sealer,
} from '@decola/service-kit';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { LeaseStore } from '../accounts/lease-store.js';
import { BrowserPool } from '../browser/browser-pool.js';
import { BrowserStarts } from '../browser/browser-starts.js';
import type { WorkerConfig } from '../config/config.js';
import { Screenshots } from './screenshots.js';
import { BrokerRunChannel } from './broker-run-channel.js';
import { countBrowserStart, countRefusedRequest, countRun, countWatchdogEnd, measureWorker } from './run-metrics.js';
import type { RunModules } from './run-module.js';
import { RUN_MODULES } from './run-modules.token.js';
import { RunWorker } from './run-worker.js';

const cleanUpEveryMs = 3_600_000;

/**
 * Consumes run jobs while browsers start and contexts are free, from the run queues in turn by their shares. When the service stops, it takes no more jobs, lets
 * every current action finish, and closes the runs as partial.
 */
@Injectable()
export class RunsConsumer implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly leases: LeaseStore;
  private readonly browsers: BrowserPool;
  private readonly browserStarts: BrowserStarts;
  private readonly worker: RunWorker;
  private jobs: RunningJobs | undefined;
  private readonly screenshots: Screenshots;
  private cleanUp: PeriodicWork | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: WorkerConfig,
    @Inject(BROKER_CONNECTION) private readonly connection: BrokerConnection,
    publisher: EventPublisher,
    requester: Requester,
    private readonly clock: Clock,
    health: HealthRegistry,
    private readonly logger: Logger,
    @Inject(RUN_MODULES) modules: RunModules,
  ) {
    const workerId =
      config.WORKER_ID ??
      `${os
        .hostname()
        .replace(/[^\w.-]/g, '-')
        .slice(0, 40)}-${randomBytes(4).toString('hex')}`;
    this.leases = new LeaseStore({ url: config.REDIS_URL, prefix: config.REDIS_PREFIX, ttlMs: config.LEASE_TTL_MS });
    this.browsers = new BrowserPool({
      executablePath: config.CHROMIUM_PATH,
      sandbox: config.CHROMIUM_SANDBOX,
      contextsPerBrowser: config.CONTEXTS_PER_BROWSER,
      onRefusedRequest: countRefusedRequest,
      onWatchdogEnd: (reason) => {
        countWatchdogEnd(reason);
        logger.error({ reason, workerId }, reason === 'late' ? 'the watchdog ended a browser: a lease ran out' : 'a watchdog died');
      },
      onStart: (error) => {
        countBrowserStart(error ? 'failed' : 'started');
        this.browserStarts.note(error);
      },
    });
    this.browserStarts = new BrowserStarts({
      start: () => this.browsers.start(),
      onChange: (problem) => {
        if (problem === null) logger.info({ workerId }, 'browsers start: runs are taken');
        else logger.error({ reason: problem, workerId }, 'no browser starts: no run is taken');
      },
    });
    this.screenshots = new Screenshots(config.ARTIFACTS_DIR);
    this.worker = new RunWorker({
      workerId,
      leases: this.leases,
      browsers: this.browsers,
      sealer: new Sealer(parseKeyRing(config.SESSION_KEY_RING, 'SESSION_KEY_RING')),
      channel: new BrokerRunChannel(publisher, requester, config.REQUEST_TIMEOUT_MS),
      modules,
      clock,
      screenshots: this.screenshots,
      log: {
        info: (facts, message) => logger.info({ ...facts, workerId }, message),
        warn: (facts, message) => logger.warn({ ...facts, workerId }, message),
        error: (facts, message) => logger.error({ ...facts, workerId }, message),
      },
      options: { baseUrl: new URL(config.NETWORK_URL), answerTimeoutMs: config.ANSWER_TIMEOUT_MS, wordTimeoutMs: config.WORD_TIMEOUT_MS },
      onEnd: countRun,
    });
    health.register('redis', () => this.leases.ping());
    health.register('run queues', () => (this.jobs?.isConnected() ? Promise.resolve() : Promise.reject(new Error('not consuming'))));
    health.register('browsers', () => this.browserStarts.check());
    measureWorker({
      busy: () => this.jobs?.inHand ?? 0,
      browsers: () => this.browsers.browsers,
      browsersStart: () => this.browserStarts.work,
    });
  }

  onApplicationBootstrap(): void {
    this.leases.start();
    this.browserStarts.begin();
    this.cleanUp = periodically(() => this.screenshots.deleteOld(this.clock.now()), {
      intervalMs: cleanUpEveryMs,
      onError: (error) => this.logger.error({ err: error }, 'old screenshots were not deleted'),
    });
    this.jobs = consumeJobs({
      connection: this.connection,
      name: 'browser-worker',
      job: browserRun,
      queues: runQueues,
      prefetch: () => (this.browserStarts.work ? this.config.WORKER_CONTEXTS : 0),
      handle: (job, delivery) => this.worker.handle(job, delivery),
      onError: (error, delivery) => {
        if (error instanceof RetryLaterError)
          this.logger.debug({ messageId: delivery?.messageId, reason: error.message }, 'a job was put back');
        else this.logger.error({ messageId: delivery?.messageId, err: error }, 'a job failed');
      },
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.worker.stop();
    this.browserStarts.stop();
    await this.cleanUp?.stop();
    await this.jobs?.stop({ drainMs: this.config.STOP_GRACE_MS });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.browsers.close();
    this.leases.close();
  }
}
