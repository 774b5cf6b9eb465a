import { randomUUID } from 'node:crypto';
import { RetryLaterError, PermanentError } from '@decola/service-kit';
import type { ConfirmChannel, ConsumeMessage, GetMessage, Message, Options } from 'amqplib';
import { headerOf } from './envelope.js';
import { NewerMessageError, nextWait } from './newer-messages.js';
import { maxAttempts, retryDelays } from './retry-delays.js';
import { deadLetterMs, deadLetterQueueOf, retryQueueOf } from './topology.js';

/** Set on a retried message that had been delivered before to a consumer that did not acknowledge it. */
export const redeliveredHeader = 'x-redelivered';

/** A message that was postponed this often is dead-lettered: the event that it waits for will not arrive any more. */
const maxPostponements = 2_000;

/** Headers that RabbitMQ adds by itself. They are not copied to a new message, because they describe the old one. */
const brokerHeaders: readonly string[] = [
  'x-death',
  'x-first-death-exchange',
  'x-first-death-queue',
  'x-first-death-reason',
  'x-delivery-count',
  'x-last-death-exchange',
  'x-last-death-queue',
  'x-last-death-reason',
];

/** What happened to a message before. */
export interface Past {
  attempts: number;
  postponements: number;
  /** When it first met a replica that could not read it; null when it never did. */
  waitingSince: Date | null;
}

export interface FailureOutcome extends Past {
  /** Queue that the message is sent to: a retry queue, or the dead letter queue. */
  queue: string;
  outcome: 'retried' | 'waiting' | 'dead';
}

/** Decides what happens to a message after `error`: another attempt after a delay, or the dead letter queue. */
export function outcomeOf(queue: string, error: unknown, past: Past, now = new Date()): FailureOutcome {
  if (error instanceof NewerMessageError) {
    const waitingSince = past.waitingSince ?? now;
    const delay = nextWait(now.getTime() - waitingSince.getTime());
    if (delay) return { ...past, queue: retryQueueOf(queue, delay), outcome: 'waiting', waitingSince };
  }
  if (error instanceof RetryLaterError && past.postponements < maxPostponements) {
    const delay = retryDelays.find(({ ms }) => ms >= error.delayMs) ?? retryDelays[retryDelays.length - 1]!;
    return { ...past, queue: retryQueueOf(queue, delay.name), outcome: 'retried', postponements: past.postponements + 1 };
  }
  const attempts = past.attempts + 1;
  const isHopeless = error instanceof PermanentError || error instanceof RetryLaterError || error instanceof NewerMessageError;
  if (isHopeless || attempts >= maxAttempts) return { ...past, queue: deadLetterQueueOf(queue), outcome: 'dead', attempts };
  const delay = retryDelays[Math.min(attempts - 1, retryDelays.length - 1)]!;
  return { ...past, queue: retryQueueOf(queue, delay.name), outcome: 'retried', attempts };
}

/** Header with the time since which a message waits for a newer release. */
const waitingHeader = 'x-waiting-since';

function pastOf(message: ConsumeMessage | GetMessage): Past {
  const since = Date.parse(headerOf(message, waitingHeader) ?? '');
  return {
    attempts: Number(headerOf(message, 'x-attempt') ?? 0),
    postponements: Number(headerOf(message, 'x-postponed') ?? 0),
    waitingSince: Number.isNaN(since) ? null : new Date(since),
  };
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 1_000);
}

const returnedOn = new WeakMap<ConfirmChannel, Set<string>>();

/** Ids (`x-passing`) of the copies that the broker returned on this channel because their queue does not exist. */
function returnedBy(channel: ConfirmChannel): Set<string> {
  const known = returnedOn.get(channel);
  if (known) return known;
  const returned = new Set<string>();
  returnedOn.set(channel, returned);
  channel.on('return', (message: Message) => returned.add(headerOf(message as GetMessage, 'x-passing') ?? ''));
  return returned;
}

/**
 * Sends a copy of a failed message to a retry queue or to the dead letter queue. It resolves when the broker has stored the copy: only then may
 * the original be acknowledged.
 */
export async function retryOrDeadLetter(
  channel: ConfirmChannel,
  message: ConsumeMessage | GetMessage,
  queue: string,
  error: unknown,
): Promise<FailureOutcome> {
  const outcome = outcomeOf(queue, error, pastOf(message));
  const { headers, messageId, contentType, type } = message.properties as {
    headers?: Record<string, unknown>;
    messageId?: string;
    contentType?: string;
    type?: string;
  };
  const own = Object.fromEntries(Object.entries(headers ?? {}).filter(([name]) => !brokerHeaders.includes(name)));
  const copyId = randomUUID();
  const options: Options.Publish = {
    persistent: true,
    mandatory: true,
    ...(outcome.outcome === 'dead' ? { expiration: String(deadLetterMs) } : {}),
    ...(messageId ? { messageId } : {}),
    ...(contentType ? { contentType } : {}),
    ...(type ? { type } : {}),
    headers: {
      ...own,
      'x-attempt': outcome.attempts,
      'x-postponed': outcome.postponements,
      ...(outcome.waitingSince ? { [waitingHeader]: outcome.waitingSince.toISOString() } : {}),
      'x-queue': queue,
      'x-error': messageOf(error),
      'x-failed-at': new Date().toISOString(),
      'x-passing': copyId,
      // To the broker the copy is a new message, so its own flag would be lost.
      ...(message.fields.redelivered ? { [redeliveredHeader]: 1 } : {}),
    },
  };
  const returned = returnedBy(channel);
  await new Promise<void>((resolve, reject) => {
    channel.sendToQueue(outcome.queue, message.content, options, (failure: unknown) =>
      failure ? reject(failure instanceof Error ? failure : new Error('not confirmed')) : resolve(),
    );
  });
  // The broker also confirms a message that it returned.
  if (returned.delete(copyId)) throw new Error(`no queue ${outcome.queue}`);
  return outcome;
}
