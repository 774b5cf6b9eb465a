import type { ChannelWrapper } from 'amqp-connection-manager';
import type { ConfirmChannel, Message } from 'amqplib';
import { closed } from './closed.js';
import type { BrokerConnection } from './connection.js';
import { type Envelope, publishOptions } from './envelope.js';
import { assertEventExchange, assertWorkQueue, eventExchange } from './topology.js';

const confirmTimeoutMs = 10_000;

/** A payload that is JSON already, as the database returns it: nobody needs to parse it in order to send it. */
export class JsonText {
  constructor(readonly text: string) {}
}

const bodyOf = (payload: unknown): Buffer => Buffer.from(payload instanceof JsonText ? payload.text : JSON.stringify(payload));

/** Publishes with publisher confirms: when a promise resolves, the broker has stored the message on disk. */
export class ConfirmedPublisher {
  private readonly channel: ChannelWrapper;
  /** Ids of messages that the broker returned because there is no such queue. */
  private readonly returned = new Set<string>();
  /** Declarations of queues that are finished or under way, by queue. */
  private readonly declared = new Map<string, Promise<void>>();

  constructor(
    private readonly connection: BrokerConnection,
    name: string,
  ) {
    this.channel = connection.createChannel({
      name: `${name} publisher`,
      publishTimeout: confirmTimeoutMs,
      setup: async (channel: ConfirmChannel) => {
        channel.on('return', (message: Message) => this.returned.add(String(message.properties.messageId)));
        // After a reconnect queues may be missing, and so may the exchange.
        this.declared.clear();
        await connection.declare(assertEventExchange);
      },
    });
    this.channel.on('error', () => undefined); // the publish that failed rejects
  }

  /** @throws Error when the broker did not confirm the event in time */
  async publishEvent(envelope: Envelope, payload: unknown): Promise<void> {
    await this.channel.publish(eventExchange, envelope.type, bodyOf(payload), publishOptions(envelope));
  }

  /** Declares the queue when necessary. @throws Error when the queue cannot be declared, or did not confirm the job in time */
  async publishJob(queue: string, envelope: Envelope, payload: unknown): Promise<void> {
    await this.ensureQueue(queue);
    await this.channel.sendToQueue(queue, bodyOf(payload), { ...publishOptions(envelope), mandatory: true });
    if (this.returned.delete(envelope.id)) {
      this.declared.delete(queue); // somebody deleted the queue: the next try declares it again
      throw new Error(`no queue ${queue}`);
    }
  }

  /** Whether there is a connection to the broker now. */
  isConnected(): boolean {
    return this.connection.isConnected();
  }

  close(): Promise<void> {
    return closed(this.channel.close());
  }

  private ensureQueue(queue: string): Promise<void> {
    const known = this.declared.get(queue);
    if (known) return known;
    const declaration = this.connection.declare((channel) => assertWorkQueue(channel, queue));
    this.declared.set(queue, declaration);
    declaration.catch(() => {
      if (this.declared.get(queue) === declaration) this.declared.delete(queue);
    });
    return declaration;
  }
}
