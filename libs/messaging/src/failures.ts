import { randomUUID } from 'node:crypto';
import { RetryLaterError, PermanentError } from '@decola/service-kit';
import type { ConfirmChannel, ConsumeMessage, GetMessage, Message, Options } from 'amqplib';
import { headerOf } from './envelope.js';
import { deadLetterMs, deadQueueOf, maxAttempts, retryQueueOf, retryRungs } from './topology.js';

/** Of a message that was passed on after somebody had it who did not acknowledge it. */
export const redeliveredHeader = 'x-redelivered';

/** A postponed message may come back this often; then something is wrong for good. */
const maxPostponements = 2_000;

export interface Fate {
  /** Queue that the message goes to now. */
  queue: string;
  isDead: boolean;
  attempts: number;
  postponements: number;
}

/** Where a message goes after `error`: up the ladder, or to the dead letters. */
export function fateOf(queue: string, error: unknown, attempts: number, postponements: number): Fate {
  if (error instanceof RetryLaterError && postponements < maxPostponements) {
    const rung = retryRungs.find(({ ms }) => ms >= error.delayMs) ?? retryRungs[retryRungs.length - 1]!;
    return { queue: retryQueueOf(queue, rung.name), isDead: false, attempts, postponements: postponements + 1 };
  }
  const failed = attempts + 1;
  if (error instanceof PermanentError || error instanceof RetryLaterError || failed >= maxAttempts) {
    return { queue: deadQueueOf(queue), isDead: true, attempts: failed, postponements };
  }
  const rung = retryRungs[Math.min(failed - 1, retryRungs.length - 1)]!;
  return { queue: retryQueueOf(queue, rung.name), isDead: false, attempts: failed, postponements };
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 1_000);
}

const returnedOn = new WeakMap<ConfirmChannel, Set<string>>();

/** Ids of messages that the channel's broker gave back because no queue took them. */
function returnedBy(channel: ConfirmChannel): Set<string> {
  const known = returnedOn.get(channel);
  if (known) return known;
  const returned = new Set<string>();
  returnedOn.set(channel, returned);
  channel.on('return', (message: Message) => returned.add(headerOf(message as GetMessage, 'x-passing') ?? ''));
  return returned;
}

/** Passes a failed message on and resolves when the broker has it; only then may the original be acknowledged. */
export async function passOn(channel: ConfirmChannel, message: ConsumeMessage | GetMessage, queue: string, error: unknown): Promise<Fate> {
  const fate = fateOf(queue, error, Number(headerOf(message, 'x-attempt') ?? 0), Number(headerOf(message, 'x-postponed') ?? 0));
  const { headers, messageId, contentType, type } = message.properties as {
    headers?: Record<string, unknown>;
    messageId?: string;
    contentType?: string;
    type?: string;
  };
  // Headers that the broker adds for itself would be taken for ours on the way back.
  const own = Object.fromEntries(
    Object.entries(headers ?? {}).filter(
      ([name]) =>
        ![
          'x-death',
          'x-first-death-exchange',
          'x-first-death-queue',
          'x-first-death-reason',
          'x-delivery-count',
          'x-last-death-exchange',
          'x-last-death-queue',
          'x-last-death-reason',
        ].includes(name),
    ),
  );
  const passing = randomUUID();
  const options: Options.Publish = {
    persistent: true,
    mandatory: true,
    ...(fate.isDead ? { expiration: String(deadLetterMs) } : {}),
    ...(messageId ? { messageId } : {}),
    ...(contentType ? { contentType } : {}),
    ...(type ? { type } : {}),
    headers: {
      ...own,
      'x-attempt': fate.attempts,
      'x-postponed': fate.postponements,
      'x-queue': queue,
      'x-error': messageOf(error),
      'x-failed-at': new Date().toISOString(),
      'x-passing': passing,
      // The copy is a new message to the broker; that somebody had it before must not be forgotten.
      ...(message.fields.redelivered ? { [redeliveredHeader]: 1 } : {}),
    },
  };
  const returned = returnedBy(channel);
  await new Promise<void>((resolve, reject) => {
    channel.sendToQueue(fate.queue, message.content, options, (failure: unknown) =>
      failure ? reject(failure instanceof Error ? failure : new Error('not confirmed')) : resolve(),
    );
  });
  // A message that no queue took is confirmed all the same.
  if (returned.delete(passing)) throw new Error(`no queue ${fate.queue}`);
  return fate;
}
