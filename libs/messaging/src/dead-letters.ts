import { setTimeout } from 'node:timers/promises';
import type { ConfirmChannel, GetMessage, Message } from 'amqplib';
import { attributesOf, headerOf } from './envelope.js';
import { withShortConnection } from './short-connection.js';
import { deadLetterQueueOf } from './topology.js';

/** A dead-lettered message, as an operator sees it. */
export interface DeadLetter {
  id: string;
  type: string;
  subject: string;
  /** Queue that it was consumed from. */
  queue: string;
  /** Name and message of the last error; the broker's own reason when consumers crashed while they handled it. */
  reason: string;
  attempts: number;
  failedAt: string | null;
  /** W3C trace context of the work that sent it. */
  traceparent: string | null;
  /** The body as it was sent. */
  body: string;
}

const suffix = deadLetterQueueOf('');

/** Headers about the failed attempts: a replayed message starts without them. */
const failureHeaders =
  /^x-(attempt|postponed|waiting-since|queue|error|failed-at|passing|death|delivery-count|first-death-.*|last-death-.*|acquired-count)$/;

function deadLetterOf(message: GetMessage, deadQueue: string): DeadLetter {
  const { id, type, subject } = attributesOf(message);
  return {
    id,
    type,
    subject,
    queue: headerOf(message, 'x-queue') ?? deadQueue.slice(0, -suffix.length),
    reason:
      headerOf(message, 'x-error') ?? headerOf(message, 'x-last-death-reason') ?? headerOf(message, 'x-first-death-reason') ?? 'unknown',
    attempts: Number(headerOf(message, 'x-attempt') ?? 0),
    failedAt: headerOf(message, 'x-failed-at') ?? null,
    traceparent: headerOf(message, 'traceparent') ?? null,
    body: message.content.toString('utf8'),
  };
}

const connectionName = { name: 'dead letters' };

/** Gets at most `limit` messages of the queue and calls `work` with each. Messages that `work` does not acknowledge stay in the queue. */
async function forEachMessage(
  channel: ConfirmChannel,
  queue: string,
  limit: number,
  work: (message: GetMessage) => Promise<void>,
): Promise<void> {
  // Only as many as the queue holds now: a replayed message may fail and come back meanwhile.
  const { messageCount } = await channel.checkQueue(queue);
  for (let taken = 0; taken < Math.min(messageCount, limit); taken++) {
    const message = await channel.get(queue, { noAck: false });
    if (message === false) return;
    await work(message);
  }
}

const returnDeadlineMs = 2_000;

/**
 * Waits until at least `count` messages of the queue can be taken again, or two seconds. A quorum queue gives returned messages back a moment after
 * the request to do so; until then, the next look would miss them.
 */
async function untilReady(channel: ConfirmChannel, queue: string, count: number): Promise<void> {
  const deadline = Date.now() + returnDeadlineMs;
  while ((await channel.checkQueue(queue)).messageCount < count && Date.now() < deadline) await setTimeout(20);
}

function requireDeadQueue(queue: string): void {
  if (!queue.endsWith(suffix)) throw new Error(`${queue} is not a dead letter queue (their names end in ${suffix})`);
}

/** Lists the dead letters of one queue, oldest first, and leaves them there. @param queue `<queue>.dead` */
export async function listDeadLetters(url: string, queue: string, { limit = 1_000 }: { limit?: number } = {}): Promise<DeadLetter[]> {
  requireDeadQueue(queue);
  const list = async (channel: ConfirmChannel): Promise<DeadLetter[]> => {
    const deadLetters: DeadLetter[] = [];
    await forEachMessage(channel, queue, limit, (message) => {
      deadLetters.push(deadLetterOf(message, queue));
      return Promise.resolve();
    });
    channel.nackAll(true);
    await untilReady(channel, queue, deadLetters.length);
    return deadLetters;
  };
  return withShortConnection(url, list, connectionName);
}

/**
 * Sends dead letters back to the queue that they came from, where they are handled like new messages. Each leaves the dead letter queue only after the
 * broker has stored it in the other one.
 * @param options.ids only these; all of them when absent
 * @returns ids of the messages that were sent back
 */
export async function replayDeadLetters(
  url: string,
  queue: string,
  { ids, limit = 100_000 }: { ids?: readonly string[]; limit?: number } = {},
): Promise<string[]> {
  requireDeadQueue(queue);
  const replay = async (channel: ConfirmChannel): Promise<string[]> => {
    const returned = new Set<string>();
    channel.on('return', (message: Message) => returned.add(String(message.properties.messageId)));
    const replayed: string[] = [];
    await forEachMessage(channel, queue, limit, async (message) => {
      const deadLetter = deadLetterOf(message, queue);
      if (ids && !ids.includes(deadLetter.id)) return;
      const { headers, contentType, messageId, type } = message.properties as {
        headers?: Record<string, unknown>;
        contentType?: string;
        messageId?: string;
        type?: string;
      };
      channel.sendToQueue(deadLetter.queue, message.content, {
        persistent: true,
        mandatory: true,
        ...(messageId ? { messageId } : {}),
        ...(contentType ? { contentType } : {}),
        ...(type ? { type } : {}),
        headers: Object.fromEntries(Object.entries(headers ?? {}).filter(([name]) => !failureHeaders.test(name))),
      });
      await channel.waitForConfirms();
      if (returned.has(String(messageId))) throw new Error(`${deadLetter.queue} does not exist; ${deadLetter.id} stays in ${queue}`);
      channel.ack(message);
      replayed.push(deadLetter.id);
    });
    return replayed;
  };
  return withShortConnection(url, replay, connectionName);
}

export interface DeadLetterQueue {
  queue: string;
  messages: number;
}

/** Names and lengths of all dead letter queues, from the broker's management interface. */
export async function listDeadLetterQueues(managementUrl: string, vhost: string): Promise<DeadLetterQueue[]> {
  const { origin, username, password } = new URL(managementUrl);
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
  const answer = await fetch(`${origin}/api/queues/${encodeURIComponent(vhost)}`, { headers: { authorization: `Basic ${credentials}` } });
  if (!answer.ok) throw new Error(`the management interface answered with status ${answer.status}`);
  const queues = (await answer.json()) as { name: string; messages?: number }[];
  return queues
    .filter(({ name }) => name.endsWith(suffix))
    .map(({ name, messages = 0 }) => ({ queue: name, messages }))
    .sort((a, b) => a.queue.localeCompare(b.queue));
}
