import { randomBytes } from 'node:crypto';
import os from 'node:os';
import { browserRun, runQueues } from '@decola/contracts';
import { BROKER_CONNECTION, consumeJobs, EventPublisher, Requester, type RunningJobs } from '@decola/messaging';
import { Clock, CONFIG, HealthRegistry, parseKeyRing, PinoLogger, RetryLaterError, Sealer } from '@decola/service-kit';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { AmqpConnectionManager } from 'amqp-connection-manager';
import { LeaseStore } from '../accounts/account-lease.js';
import { BrowserPool } from '../browser/browser-pool.js';
import type { WorkerConfig } from '../config.js';
import { Artifacts } from './artifacts.js';
import { BrokerRunChannel } from './broker-run-channel.js';
import { countRun, measureWorker } from './run-metrics.js';
import { RunWorker } from './run-worker.js';

const tidyEveryMs = 3_600_000;

/**
 * Takes run jobs while there are free contexts, those that somebody waits for first. A stop takes no more jobs, lets every
 * action that is under way finish, and closes its run as partial.
 */
@Injectable()
export class RunsService implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly leases: LeaseStore;
  private readonly browsers: BrowserPool;
  private readonly worker: RunWorker;
  private jobs: RunningJobs | undefined;
  private readonly artifacts: Artifacts;
  private tidying: NodeJS.Timeout | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: WorkerConfig,
    @Inject(BROKER_CONNECTION) private readonly connection: AmqpConnectionManager,
    publisher: EventPublisher,
    requester: Requester,
    private readonly clock: Clock,
    health: HealthRegistry,
    private readonly logger: PinoLogger,
  ) {
    logger.setContext('runs');
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
    });
    this.artifacts = new Artifacts(config.ARTIFACTS_DIR);
    this.worker = new RunWorker({
      workerId,
      leases: this.leases,
      browsers: this.browsers,
      sealer: new Sealer(parseKeyRing(config.SESSION_KEY_RING)),
      channel: new BrokerRunChannel(publisher, requester, config.REQUEST_TIMEOUT_MS),
      clock,
      artifacts: this.artifacts,
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
    measureWorker({ busy: () => this.jobs?.inHand ?? 0, browsers: () => this.browsers.browsers });
  }

  onApplicationBootstrap(): void {
    this.leases.start();
    const tidy = () =>
      void this.artifacts
        .forgetOld(this.clock.now())
        .catch((error: unknown) => this.logger.error({ err: error }, 'old pictures were not deleted'));
    this.tidying = setInterval(tidy, tidyEveryMs);
    tidy();
    this.jobs = consumeJobs({
      connection: this.connection,
      name: 'browser-worker',
      job: browserRun,
      queues: runQueues,
      prefetch: () => this.config.WORKER_CONTEXTS,
      handle: (job, delivery) => this.worker.handle(job, delivery),
      onError: (error, delivery) => {
        if (error instanceof RetryLaterError)
          this.logger.debug({ messageId: delivery?.messageId, reason: error.message }, 'a job was put back');
        else this.logger.error({ messageId: delivery?.messageId, err: error }, 'a job failed');
      },
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.tidying);
    this.worker.stop();
    await this.jobs?.stop({ drainMs: this.config.STOP_GRACE_MS });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.browsers.close();
    this.leases.close();
  }
}
