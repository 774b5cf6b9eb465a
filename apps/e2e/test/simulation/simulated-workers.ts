import { type BrowserRun, browserRun, type EventDefinition, type PayloadOf, runFinished, runPage, runQueues } from '@decola/contracts';
import { ConfirmedPublisher, connectBroker, consumeJobs, EventPublisher, Requester, type RunningJobs } from '@decola/messaging';
import { parseKeyRing, RetryLaterError, Sealer } from '@decola/service-kit';
import type { z } from 'zod';
import { type AccountCooldown, LeaseStore } from '../../../browser-worker/src/accounts/lease-store.js';
import { SiteTab } from '../../../browser-worker/src/driver/site-tab.js';
import { BrokerRunChannel } from '../../../browser-worker/src/runs/broker-run-channel.js';
import type { RunModules } from '../../../browser-worker/src/runs/run-module.js';
import { RunWorker } from '../../../browser-worker/src/runs/run-worker.js';
import { Screenshots } from '../../../browser-worker/src/runs/screenshots.js';
import type { SimulatedExtraction } from './simulated-extraction.js';
import type { SimulatedNetwork } from './simulated-network.js';
import { SimulatedBrowsers } from './simulated-site.js';
import type { SimulatedTime } from './simulated-time.js';

/** Leases run by the machine's own clock, on which a simulated day takes seconds: they are renewed long before this. */
const leaseMs = 600_000;

/** Publishes as a worker does, and counts what it published. */
export class CountingPublisher extends EventPublisher {
  published = 0;
  /** Called with every event after the broker has stored it. */
  onPublished: (type: string, payload: unknown) => void = () => undefined;

  override async publish<Schema extends z.ZodType>(
    definition: EventDefinition<Schema>,
    payload: z.input<Schema>,
    options: { subject: string; id?: string },
  ): Promise<void> {
    await super.publish(definition, payload, options);
    this.published += 1;
    this.onPublished(definition.type, payload);
  }
}

/** The lease store on Redis, with cooldowns that pass on the simulated clock. */
class SimulatedLeases extends LeaseStore {
  constructor(
    options: ConstructorParameters<typeof LeaseStore>[0],
    private readonly cooldowns: Map<string, number>,
    private readonly time: SimulatedTime,
  ) {
    super(options);
  }

  override cooldownOf(accountKey: string): AccountCooldown {
    return {
      remainingMs: () => Promise.resolve(Math.max(0, (this.cooldowns.get(accountKey) ?? 0) - this.time.now.getTime())),
      start: (ms) => Promise.resolve(void this.cooldowns.set(accountKey, this.time.now.getTime() + ms)),
    };
  }
}

/** Extraction answers in this process; everything else goes over the broker. */
class SimulatedChannel extends BrokerRunChannel {
  constructor(
    publisher: EventPublisher,
    requester: Requester,
    private readonly extraction: SimulatedExtraction,
  ) {
    super(publisher, requester, 30_000);
  }

  override resumeList(...[request]: Parameters<BrokerRunChannel['resumeList']>) {
    return Promise.resolve(this.extraction.resume(request));
  }
  override slotTargets(...[request]: Parameters<BrokerRunChannel['slotTargets']>) {
    return Promise.resolve(this.extraction.targets(request));
  }
  override personName(...[request]: Parameters<BrokerRunChannel['personName']>) {
    return Promise.resolve(this.extraction.name(request));
  }
}

export interface WorkerParts {
  brokerUrl: string;
  redis: { url: string; prefix: string };
  keyRing: string;
  time: SimulatedTime;
  network: SimulatedNetwork;
  modules: RunModules;
  /** Runs that one worker carries out at the same time. */
  contexts: number;
  onError: (error: unknown) => void;
}

/** Two workers that take the jobs from the queues and carry them out with the engine of the browser worker. */
export class SimulatedWorkers {
  /** Jobs that were carried out, or closed because their time was over. */
  finished = 0;
  private readonly workers: { jobs: RunningJobs; close(): Promise<void> }[] = [];
  private readonly openTab: typeof SiteTab.open = SiteTab.open.bind(SiteTab);
  private readonly runs = new Map<string, BrowserRun>();

  private constructor(
    private readonly parts: WorkerParts,
    readonly publisher: CountingPublisher,
    private readonly extraction: SimulatedExtraction,
  ) {}

  static async start(parts: WorkerParts, publisher: CountingPublisher, extraction: SimulatedExtraction): Promise<SimulatedWorkers> {
    const workers = new SimulatedWorkers(parts, publisher, extraction);
    publisher.onPublished = (type, payload) => {
      if (type === runPage.type) extraction.hearPage(payload as PayloadOf<typeof runPage>);
      if (type === runFinished.type) extraction.hearEnd(payload as PayloadOf<typeof runFinished>);
    };
    const cooldowns = new Map<string, number>();
    for (const workerId of ['simulated-1', 'simulated-2']) await workers.add(workerId, cooldowns);
    return workers;
  }

  get inHand(): number {
    return this.workers.reduce((sum, { jobs }) => sum + jobs.inHand, 0);
  }

  /** While there is nothing in the queues, the workers need not look. */
  look(isWorthwhile: boolean): void {
    for (const { jobs } of this.workers) {
      if (isWorthwhile) jobs.resume();
      else jobs.pause();
    }
  }

  async stop(): Promise<void> {
    SiteTab.open = this.openTab;
    for (const worker of this.workers) await worker.close();
  }

  private async add(workerId: string, cooldowns: Map<string, number>): Promise<void> {
    const { brokerUrl, redis, keyRing, time, network, modules, contexts, onError } = this.parts;
    const connection = connectBroker(brokerUrl, workerId);
    const requester = new Requester(connection, '/browser-worker');
    const leases = new SimulatedLeases({ ...redis, ttlMs: leaseMs }, cooldowns, time);
    await leases.connect();
    const browsers = new SimulatedBrowsers(network, (accountId) => {
      const run = this.runs.get(accountId)!;
      return { runId: run.runId, automationId: run.automationId! };
    });
    SiteTab.open = browsers.openTab;
    const worker = new RunWorker({
      workerId,
      leases,
      browsers: browsers.asPool,
      sealer: new Sealer(parseKeyRing(keyRing)),
      channel: new SimulatedChannel(this.publisher, requester, this.extraction),
      modules,
      clock: { now: () => time.now },
      sleep: time.sleep,
      screenshots: new Screenshots('/nonexistent'),
      log: {
        info: () => undefined,
        warn: (facts, message) => onError({ message, ...facts }),
        error: (facts, message) => onError({ message, ...facts }),
      },
      // Whether a list is still wanted is asked after every page: the machine's clock, by which the worker asks, hardly moves.
      options: { baseUrl: new URL('https://www.instagram.com'), answerTimeoutMs: 1_000, wordTimeoutMs: 1_000, confirmWantedEveryMs: 0 },
    });
    const jobs = consumeJobs({
      connection,
      name: workerId,
      job: browserRun,
      queues: runQueues,
      prefetch: () => contexts,
      idleMs: 2,
      handle: async (job, delivery) => {
        this.runs.set(job.session.networkUserId, job);
        await worker.handle(job, delivery);
        this.finished += 1;
      },
      onError: (error) => onError(error instanceof RetryLaterError ? `a job was put back: ${error.message}` : error),
    });
    this.workers.push({
      jobs,
      close: async () => {
        worker.stop();
        await jobs.stop();
        await requester.close();
        await connection.close();
        leases.close();
      },
    });
  }
}

export function countingPublisher(brokerUrl: string): { publisher: CountingPublisher; close(): Promise<void> } {
  const connection = connectBroker(brokerUrl, 'simulation');
  const confirmed = new ConfirmedPublisher(connection, 'simulation');
  const publisher = new CountingPublisher(confirmed, '/browser-worker');
  return {
    publisher,
    close: async () => {
      await confirmed.close();
      await connection.close();
    },
  };
}
