import type { BrowserRun } from '@decola/contracts';
import { eventually as waitUntil, testBroker, type TestBroker, testRedis } from '@decola/testing';
import { type BrokerAutomations, brokerAutomations } from './broker-automations.js';
import type { FakeAutomations, RunEnd } from './fake-automations.js';
import { testKeyRing } from './jobs.js';
import { badLogLines } from './log-lines.js';
import { Network } from './network.js';
import { type RunningProcess, startWorker, type WorkerEnvironment } from './processes.js';

/** Waits much longer than a browser on a busy machine needs. */
export const eventually = <Result>(assertion: () => Result | Promise<Result>) => waitUntil(assertion, { timeoutMs: 90_000 });

/** A sandbox network, a broker and a fake automations service for the workers of a test file; each worker is a separate process. */
export class ProcessSuite {
  readonly network = new Network();
  private readonly redis = testRedis();
  private started: { broker: TestBroker; side: BrokerAutomations } | undefined;
  private readonly workers: RunningProcess[] = [];
  private readonly envelopes: string[] = [];

  get broker(): TestBroker {
    return this.started!.broker;
  }

  get automations(): FakeAutomations {
    return this.started!.side.automations;
  }

  async begin(): Promise<void> {
    const [broker] = await Promise.all([testBroker(), this.network.start()]);
    this.started = { broker, side: await brokerAutomations(broker.url) };
  }

  /** @param over environment of the worker that differs from that of other tests. */
  async startWorker(over: NodeJS.ProcessEnv = {}): Promise<RunningProcess> {
    const worker = await startWorker(this.around, over);
    this.workers.push(worker);
    return worker;
  }

  /** The servers around the workers. */
  get around(): WorkerEnvironment {
    const { broker, redis, network } = this;
    return { brokerUrl: broker.url, redisUrl: redis.url, redisPrefix: redis.prefix, networkUrl: network.url };
  }

  send(job: BrowserRun, queue: string): Promise<void> {
    this.envelopes.push(job.session.envelope);
    return this.started!.side.send(job, queue);
  }

  /** Waits for the end of a run. It gives up when no run says anything for a long time: many runs at once on a busy machine take long. */
  async ended(runId: string): Promise<RunEnd> {
    for (;;) {
      const { length } = this.automations.log;
      try {
        return await eventually(() => {
          const end = this.automations.endOf(runId);
          if (!end) throw new Error(`run ${runId} has not ended: ${this.automations.log.slice(-20).join(' ')}`);
          return end;
        });
      } catch (error) {
        if (this.automations.log.length === length) throw error;
      }
    }
  }

  /** Kills the workers of a test. @returns the lines that no log may contain, of all of them. */
  async endWorkers(): Promise<string[]> {
    const ended = this.workers.splice(0);
    for (const worker of ended) {
      worker.kill('SIGKILL');
      await worker.ended;
    }
    return ended.flatMap((worker) => badLogLines(worker.output(), this.secrets));
  }

  async dispose(): Promise<void> {
    await this.started?.side.dispose();
    await this.network.stop();
    await this.started?.broker.dispose();
    await this.redis.dispose();
  }

  /** Everything that a worker knows and may not write: cookies, sealed sessions, its key and its password. */
  private get secrets(): string[] {
    const { password } = new URL(this.broker.url);
    return [...this.network.cookieValues, ...this.envelopes, testKeyRing.split(':')[1]!, `:${password}@`];
  }
}

/** Every test of the file also fails when one of its workers logged a line without a message, or a secret. */
export function processSuite(): ProcessSuite {
  const suite = new ProcessSuite();
  beforeAll(() => suite.begin());
  afterEach(async () => {
    suite.automations.resetHooks();
    expect(await suite.endWorkers()).toEqual([]);
  });
  afterAll(() => suite.dispose());
  return suite;
}
