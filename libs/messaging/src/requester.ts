import { randomUUID } from 'node:crypto';
import type { RequestDefinition } from '@decola/contracts';
import type { AmqpConnectionManager, ChannelWrapper } from 'amqp-connection-manager';
import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import type { z } from 'zod';
import { publishOptions } from './envelope.js';
import { requestQueueOf } from './topology.js';
import { currentTraceparent } from './trace.js';

/** Nobody answered in time, or the one asked could not answer. Asking again may help: questions change nothing twice. */
export class NoAnswerError extends Error {
  constructor(type: string, why: string) {
    super(`${type}: ${why}`);
    this.name = 'NoAnswerError';
  }
}

/** Asks questions by request/reply over RabbitMQ. */
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
        // Direct reply-to: the channel that asks is the one that hears the answer.
        await channel.consume('amq.rabbitmq.reply-to', (message) => message && this.hear(message), { noAck: true });
      },
    });
    this.channel.on('error', () => undefined);
  }

  private hear(message: ConsumeMessage): void {
    const id: unknown = message.properties.correlationId;
    if (typeof id === 'string') this.waiting.get(id)?.(message);
  }

  /** @throws NoAnswerError when no valid answer came within `timeoutMs`. */
  async ask<Request extends z.ZodType, Reply extends z.ZodType>(
    definition: RequestDefinition<Request, Reply>,
    request: z.input<Request>,
    { timeoutMs = 10_000 }: { timeoutMs?: number } = {},
  ): Promise<z.infer<Reply>> {
    const id = randomUUID();
    const answer = new Promise<ConsumeMessage>((resolve, reject) => {
      const timer = setTimeout(() => reject(new NoAnswerError(definition.type, `no answer within ${timeoutMs} ms`)), timeoutMs);
      this.waiting.set(id, (message) => {
        clearTimeout(timer);
        resolve(message);
      });
    });
    try {
      const envelope = {
        id,
        source: this.source,
        type: definition.type,
        version: definition.version,
        subject: id,
        time: new Date().toISOString(),
        traceparent: currentTraceparent(),
      };
      const body = Buffer.from(JSON.stringify(definition.request.parse(request)));
      const options = {
        ...publishOptions(envelope),
        persistent: false,
        replyTo: 'amq.rabbitmq.reply-to',
        correlationId: id,
        expiration: String(timeoutMs),
        timeout: timeoutMs,
      };
      const [message] = await Promise.all([answer, this.channel.sendToQueue(requestQueueOf(definition.type), body, options)]);
      const reply = JSON.parse(message.content.toString('utf8')) as { ok: boolean; answer?: unknown };
      if (!reply.ok) throw new NoAnswerError(definition.type, 'the one asked failed');
      return definition.reply.parse(reply.answer);
    } finally {
      this.waiting.delete(id);
    }
  }

  close(): Promise<void> {
    return this.channel.close();
  }
}
