import type { ConfirmChannel, Options } from 'amqplib';
import { retryDelays } from './retry-delays.js';

/** Exchange of all events; the routing key is the event's type. */
export const eventExchange = 'decola.events';

/**
 * How long a dead letter is kept for an operator. It may hold personal data of somebody whose account is erased meanwhile, and it must expire before the
 * services delete that person's tombstone (`addTombstone`), so that a replayed message changes nothing about them. It is set on the message, because the
 * arguments of an existing queue cannot be changed.
 */
export const deadLetterMs = 28 * 86_400_000;

/** Deliveries after which the broker itself dead-letters a message, because its consumers crash again and again. */
const crashLimit = 50;

/** Delivery limit of dead letter queues: the broker counts each look of an operator as a delivery, and would drop the message at its default limit. */
const deadLetterDeliveryLimit = 1_000_000;

export const deadLetterQueueOf = (queue: string): string => `${queue}.dead`;
export const retryQueueOf = (queue: string, delayName: string): string => `${queue}.retry.${delayName}`;
export const requestQueueOf = (type: string): string => `requests.${type}`;

const quorumQueue = (more: Record<string, unknown> = {}): Options.AssertQueue => ({
  durable: true,
  arguments: { 'x-queue-type': 'quorum', ...more },
});

/** Declares a quorum queue with its retry queues and its dead letter queue. Declaring it again changes nothing. */
export async function assertWorkQueue(channel: ConfirmChannel, queue: string): Promise<void> {
  await channel.assertQueue(deadLetterQueueOf(queue), quorumQueue({ 'x-delivery-limit': deadLetterDeliveryLimit }));
  await channel.assertQueue(
    queue,
    quorumQueue({
      'x-delivery-limit': crashLimit,
      'x-dead-letter-exchange': '',
      'x-dead-letter-routing-key': deadLetterQueueOf(queue),
      'x-dead-letter-strategy': 'at-least-once',
      'x-overflow': 'reject-publish',
    }),
  );
  for (const { name, ms } of retryDelays) {
    await channel.assertQueue(
      retryQueueOf(queue, name),
      quorumQueue({
        'x-message-ttl': ms,
        'x-dead-letter-exchange': '',
        'x-dead-letter-routing-key': queue,
        'x-dead-letter-strategy': 'at-least-once',
        'x-overflow': 'reject-publish',
      }),
    );
  }
}

export async function assertEventExchange(channel: ConfirmChannel): Promise<void> {
  await channel.assertExchange(eventExchange, 'topic', { durable: true });
}
