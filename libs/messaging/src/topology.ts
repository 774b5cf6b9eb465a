import type { ConfirmChannel, Options } from 'amqplib';

/** All events of the system; the routing key is the event's type. */
export const eventExchange = 'decola.events';

/**
 * Pauses before a failed message comes back, one queue each: RabbitMQ has no delayed exchange of its own, so a message waits in a
 * queue whose time to live sends it back.
 */
export const retryRungs = [
  { name: '1s', ms: 1_000 },
  { name: '5s', ms: 5_000 },
  { name: '30s', ms: 30_000 },
  { name: '5m', ms: 300_000 },
  { name: '1h', ms: 3_600_000 },
] as const;

/** After this many failed tries a message goes to the dead letters. */
export const maxAttempts = 8;

/**
 * How long a dead letter stays for an operator; it may hold personal data of somebody who is erased meanwhile. Shorter than a service remembers
 * who is gone (`markGone`), so that one that is replayed changes nothing about them. It is a property of the letter: an argument of a queue
 * that exists cannot be changed.
 */
export const deadLetterMs = 28 * 86_400_000;

/** The net for consumers that die with the message in hand, again and again. */
const crashLimit = 50;

/** Looking at a dead letter gives it back, which the broker counts as a delivery; by default it drops what was given back often. */
const looksAtDeadLetters = 1_000_000;

export const deadQueueOf = (queue: string): string => `${queue}.dead`;
export const retryQueueOf = (queue: string, rung: string): string => `${queue}.retry.${rung}`;
export const requestQueueOf = (type: string): string => `requests.${type}`;

const quorum = (more: Record<string, unknown> = {}): Options.AssertQueue => ({
  durable: true,
  arguments: { 'x-queue-type': 'quorum', ...more },
});

/** A quorum queue with its ladder of retries and its dead letters. Declaring it again changes nothing. */
export async function assertWorkQueue(channel: ConfirmChannel, queue: string): Promise<void> {
  await channel.assertQueue(deadQueueOf(queue), quorum({ 'x-delivery-limit': looksAtDeadLetters }));
  await channel.assertQueue(
    queue,
    quorum({
      'x-delivery-limit': crashLimit,
      'x-dead-letter-exchange': '',
      'x-dead-letter-routing-key': deadQueueOf(queue),
      'x-dead-letter-strategy': 'at-least-once',
      'x-overflow': 'reject-publish',
    }),
  );
  for (const { name, ms } of retryRungs) {
    await channel.assertQueue(
      retryQueueOf(queue, name),
      quorum({
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
