import type { JobDefinition } from '@decola/contracts';
import type { DatabaseWatch } from '@decola/database';
import type { ChannelWrapper } from 'amqp-connection-manager';
import type { ConfirmChannel, GetMessage } from 'amqplib';
import pTimeout from 'p-timeout';
import type { z } from 'zod';
import { acknowledgementTimeoutOf } from './acknowledgement-timeout.js';
import { closed } from './closed.js';
import { type BrokerConnection, connectBroker } from './connection.js';
import { consumed } from './consumed.js';
import { declareUntilDone } from './declare-until-done.js';
import { attributesOf, headerOf } from './envelope.js';
import { redeliveredHeader, retryOrDeadLetter } from './failures.js';
import { parsePayload } from './payload.js';
import { mayRequeueUncounted, requeue, RequeueBuffer } from './requeue.js';
import { assertWorkQueue } from './topology.js';
import { inTrace } from './trace.js';
import { WakeablePause } from './wakeable-pause.js';
import { type WeightedQueue, WeightedRoundRobin } from './weighted-round-robin.js';

export interface JobDelivery {
  /** The job was delivered before to a worker that did not acknowledge it, because it died or lost its connection to the broker. */
  redelivered: boolean;
  /** How often it was delivered before. */
  deliveryCount: number;
  messageId: string;
  queue: string;
}

export interface JobConsumerOptions<Schema extends z.ZodType> {
  /** Broker URL, or a connection to share. */
  url?: string;
  connection?: BrokerConnection;
  name: string;
  job: JobDefinition<Schema>;
  /** Jobs are taken from these queues in proportion to their weights. */
  queues: readonly WeightedQueue[];
  /** How many jobs may be handled at the same time; asked before each job. */
  prefetch: () => number;
  /**
   * Called with jobs that this release can read; others wait for a newer one. The job is acknowledged when this resolves. RetryLaterError postpones it and PermanentError dead-letters it; after any other error it is tried
   * again with growing delays.
   */
  handle: (payload: z.infer<Schema>, delivery: JobDelivery) => Promise<void>;
  onError?: (error: unknown, delivery: JobDelivery | null) => void;
  /** The database that `handle` needs: during an outage no job is taken, and a job that failed because of it is requeued uncounted. */
  database?: DatabaseWatch;
  /** Pause after which empty queues are asked again; it grows to five times that while they stay empty. Default: 100 ms. */
  idleMs?: number;
}

export interface RunningJobs {
  pause(): void;
  resume(): void;
  /** Number of jobs that are being handled. */
  readonly inHand: number;
  isConnected(): boolean;
  /** Takes no further job and waits at most `drainMs` for those under way; unfinished ones return to their queue. */
  stop(options?: { drainMs?: number }): Promise<void>;
}

/**
 * Pause before empty queues are asked again, in ms: a twentieth of the time since the last job, between `idleMs` and five times that. Asking costs the broker
 * as much as a job, and a consumer at rest need not ask as often as one between two jobs.
 */
export const idlePause = (idleMs: number, sinceJobMs: number): number => Math.min(Math.max(sinceJobMs / 20, idleMs), 5 * idleMs);

/** Takes jobs one by one as capacity becomes free, so that no job waits at a busy worker while another worker is idle. */
export function consumeJobs<Schema extends z.ZodType>(options: JobConsumerOptions<Schema>): RunningJobs {
  const connection = options.connection ?? connectBroker(options.url ?? '', options.name);
  const inHand = new Set<Promise<void>>();
  const requeueBuffer = new RequeueBuffer();
  const roundRobin = new WeightedRoundRobin(options.queues);
  const idle = new WakeablePause();
  let channel: ConfirmChannel | undefined;
  let isPaused = false;
  let isStopped = false;
  const wrapper: ChannelWrapper = connection.createChannel({
    name: `${options.name} jobs`,
    setup: async (fresh: ConfirmChannel) => {
      const declareAll = async (declaring: ConfirmChannel) => {
        for (const { name } of options.queues) await assertWorkQueue(declaring, name);
      };
      if (!(await declareUntilDone(connection, fresh, declareAll, (error) => options.onError?.(error, null)))) return;
      fresh.once('close', () => {
        if (channel === fresh) channel = undefined;
      });
      channel = fresh;
    },
  });
  wrapper.on('error', (error: unknown) => options.onError?.(error, null));
  // An error of a channel closes the whole connection, so its reason arrives with the disconnect.
  const reportTimeout = ({ err }: { err?: unknown }): void => {
    const names = options.queues.map(({ name }) => name);
    const error = acknowledgementTimeoutOf(err, names);
    if (error) options.onError?.(error, null);
  };
  connection.on('disconnect', reportTimeout);

  const handle = async (from: ConfirmChannel, queue: string, message: GetMessage): Promise<void> => {
    const delivery: JobDelivery = {
      redelivered: message.fields.redelivered || headerOf(message, redeliveredHeader) !== undefined,
      deliveryCount: Number(headerOf(message, 'x-delivery-count') ?? 0),
      messageId: attributesOf(message).id,
      queue,
    };
    try {
      try {
        const payload = parsePayload(message, options.job);
        await inTrace(headerOf(message, 'traceparent'), `process ${options.job.type}`, () => options.handle(payload, delivery));
      } catch (error) {
        options.onError?.(error, delivery);
        if (mayRequeueUncounted(message) && options.database?.noteFailure(error)) {
          return requeueBuffer.add({ requeue: (each) => requeue(from, each) }, message);
        }
        const { outcome } = await retryOrDeadLetter(from, message, queue, error);
        if (outcome === 'waiting') consumed.inc({ type: options.job.type, outcome });
      }
      from.ack(message);
    } catch (error) {
      // The channel was closed: the broker delivers the job again.
      options.onError?.(error, delivery);
    }
  };

  /** Asks the queues for one job. @returns whether there was one */
  const takeOne = async (): Promise<boolean> => {
    const from = channel;
    if (!from || isPaused || options.database?.outage || inHand.size >= options.prefetch()) return false;
    const job = await roundRobin.next(async ({ name }) => {
      const message = await from.get(name, { noAck: false });
      return message === false ? undefined : { queue: name, message };
    });
    if (!job) return false;
    const work = handle(from, job.queue, job.message);
    inHand.add(work);
    void work.finally(() => {
      inHand.delete(work);
      if (inHand.size === 0) requeueBuffer.flush();
      idle.wake();
    });
    return true;
  };

  const loop = async (): Promise<void> => {
    let tookAt = performance.now();
    while (!isStopped) {
      const isTaken = await takeOne().catch(() => false); // the channel was closed meanwhile
      if (isTaken) tookAt = performance.now();
      else await idle.wait(idlePause(options.idleMs ?? 100, performance.now() - tookAt));
    }
  };
  const running = loop();
  options.database?.listen({
    onOutage: () => undefined,
    onRecovery: () => {
      requeueBuffer.flush();
      idle.wake();
    },
  });

  return {
    pause: () => void (isPaused = true),
    resume: () => {
      isPaused = false;
      idle.wake();
    },
    get inHand() {
      return inHand.size;
    },
    isConnected: () => connection.isConnected() && channel !== undefined,
    stop: async ({ drainMs = 20_000 } = {}) => {
      isStopped = true;
      await running;
      connection.removeListener('disconnect', reportTimeout);
      await pTimeout(Promise.allSettled([...inHand]), { milliseconds: drainMs, message: false });
      await closed(wrapper.close());
      if (!options.connection) await closed(connection.close());
    },
  };
}
