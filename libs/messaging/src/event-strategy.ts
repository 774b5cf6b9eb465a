import type { EventDefinition, RequestDefinition } from '@decola/contracts';
import { HealthRegistry, Logger, metrics, PermanentError } from '@decola/service-kit';
import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import type { AmqpConnectionManager, ChannelWrapper } from 'amqp-connection-manager';
import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import { Counter, Histogram } from 'prom-client';
import { isObservable, lastValueFrom } from 'rxjs';
import type { DataSource } from 'typeorm';
import { assertConnected } from './connection.js';
import { attributesOf, headerOf } from './envelope.js';
import { EventContext, RequestContext } from './event-context.js';
import { passOn } from './failures.js';
import { assertEventExchange, assertWorkQueue, eventExchange, requestQueueOf } from './topology.js';
import { inTrace } from './trace.js';

const consumed = new Counter({
  name: 'messages_consumed_total',
  help: 'Messages by type and how they ended',
  labelNames: ['type', 'outcome'],
  registers: [metrics],
});
const seconds = new Histogram({
  name: 'message_handling_seconds',
  help: 'Duration of message handling by type',
  labelNames: ['type'],
  registers: [metrics],
});

export interface EventStrategyOptions {
  service: string;
  connection: AmqpConnectionManager;
  events: readonly EventDefinition[];
  requests: readonly RequestDefinition[];
  /** Null for a service without a database: its handlers must be idempotent by themselves. */
  dataSource: DataSource | null;
  health: HealthRegistry;
  logger: Logger;
  /** Messages in hand at once. Default: 20. */
  prefetch?: number;
}

/** How long a stop waits for the messages in hand. */
const drainMs = 20_000;

/**
 * RabbitMQ for `@EventPattern` and `@MessagePattern`. An event is acknowledged after its effect and its inbox row are committed together; a
 * failed one climbs the ladder of retries and ends in the dead letters. Requests are answered over direct reply-to.
 */
export class EventStrategy extends Server implements CustomTransportStrategy {
  private readonly channels: ChannelWrapper[] = [];
  private readonly current = new Map<ChannelWrapper, { channel: ConfirmChannel; tags: string[] }>();
  private readonly inHand = new Set<Promise<void>>();
  private stopping = false;

  constructor(private readonly options: EventStrategyOptions) {
    super();
    options.health.register('rabbitmq', () => assertConnected(options.connection));
  }

  /** Queue of this service's events. */
  get queue(): string {
    return `${this.options.service}.events`;
  }

  listen(callback: (error?: unknown) => void): void {
    this.open().then(() => callback(), callback);
  }

  private async open(): Promise<void> {
    const handlers = [...this.messageHandlers];
    const eventTypes = handlers.filter(([, handler]) => handler.isEventHandler).map(([type]) => type);
    const requestTypes = handlers.filter(([, handler]) => !handler.isEventHandler).map(([type]) => type);
    this.requireDefinitions(eventTypes, this.options.events, 'events');
    this.requireDefinitions(requestTypes, this.options.requests, 'requests');
    if (eventTypes.length > 0)
      await this.consume(
        'events',
        (channel) => this.prepareEvents(channel, eventTypes),
        this.queue,
        (channel, message) => this.takeEvent(channel, message),
      );
    for (const type of requestTypes) {
      const queue = requestQueueOf(type);
      // Questions are asked again when they are lost; they need not survive a restart.
      const prepare = async (channel: ConfirmChannel) =>
        void (await channel.assertQueue(queue, { durable: true, arguments: { 'x-queue-type': 'classic', 'x-message-ttl': 30_000 } }));
      await this.consume(type, prepare, queue, (channel, message) => this.takeRequest(channel, message, type));
    }
  }

  private requireDefinitions(types: readonly string[], definitions: readonly { type: string }[], kind: string): void {
    const missing = types.filter((type) => !definitions.some((definition) => definition.type === type));
    if (missing.length > 0)
      throw new Error(`${this.options.service} handles ${missing.join(', ')} but MessagingModule.forRoot({ ${kind} }) does not name them`);
  }

  private async prepareEvents(channel: ConfirmChannel, types: readonly string[]): Promise<void> {
    await assertEventExchange(channel);
    await assertWorkQueue(channel, this.queue);
    for (const type of types) await channel.bindQueue(this.queue, eventExchange, type);
  }

  private async consume(
    name: string,
    prepare: (channel: ConfirmChannel) => Promise<void>,
    queue: string,
    take: (channel: ConfirmChannel, message: ConsumeMessage) => Promise<void>,
  ): Promise<void> {
    const wrapper: ChannelWrapper = this.options.connection.createChannel({
      name: `${this.options.service} ${name}`,
      setup: async (channel: ConfirmChannel) => {
        await prepare(channel);
        await channel.prefetch(this.options.prefetch ?? 20);
        const begin = async (): Promise<void> => {
          const { consumerTag } = await channel.consume(queue, (message) => {
            if (message === null) {
              // The broker took the consumer away (a queue that moved or was deleted): declare and begin again.
              this.options.logger.warn(`${queue}: consumer cancelled by the broker`);
              if (!this.stopping)
                void prepare(channel)
                  .then(begin)
                  .catch((error: unknown) => this.options.logger.error(error));
              return;
            }
            const work = take(channel, message).catch((error: unknown) => {
              // Neither done nor passed on: the broker gives it out again.
              this.options.logger.error({ err: error, queue }, 'message returned to its queue');
              nackQuietly(channel, message);
            });
            this.inHand.add(work);
            void work.finally(() => this.inHand.delete(work));
          });
          this.current.set(wrapper, { channel, tags: [consumerTag] });
        };
        if (!this.stopping) await begin();
      },
    });
    wrapper.on('error', (error: unknown) => this.options.logger.error({ err: error }, `${queue}: channel failed`));
    this.channels.push(wrapper);
    await wrapper.waitForConnect();
  }

  private async takeEvent(channel: ConfirmChannel, message: ConsumeMessage): Promise<void> {
    const event = attributesOf(message);
    const end = seconds.startTimer({ type: event.type });
    try {
      await inTrace(headerOf(message, 'traceparent'), `process ${event.type}`, () => this.effect(message));
      consumed.inc({ type: event.type, outcome: 'done' });
    } catch (error) {
      const fate = await passOn(channel, message, this.queue, error);
      consumed.inc({ type: event.type, outcome: fate.isDead ? 'dead' : 'retried' });
      const facts = { err: error, event: event.id, type: event.type, attempts: fate.attempts };
      if (fate.isDead) this.options.logger.error(facts, 'event moved to the dead letters');
      else this.options.logger.warn(facts, 'event will be tried again');
    } finally {
      end();
    }
    channel.ack(message);
  }

  private async effect(message: ConsumeMessage): Promise<void> {
    const event = attributesOf(message);
    const definition = this.options.events.find(({ type }) => type === event.type);
    const first = this.messageHandlers.get(event.type);
    if (!definition || !first) return; // a binding of an earlier version of the service
    const payload = parse(definition, message);
    const run = async (context: EventContext): Promise<void> => {
      for (let handler: MessageHandler | undefined = first; handler; handler = handler.next as MessageHandler | undefined)
        await settle(handler(payload, context));
    };
    const { dataSource, service } = this.options;
    if (!dataSource) return run(new EventContext([undefined as never, event]));
    await dataSource.transaction(async (manager) => {
      const inserted: unknown[] = await manager.query(
        'insert into inbox (message_id, consumer) values ($1, $2) on conflict do nothing returning 1',
        [event.id, service],
      );
      if (inserted.length === 0) return;
      await run(new EventContext([manager, event]));
    });
  }

  private async takeRequest(channel: ConfirmChannel, message: ConsumeMessage, type: string): Promise<void> {
    const end = seconds.startTimer({ type });
    const definition = this.options.requests.find((each) => each.type === type);
    const handler = this.messageHandlers.get(type);
    const { replyTo, correlationId } = message.properties as { replyTo?: string; correlationId?: string };
    let reply: unknown;
    try {
      if (!definition || !handler) throw new Error(`no handler for ${type}`);
      const parsed = definition.request.safeParse(JSON.parse(message.content.toString('utf8')));
      if (!parsed.success) throw new PermanentError('the request does not fit its schema');
      const answer = await inTrace(headerOf(message, 'traceparent'), `answer ${type}`, () =>
        settle(handler(parsed.data, new RequestContext([attributesOf(message)]))),
      );
      reply = { ok: true, answer: definition.reply.parse(answer) };
      consumed.inc({ type, outcome: 'done' });
    } catch (error) {
      consumed.inc({ type, outcome: 'failed' });
      this.options.logger.error({ err: error, type }, 'request failed');
      reply = { ok: false };
    } finally {
      end();
    }
    if (replyTo)
      channel.sendToQueue(replyTo, Buffer.from(JSON.stringify(reply)), {
        ...(correlationId ? { correlationId } : {}),
        contentType: 'application/json',
      });
    channel.ack(message);
  }

  /** Takes no new message, waits for those in hand, then closes. */
  async close(): Promise<void> {
    this.stopping = true;
    await Promise.all(
      [...this.current.values()].flatMap(({ channel, tags }) => tags.map((tag) => channel.cancel(tag).catch(() => undefined))),
    );
    await Promise.race([Promise.allSettled([...this.inHand]), new Promise((resolve) => setTimeout(resolve, drainMs).unref())]);
    await Promise.all(this.channels.map((channel) => channel.close().catch(() => undefined)));
  }

  on(): never {
    throw new Error('EventStrategy has no events of its own');
  }

  unwrap<T>(): T {
    return this.options.connection as T;
  }
}

function parse(definition: EventDefinition, message: ConsumeMessage): unknown {
  let body: unknown;
  try {
    body = JSON.parse(message.content.toString('utf8'));
  } catch {
    throw new PermanentError('the body is no JSON');
  }
  const parsed = definition.schema.safeParse(body);
  // Which fields are wrong, never what they hold.
  if (!parsed.success)
    throw new PermanentError(
      `the payload does not fit ${definition.type}: ${parsed.error.issues.map(({ path }) => path.join('.')).join(', ')}`,
    );
  return parsed.data;
}

/** Nest wraps handlers; what they return may be a value, a promise or a stream. */
async function settle(result: unknown): Promise<unknown> {
  const value = await result;
  return isObservable(value) ? lastValueFrom(value, { defaultValue: undefined }) : value;
}

function nackQuietly(channel: ConfirmChannel, message: ConsumeMessage): void {
  try {
    channel.nack(message, false, true);
  } catch {
    // the channel is gone, and with it our hold on the message
  }
}
