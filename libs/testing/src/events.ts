import { randomUUID } from 'node:crypto';
import type { EventDefinition } from '@decola/contracts';
import amqp from 'amqplib';
import type { z } from 'zod';

const exchange = 'decola.events';

interface Attributes {
  /** Type and version of the event. */
  type: string;
  version?: number;
  subject: string;
  id?: string;
  time?: string;
}

export interface TestPublisher {
  /** @returns id of the event */
  publish(payload: unknown, attributes: Attributes): string;
  /** Resolves when the broker has stored everything that was published. */
  confirmed(): Promise<void>;
  close(): Promise<void>;
}

/** Publishes many events as a service would, over one connection. Payloads are not validated. */
export async function testPublisher(brokerUrl: string): Promise<TestPublisher> {
  const connection = await amqp.connect(brokerUrl);
  const channel = await connection.createConfirmChannel();
  await channel.assertExchange(exchange, 'topic', { durable: true });
  return {
    publish: (payload, { type, version = 1, subject, id = randomUUID(), time = new Date().toISOString() }) => {
      channel.publish(exchange, type, Buffer.from(JSON.stringify(payload)), {
        persistent: true,
        messageId: id,
        contentType: 'application/json',
        headers: {
          'cloudEvents:specversion': '1.0',
          'cloudEvents:id': id,
          'cloudEvents:source': '/test',
          'cloudEvents:type': type,
          'cloudEvents:subject': subject,
          'cloudEvents:time': time,
          'cloudEvents:dataschema': `${type}/v${version}`,
        },
      });
      return id;
    },
    confirmed: () => channel.waitForConfirms(),
    close: () => connection.close(),
  };
}

/** Publishes one event as a service would. */
export async function publishTestEvent<Schema extends z.ZodType>(
  brokerUrl: string,
  definition: EventDefinition<Schema>,
  payload: z.infer<Schema>,
  { subject = randomUUID(), id = randomUUID(), time = new Date().toISOString() }: { subject?: string; id?: string; time?: string } = {},
): Promise<string> {
  const publisher = await testPublisher(brokerUrl);
  try {
    publisher.publish(definition.schema.parse(payload), { type: definition.type, version: definition.version, subject, id, time });
    await publisher.confirmed();
    return id;
  } finally {
    await publisher.close();
  }
}

export interface CollectedEvent {
  type: string;
  id: string;
  subject: string;
  payload: Record<string, unknown>;
}

/** Collects the events of a virtual host from now on. @param pattern topic pattern such as `run.*` or `#` */
export async function collectEvents(brokerUrl: string, pattern = '#'): Promise<{ events: CollectedEvent[]; dispose(): Promise<void> }> {
  const connection = await amqp.connect(brokerUrl);
  const channel = await connection.createChannel();
  await channel.assertExchange(exchange, 'topic', { durable: true });
  const { queue } = await channel.assertQueue('', { exclusive: true });
  await channel.bindQueue(queue, exchange, pattern);
  const events: CollectedEvent[] = [];
  await channel.consume(
    queue,
    (message) => {
      if (!message) return;
      const headers = message.properties.headers ?? {};
      events.push({
        type: message.fields.routingKey,
        id: String(headers['cloudEvents:id']),
        subject: String(headers['cloudEvents:subject']),
        payload: JSON.parse(message.content.toString('utf8')) as Record<string, unknown>,
      });
    },
    { noAck: true },
  );
  return { events, dispose: () => connection.close() };
}
