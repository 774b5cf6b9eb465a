import type { EventDefinition } from '@decola/contracts';
import type { Logger } from '@decola/service-kit';
import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import type { z } from 'zod';
import { closed } from './closed.js';
import { connectBroker } from './connection.js';
import { attributesOf } from './envelope.js';
import { parsePayload } from './payload.js';
import { assertEventExchange, eventExchange } from './topology.js';

/** Pause before the connection is made anew after the broker refused the queue or cancelled its consumer. */
const retryMs = 1_000;

export interface BroadcastOptions<Schema extends z.ZodType> {
  /** URL of the broker. */
  url: string;
  /** Shown in the broker's management page. */
  name: string;
  /** Several share one shape. */
  event: EventDefinition<Schema> | readonly EventDefinition<Schema>[];
  /** Called for each event, in order. It must not throw, and must not wait. */
  onEvent: (payload: z.infer<Schema>) => void;
  /** Called each time that events begin to arrive. The first time excepted, events may have been missed before. */
  onSubscribed: () => void;
  /** Called when events stop arriving, because the connection or its queue is lost. */
  onLost: () => void;
  logger: Pick<Logger, 'warn'>;
}

export interface Broadcast {
  /** Whether events arrive now. */
  isSubscribed(): boolean;
  close(): Promise<void>;
}

/**
 * Hears one or several events in every replica, from now on and while this replica runs: its queue belongs to its connection and disappears with it, so events that
 * are published meanwhile are missed. It is for news that lose their worth when they are late; whatever must happen goes through `@EventPattern`.
 */
export function subscribeToBroadcast<Schema extends z.ZodType>(options: BroadcastOptions<Schema>): Broadcast {
  const { logger, name } = options;
  const events = new Map([options.event].flat().map((event: EventDefinition<Schema>) => [event.type, event]));
  const connection = connectBroker(options.url, name);
  let current: ConfirmChannel | undefined;
  let isClosing = false;
  let retry: NodeJS.Timeout | undefined;

  const lose = (channel: ConfirmChannel): void => {
    if (current !== channel) return;
    current = undefined;
    if (!isClosing) options.onLost();
  };
  const reconnectSoon = (why: unknown): void => {
    if (isClosing || retry) return;
    logger.warn(`${name}: ${why instanceof Error ? why.message : String(why)}; connecting anew`);
    retry = setTimeout(() => {
      retry = undefined;
      if (!isClosing) connection.reconnect();
    }, retryMs);
  };
  const hear = (message: ConsumeMessage): void => {
    const type = message.fields.routingKey;
    const event = events.get(type);
    if (!event) return;
    try {
      options.onEvent(parsePayload(message, event));
    } catch (error) {
      logger.warn({ err: error, event: attributesOf(message).id, type }, 'event dropped');
    }
  };

  const wrapper = connection.createChannel({
    name,
    setup: async (channel: ConfirmChannel) => {
      channel.once('close', () => lose(channel));
      try {
        await assertEventExchange(channel);
        // The broker chooses the name, so that a new connection never meets the queue of the one before.
        const { queue } = await channel.assertQueue('', {
          exclusive: true,
          autoDelete: true,
          durable: false,
          arguments: { 'x-queue-type': 'classic' },
        });
        for (const type of events.keys()) await channel.bindQueue(queue, eventExchange, type);
        const onMessage = (message: ConsumeMessage | null) => {
          if (message) return hear(message);
          lose(channel);
          reconnectSoon('the broker cancelled the consumer');
        };
        // Without acknowledgements: the event's handler does not fail, and a replica that dies wants none of them back.
        await channel.consume(queue, onMessage, { noAck: true });
      } catch (error) {
        reconnectSoon(error);
        return;
      }
      current = channel;
      options.onSubscribed();
    },
  });
  wrapper.on('error', reconnectSoon);
  connection.on('disconnect', () => current && lose(current));

  return {
    isSubscribed: () => current !== undefined && connection.isConnected(),
    close: async () => {
      isClosing = true;
      clearTimeout(retry);
      await closed(wrapper.close());
      await closed(connection.close());
    },
  };
}
