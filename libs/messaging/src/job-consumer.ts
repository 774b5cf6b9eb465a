import type { JobDefinition } from '@decola/contracts';
import { PermanentError } from '@decola/service-kit';
import type { AmqpConnectionManager, ChannelWrapper } from 'amqp-connection-manager';
import type { ConfirmChannel, GetMessage } from 'amqplib';
import type { z } from 'zod';
import { attributesOf, headerOf } from './envelope.js';
import { connectBroker } from './connection.js';
import { passOn, redeliveredHeader } from './failures.js';
import { assertWorkQueue } from './topology.js';
import { inTrace } from './trace.js';

export interface JobDelivery {
  /** The job was given to somebody before, at whatever delivery, who did not acknowledge it: they died, or lost the broker. */
  redelivered: boolean;
  /** How often it was given out before. */
  deliveryCount: number;
  messageId: string;
  queue: string;
}

export interface JobConsumerOptions<Schema extends z.ZodType> {
  /** Broker URL, or a connection to share. */
  url?: string;
  connection?: AmqpConnectionManager;
  name: string;
  job: JobDefinition<Schema>;
  /** Highest priority first: a queue is looked at only when those before it are empty. */
  queues: readonly string[];
  /** How many jobs may be in hand now; asked before each look. */
  prefetch: () => number;
  /** The job is acknowledged when this resolves. RetryLaterError postpones it, PermanentError ends it, any other error climbs the ladder. */
  handle: (payload: z.infer<Schema>, delivery: JobDelivery) => Promise<void>;
  onError?: (error: unknown, delivery: JobDelivery | null) => void;
  /** Pause between two looks at empty queues. Default: 100 ms. */
  idleMs?: number;
}

export interface RunningJobs {
  pause(): void;
  resume(): void;
  /** Jobs in hand. */
  readonly inHand: number;
  isConnected(): boolean;
  /** Takes no new job and waits at most `drainMs` for those in hand; what is left goes back to its queue. */
  stop(options?: { drainMs?: number }): Promise<void>;
}

/**
 * Takes jobs one by one as there is room for them, so that a waiting job is never held by a busy worker while another is free.
 */
export function consumeJobs<Schema extends z.ZodType>(options: JobConsumerOptions<Schema>): RunningJobs {
  const connection = options.connection ?? connectBroker(options.url ?? '', options.name);
  const inHand = new Set<Promise<void>>();
  let channel: ConfirmChannel | undefined;
  let paused = false;
  let stopped = false;
  const wrapper: ChannelWrapper = connection.createChannel({
    name: `${options.name} jobs`,
    setup: async (fresh: ConfirmChannel) => {
      for (const queue of options.queues) await assertWorkQueue(fresh, queue);
      fresh.once('close', () => {
        if (channel === fresh) channel = undefined;
      });
      channel = fresh;
    },
  });
  wrapper.on('error', (error: unknown) => options.onError?.(error, null));

  const take = async (from: ConfirmChannel, queue: string, message: GetMessage): Promise<void> => {
    const delivery: JobDelivery = {
      redelivered: message.fields.redelivered || headerOf(message, redeliveredHeader) !== undefined,
      deliveryCount: Number(headerOf(message, 'x-delivery-count') ?? 0),
      messageId: attributesOf(message).id,
      queue,
    };
    try {
      try {
        const payload = parse(options.job, message);
        await inTrace(headerOf(message, 'traceparent'), `process ${options.job.type}`, () => options.handle(payload, delivery));
      } catch (error) {
        options.onError?.(error, delivery);
        await passOn(from, message, queue, error);
      }
      from.ack(message);
    } catch (error) {
      // The channel went away: the broker gives the job out again.
      options.onError?.(error, delivery);
    }
  };

  /** One look at the queues in their order. @returns whether a job was taken. */
  const look = async (): Promise<boolean> => {
    const from = channel;
    if (!from || paused || inHand.size >= options.prefetch()) return false;
    for (const queue of options.queues) {
      const message = await from.get(queue, { noAck: false });
      if (message === false) continue;
      const work = take(from, queue, message);
      inHand.add(work);
      void work.finally(() => inHand.delete(work));
      return true;
    }
    return false;
  };

  const loop = async (): Promise<void> => {
    while (!stopped) {
      const taken = await look().catch(() => false); // a channel that closed under the look
      if (!taken) await new Promise((resolve) => setTimeout(resolve, options.idleMs ?? 100));
    }
  };
  const running = loop();

  return {
    pause: () => void (paused = true),
    resume: () => void (paused = false),
    get inHand() {
      return inHand.size;
    },
    isConnected: () => connection.isConnected() && channel !== undefined,
    stop: async ({ drainMs = 20_000 } = {}) => {
      stopped = true;
      await running;
      await Promise.race([Promise.allSettled([...inHand]), new Promise((resolve) => setTimeout(resolve, drainMs).unref())]);
      await wrapper.close().catch(() => undefined);
      if (!options.connection) await connection.close().catch(() => undefined);
    },
  };
}

function parse<Schema extends z.ZodType>(job: JobDefinition<Schema>, message: GetMessage): z.infer<Schema> {
  let body: unknown;
  try {
    body = JSON.parse(message.content.toString('utf8'));
  } catch {
    throw new PermanentError('the body is no JSON');
  }
  const parsed = job.schema.safeParse(body);
  if (!parsed.success)
    throw new PermanentError(`the job does not fit ${job.type}: ${parsed.error.issues.map(({ path }) => path.join('.')).join(', ')}`);
  return parsed.data;
}
