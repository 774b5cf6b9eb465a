import type { EventDefinition, RequestDefinition } from '@decola/contracts';
import type { DatabaseWatch } from '@decola/database';
import { HealthRegistry, Logger, metrics } from '@decola/service-kit';
import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import pLimit, { type LimitFunction } from 'p-limit';
import { Histogram } from 'prom-client';
import { isObservable, lastValueFrom } from 'rxjs';
import type { DataSource, EntityManager } from 'typeorm';
import type { BrokerConnection, Declaration } from './connection.js';
import { consumed } from './consumed.js';
import { attributesOf, headerOf } from './envelope.js';
import { EventContext, RequestContext } from './event-context.js';
import { retryOrDeadLetter } from './failures.js';
import { NewerMessageError } from './newer-messages.js';
import { parsePayload } from './payload.js';
import { QueueConsumer } from './queue-consumer.js';
import { mayRequeueUncounted } from './requeue.js';
import { SharedBatches } from './shared-batches.js';
import { applyTogether, isShareableId, sharedBatchSize, type SharedEvent } from './shared-transactions.js';
import { assertEventExchange, assertWorkQueue, eventExchange, requestQueueOf } from './topology.js';
import { inTrace } from './trace.js';

const seconds = new Histogram({
  name: 'message_handling_seconds',
  help: 'Duration of message handling by type',
  labelNames: ['type'],
  registers: [metrics],
});

export interface EventStrategyOptions {
  service: string;
  connection: BrokerConnection;
  events: readonly EventDefinition[];
  requests: readonly RequestDefinition[];
  /** Types of events that earlier releases of this service listened to: they are acknowledged without an effect. */
  formerEvents?: readonly string[];
  /** Null for a service without a database: its handlers must be idempotent by themselves. */
  dataSource: DataSource | null;
  /** During an outage of the database no events are consumed, and requests are refused at once. */
  database: DatabaseWatch | null;
  health: HealthRegistry;
  logger: Logger;
  /** Maximum number of messages of one queue that are being handled, beside events that share a transaction. Default: 20. */
  prefetch?: number;
}

/** An event that shares a transaction with others. */
interface SharedDelivery extends SharedEvent {
  type: string;
  channel: ConfirmChannel;
  message: ConsumeMessage;
}

/** Events that wait while a shared transaction is under way are the next one. */
const sharedPrefetch = 2 * sharedBatchSize;

const defaultPrefetch = 20;

type Outcome = 'settled' | 'requeue';

/** How long a stop waits for messages that are being handled. */
const drainMs = 20_000;

/** How long the start of a service waits for the broker, and how often it looks meanwhile. */
const brokerPatienceMs = 10_000;
const brokerChecks = 20;

/**
 * Nest transport for `@EventPattern` and `@MessagePattern` over RabbitMQ. An event is acknowledged after its effects and its inbox row were committed
 * together, with those of others where its handlers allow it (`sharedTransaction`); a failed one is tried again with growing delays and
 * dead-lettered in the end. Requests are answered over direct reply-to.
 */
export class EventStrategy extends Server implements CustomTransportStrategy {
  private readonly consumers: QueueConsumer[] = [];
  private isStopping = false;
  /** Limits how many events are handled by themselves at the same time. */
  private readonly limit: LimitFunction;
  private readonly shared: SharedBatches<SharedDelivery, Outcome>;

  constructor(private readonly options: EventStrategyOptions) {
    super();
    this.limit = pLimit(options.prefetch ?? defaultPrefetch);
    this.shared = new SharedBatches<SharedDelivery, Outcome>({
      maxSize: sharedBatchSize,
      applyTogether: (deliveries) => this.applyTogether(deliveries),
      onFailure: ({ channel, message }, error) => this.fail(channel, message, error),
      concernsAll: (error) => options.database?.noteFailure(error) ?? false,
    });
  }

  /** The queue that receives this service's events. */
  get queue(): string {
    return `${this.options.service}.events`;
  }

  listen(callback: (error?: unknown) => void): void {
    this.openUnlessAway().then(() => callback(), callback);
  }

  /** Opens the consumers. While the broker is away the service starts without them: requests do not need it, and they open when it is back. */
  private async openUnlessAway(): Promise<void> {
    const { connection, logger, service } = this.options;
    const opened = this.open();
    const away = brokerAway(connection);
    const isOpen = await Promise.race([opened.then(() => true), away.settled.then(() => false)]).finally(away.stop);
    if (isOpen) return;
    logger.warn(`${service}: started without RabbitMQ; messages are consumed when it is back`);
    opened.catch((error: unknown) => logger.error({ err: error }, `${service}: no messages are consumed`));
  }

  private async open(): Promise<void> {
    const handlers = [...this.messageHandlers];
    const eventTypes = handlers.filter(([, handler]) => handler.isEventHandler).map(([type]) => type);
    const requestTypes = handlers.filter(([, handler]) => !handler.isEventHandler).map(([type]) => type);
    this.requireDefinitions(eventTypes, this.options.events, 'events');
    this.requireDefinitions(requestTypes, this.options.requests, 'requests');
    if (eventTypes.length > 0) await this.consumeEvents(eventTypes);
    for (const type of requestTypes) {
      const queue = requestQueueOf(type);
      // A lost request is sent again, so requests need no replicated queue.
      const declaration: Declaration = async (channel) =>
        void (await channel.assertQueue(queue, { durable: true, arguments: { 'x-queue-type': 'classic', 'x-message-ttl': 30_000 } }));
      await this.consume(type, queue, declaration, (channel, message) => this.handleRequestMessage(channel, message, type));
    }
  }

  private async consumeEvents(types: readonly string[]): Promise<void> {
    const { database, health, logger } = this.options;
    const consumer = await this.consume(
      'events',
      this.queue,
      (channel) => this.declareEventQueue(channel, types),
      (channel, message) => this.handleEventMessage(channel, message),
      types.some((type) => this.sharesTransaction(type)) ? sharedPrefetch : 0,
    );
    if (!database) return;
    health.observe('events', () => database.assertAvailable());
    database.listen({
      onOutage: () => {
        logger.warn(`${this.queue}: not consumed while the database is away (${database.outage?.reason ?? 'unknown'})`);
        void consumer.pause();
      },
      onRecovery: () => {
        if (this.isStopping) return;
        logger.info(`${this.queue}: consumed again`);
        void consumer.resume();
      },
    });
  }

  private requireDefinitions(types: readonly string[], definitions: readonly { type: string }[], kind: string): void {
    const missing = types.filter((type) => !definitions.some((definition) => definition.type === type));
    if (missing.length > 0)
      throw new Error(`${this.options.service} handles ${missing.join(', ')} but MessagingModule.forRoot({ ${kind} }) does not name them`);
  }

  private async declareEventQueue(channel: ConfirmChannel, types: readonly string[]): Promise<void> {
    await assertEventExchange(channel);
    await assertWorkQueue(channel, this.queue);
    for (const type of types) await channel.bindQueue(this.queue, eventExchange, type);
  }

  private async consume(
    name: string,
    queue: string,
    declaration: Declaration,
    handle: (channel: ConfirmChannel, message: ConsumeMessage) => Promise<Outcome>,
    morePrefetch = 0,
  ): Promise<QueueConsumer> {
    const { service, connection, logger } = this.options;
    const prefetch = (this.options.prefetch ?? defaultPrefetch) + morePrefetch;
    const consumer = new QueueConsumer({ connection, name: `${service} ${name}`, queue, prefetch, declaration, handle, logger });
    this.consumers.push(consumer);
    await consumer.open();
    return consumer;
  }

  private handleEventMessage(channel: ConfirmChannel, message: ConsumeMessage): Promise<Outcome> {
    const shared = this.asShared(channel, message);
    if (shared) return this.shared.add(shared);
    return this.limit(() => {
      // It waited while other events were handled.
      const isLeftToOthers = this.isStopping || (this.options.database?.outage && mayRequeueUncounted(message));
      return isLeftToOthers ? 'requeue' : this.handleAlone(channel, message);
    });
  }

  private async handleAlone(channel: ConfirmChannel, message: ConsumeMessage): Promise<Outcome> {
    const { type } = attributesOf(message);
    const end = seconds.startTimer({ type });
    try {
      await inTrace(headerOf(message, 'traceparent'), `process ${type}`, () => this.applyOnce(message));
      consumed.inc({ type, outcome: 'done' });
      return 'settled';
    } catch (error) {
      return await this.fail(channel, message, error);
    } finally {
      end();
    }
  }

  /** Sends a copy of a failed event to a retry queue or to the dead letters, unless the database is away. */
  private async fail(channel: ConfirmChannel, message: ConsumeMessage, error: unknown): Promise<Outcome> {
    const event = attributesOf(message);
    // A failure because of an outage of the database does not count as an attempt.
    if (mayRequeueUncounted(message) && this.options.database?.noteFailure(error)) {
      consumed.inc({ type: event.type, outcome: 'returned' });
      return 'requeue';
    }
    const { outcome, attempts } = await retryOrDeadLetter(channel, message, this.queue, error);
    consumed.inc({ type: event.type, outcome });
    const facts = { err: error, event: event.id, type: event.type, attempts };
    if (outcome === 'dead') this.options.logger.error(facts, 'event moved to the dead letters');
    else this.options.logger.warn(facts, outcome === 'waiting' ? 'event waits for a newer release' : 'event will be tried again');
    return 'settled';
  }

  /** Whether all handlers of these events allow a shared transaction. */
  private sharesTransaction(type: string): boolean {
    const handlers = this.handlersOf(type);
    return (
      this.options.dataSource !== null && handlers.length > 0 && handlers.every(({ extras }) => extras?.['sharesTransaction'] === true)
    );
  }

  private handlersOf(type: string): MessageHandler[] {
    const handlers: MessageHandler[] = [];
    for (let handler = this.messageHandlers.get(type); handler; handler = handler.next as MessageHandler | undefined)
      handlers.push(handler);
    return handlers;
  }

  /**
   * An event that may share a transaction. One that was delivered before is handled by itself: it may be what failed. So is one that cannot be read.
   * @returns undefined for an event that is handled by itself
   */
  private asShared(channel: ConfirmChannel, message: ConsumeMessage): SharedDelivery | undefined {
    const event = attributesOf(message);
    const { id, type } = event;
    const definition = this.options.events.find((each) => each.type === type);
    const isFirst = !message.fields.redelivered && headerOf(message, 'x-attempt') === undefined;
    if (!definition || !isFirst || !isShareableId(id) || !this.sharesTransaction(type) || this.isFormer(type)) return undefined;
    let payload: unknown;
    try {
      payload = parsePayload(message, definition);
    } catch {
      return undefined;
    }
    const run = (manager: EntityManager) =>
      inTrace(headerOf(message, 'traceparent'), `process ${type}`, () => this.run(type, payload, new EventContext([manager, event])));
    return { id, type, channel, message, run };
  }

  private async applyTogether(deliveries: readonly SharedDelivery[]): Promise<Outcome> {
    const { dataSource, service } = this.options;
    const ends = deliveries.map(({ type }) => seconds.startTimer({ type }));
    try {
      await applyTogether(dataSource!, service, deliveries);
    } finally {
      for (const end of ends) end();
    }
    for (const { type } of deliveries) consumed.inc({ type, outcome: 'done' });
    return 'settled';
  }

  /** Whether an earlier release listened to these events: the queue stays bound to them. */
  private isFormer(type: string): boolean {
    return this.options.formerEvents?.includes(type) ?? false;
  }

  private async run(type: string, payload: unknown, context: EventContext): Promise<void> {
    for (const handler of this.handlersOf(type)) await settle(handler(payload, context));
  }

  /** Runs the handlers of an event, in one transaction with the inbox row that keeps them from running twice. */
  private async applyOnce(message: ConsumeMessage): Promise<void> {
    const event = attributesOf(message);
    const { type } = event;
    const definition = this.options.events.find((each) => each.type === type);
    if (this.isFormer(type)) return;
    // A newer replica of this service has bound the queue, which all replicas share, to another event.
    if (!definition || !this.messageHandlers.has(type))
      throw new NewerMessageError(`this release of ${this.options.service} does not listen to ${type}`);
    const payload = parsePayload(message, definition);
    const { dataSource, service } = this.options;
    if (!dataSource) return this.run(type, payload, new EventContext([undefined as never, event]));
    await dataSource.transaction(async (manager) => {
      const inserted: unknown[] = await manager.query(
        'insert into inbox (message_id, consumer) values ($1, $2) on conflict do nothing returning 1',
        [event.id, service],
      );
      if (inserted.length === 0) return;
      await this.run(type, payload, new EventContext([manager, event]));
    });
  }

  private async handleRequestMessage(channel: ConfirmChannel, message: ConsumeMessage, type: string): Promise<'settled'> {
    const end = seconds.startTimer({ type });
    const definition = this.options.requests.find((each) => each.type === type);
    const handler = this.messageHandlers.get(type);
    const { replyTo, correlationId } = message.properties as { replyTo?: string; correlationId?: string };
    let reply: unknown;
    try {
      if (!definition || !handler) throw new Error(`no handler for ${type}`);
      // Refused at once, so that the requester can try again instead of waiting for its time-out.
      await this.options.database?.assertAvailable();
      const request = parsePayload(message, { ...definition, schema: definition.request });
      const answer = await inTrace(headerOf(message, 'traceparent'), `answer ${type}`, () =>
        settle(handler(request, new RequestContext([attributesOf(message)]))),
      );
      reply = { ok: true, answer: definition.reply.parse(answer) };
      consumed.inc({ type, outcome: 'done' });
    } catch (error) {
      consumed.inc({ type, outcome: 'failed' });
      this.options.logger.error({ err: error, type }, 'request failed');
      // The requester asks again, and a replica of a newer release may take its question then.
      const mayBeAnsweredSoon =
        error instanceof NewerMessageError || this.options.database?.noteFailure(error) || this.options.database?.outage;
      reply = { ok: false, ...(mayBeAnsweredSoon ? { isUnavailable: true } : {}) };
    } finally {
      end();
    }
    if (replyTo)
      channel.sendToQueue(replyTo, Buffer.from(JSON.stringify(reply)), {
        ...(correlationId ? { correlationId } : {}),
        contentType: 'application/json',
      });
    return 'settled';
  }

  /** Stops consuming, waits for messages that are being handled, then closes the channels. */
  async close(): Promise<void> {
    this.isStopping = true;
    await Promise.all(this.consumers.map((consumer) => consumer.pause()));
    await Promise.all(this.consumers.map((consumer) => consumer.drained(drainMs)));
    await Promise.all(this.consumers.map((consumer) => consumer.close()));
  }

  on(): never {
    throw new Error('EventStrategy has no events of its own');
  }

  unwrap<T>(): T {
    return this.options.connection as T;
  }
}

/** `settled` resolves when there has been no connection for `brokerPatienceMs`. */
function brokerAway(connection: BrokerConnection): { settled: Promise<void>; stop: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const settled = new Promise<void>((resolve) => {
    let awayChecks = 0;
    timer = setInterval(() => {
      awayChecks = connection.isConnected() ? 0 : awayChecks + 1;
      if (awayChecks >= brokerChecks) resolve();
    }, brokerPatienceMs / brokerChecks);
  });
  return { settled, stop: () => clearInterval(timer) };
}

/** Resolves to the result of a handler, which Nest wraps: a value, a promise or an observable. */
async function settle(result: unknown): Promise<unknown> {
  const value = await result;
  return isObservable(value) ? lastValueFrom(value, { defaultValue: undefined }) : value;
}
