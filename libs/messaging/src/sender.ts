import type { AmqpConnectionManager, ChannelWrapper } from 'amqp-connection-manager';
import type { ConfirmChannel, Message } from 'amqplib';
import { type Envelope, publishOptions } from './envelope.js';
import { assertEventExchange, assertWorkQueue, eventExchange } from './topology.js';

const confirmTimeoutMs = 10_000;

/** Publishes with confirms. A promise that resolves means that the broker has the message on disk. */
export class Sender {
  private readonly channel: ChannelWrapper;
  private readonly returned = new Set<string>();
  private readonly declared = new Set<string>();

  constructor(connection: AmqpConnectionManager, name: string) {
    this.channel = connection.createChannel({
      name: `${name} sender`,
      publishTimeout: confirmTimeoutMs,
      setup: async (channel: ConfirmChannel) => {
        channel.on('return', (message: Message) => this.returned.add(String(message.properties.messageId)));
        await assertEventExchange(channel);
      },
    });
    this.channel.on('error', () => undefined); // the publish that failed says so itself
  }

  async event(envelope: Envelope, payload: unknown): Promise<void> {
    await this.channel.publish(eventExchange, envelope.type, Buffer.from(JSON.stringify(payload)), publishOptions(envelope));
  }

  /** @throws Error when the queue does not take it. */
  async job(queue: string, envelope: Envelope, payload: unknown): Promise<void> {
    if (!this.declared.has(queue)) {
      await this.channel.addSetup(async (channel: ConfirmChannel) => assertWorkQueue(channel, queue));
      this.declared.add(queue);
    }
    await this.channel.sendToQueue(queue, Buffer.from(JSON.stringify(payload)), { ...publishOptions(envelope), mandatory: true });
    if (this.returned.delete(envelope.id)) {
      this.declared.delete(queue); // somebody deleted it: the next try declares it again
      throw new Error(`no queue ${queue}`);
    }
  }

  close(): Promise<void> {
    return this.channel.close();
  }
}
