import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestDefinition } from '@decola/contracts';
import type { AmqpConnectionManager, ChannelWrapper } from 'amqp-connection-manager';
import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import type { z } from 'zod';
import { closed } from './closed.js';
import { publishOptions } from './envelope.js';
import { NewerMessageError } from './newer-messages.js';
import { parseBody } from './payload.js';
import { requestQueueOf } from './topology.js';
import { currentTraceparent } from './trace.js';

/** No reply arrived in time, or the service could not answer. The request may be sent again: requests are idempotent. */
export class NoAnswerError extends Error {
  constructor(type: string, why: string) {
    super(`${type}: ${why}`);
    this.name = 'NoAnswerError';
  }
}

interface Reply {
  ok: boolean;
  answer?: unknown;
  /** The service cannot reach its database now, or is of an older release than the request; the same request may succeed soon. */
  isUnavailable?: boolean;
}

const retryPauseMs = 500;

/** Sends requests and receives their replies over RabbitMQ (direct reply-to). */
export class Requester {
  private readonly channel: ChannelWrapper;
  private readonly waiting = new Map<string, (message: ConsumeMessage) => void>();

  constructor(
    connection: AmqpConnectionManager,
    private readonly source: string,
  ) {
    this.channel = connection.createChannel({
      name: `${source} requester`,
      setup: async (channel: ConfirmChannel) => {
        // Direct reply-to: the reply arrives at the channel that sent the request.
        await channel.consume('amq.rabbitmq.reply-to', (message) => message && this.hear(message), { noAck: true });
      },
    });
    this.channel.on('error', () => undefined);
  }

  private hear(message: ConsumeMessage): void {
    const id: unknown = message.properties.correlationId;
    if (typeof id === 'string') this.waiting.get(id)?.(message);
  }

  /**
   * Sends the request, and repeats it until the time is over while the service answers that its database is down, or a replica of another release answers
   * that cannot read the request or whose answer cannot be read here.
   * @throws NoAnswerError when no valid answer came within `timeoutMs`.
   */
  async ask<Request extends z.ZodType, Reply extends z.ZodType>(
    definition: RequestDefinition<Request, Reply>,
    request: z.input<Request>,
    { timeoutMs = 10_000 }: { timeoutMs?: number } = {},
  ): Promise<z.infer<Reply>> {
    const body = Buffer.from(JSON.stringify(definition.request.parse(request)));
    const deadline = performance.now() + timeoutMs;
    for (let remainingMs = timeoutMs; ; remainingMs = Math.ceil(deadline - performance.now())) {
      const reply = await this.askOnce(definition.type, definition.version, body, remainingMs, timeoutMs);
      const answer = reply.ok ? this.read(definition, reply.answer) : undefined;
      if (answer) return answer.value;
      if (!reply.ok && !reply.isUnavailable) throw new NoAnswerError(definition.type, 'the service failed');
      // A last request needs some time to be answered or refused.
      if (performance.now() + 2 * retryPauseMs >= deadline)
        throw new NoAnswerError(definition.type, `for ${timeoutMs} ms the service had no database, or was of another release`);
      await sleep(retryPauseMs);
    }
  }

  /** @returns undefined for an answer of a newer release: another replica may give one that this release can read */
  private read<Request extends z.ZodType, Reply extends z.ZodType>(
    { type, version, reply }: RequestDefinition<Request, Reply>,
    answer: unknown,
  ): { value: z.infer<Reply> } | undefined {
    try {
      return { value: parseBody(answer, { kind: 'answer', type, version, schema: reply }, version) };
    } catch (error) {
      if (error instanceof NewerMessageError) return undefined;
      throw new NoAnswerError(type, error instanceof Error ? error.message : String(error));
    }
  }

  private async askOnce(type: string, version: number, body: Buffer, remainingMs: number, timeoutMs: number): Promise<Reply> {
    const id = randomUUID();
    const answer = new Promise<ConsumeMessage>((resolve, reject) => {
      const timer = setTimeout(() => reject(new NoAnswerError(type, `no answer within ${timeoutMs} ms`)), remainingMs);
      this.waiting.set(id, (message) => {
        clearTimeout(timer);
        resolve(message);
      });
    });
    try {
      const time = new Date().toISOString();
      const options = {
        ...publishOptions({ id, source: this.source, type, version, subject: id, time, traceparent: currentTraceparent() }),
        persistent: false,
        replyTo: 'amq.rabbitmq.reply-to',
        correlationId: id,
        expiration: String(remainingMs),
        timeout: remainingMs,
      };
      const [message] = await Promise.all([answer, this.channel.sendToQueue(requestQueueOf(type), body, options)]);
      return JSON.parse(message.content.toString('utf8')) as Reply;
    } finally {
      this.waiting.delete(id);
    }
  }

  close(): Promise<void> {
    return closed(this.channel.close());
  }
}
