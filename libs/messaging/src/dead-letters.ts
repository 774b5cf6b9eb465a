import amqp, { type ConfirmChannel, type GetMessage, type Message } from 'amqplib';
import { attributesOf, headerOf } from './envelope.js';
import { deadQueueOf } from './topology.js';

/** A message that was given up, as an operator sees it. */
export interface DeadLetter {
  id: string;
  type: string;
  subject: string;
  /** Queue it was in hand from. */
  queue: string;
  /** Name and text of the last error; for a message whose consumers died with it in hand, the broker's own reason. */
  reason: string;
  attempts: number;
  failedAt: string | null;
  /** W3C trace context of the work that sent it. */
  traceparent: string | null;
  /** The body as it was sent. */
  body: string;
}

const suffix = deadQueueOf('');

/** Headers that tell of the failed tries; a replayed message begins anew. */
const failureHeaders =
  /^x-(attempt|postponed|queue|error|failed-at|passing|death|delivery-count|first-death-.*|last-death-.*|acquired-count)$/;

function letterOf(message: GetMessage, deadQueue: string): DeadLetter {
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

async function onChannel<Result>(url: string, work: (channel: ConfirmChannel) => Promise<Result>): Promise<Result> {
  const connection = await amqp.connect(url);
  try {
    const channel = await connection.createConfirmChannel();
    channel.on('error', () => undefined); // the call that failed says so itself
    const result = await work(channel);
    // Acknowledgements have no answer; when the channel is closed they have arrived.
    await channel.close();
    return result;
  } finally {
    await connection.close().catch(() => undefined);
  }
}

/** Takes at most `limit` messages of the queue into the hand of `work`, which decides on each; what it leaves stays in the queue. */
async function eachOf(channel: ConfirmChannel, queue: string, limit: number, work: (message: GetMessage) => Promise<void>): Promise<void> {
  // Not more than stand there now: a message that goes round and comes back is not taken twice.
  const { messageCount } = await channel.checkQueue(queue);
  for (let taken = 0; taken < Math.min(messageCount, limit); taken++) {
    const message = await channel.get(queue, { noAck: false });
    if (message === false) return;
    await work(message);
  }
}

function requireDeadQueue(queue: string): void {
  if (!queue.endsWith(suffix)) throw new Error(`${queue} is no queue of dead letters (their names end in ${suffix})`);
}

/** Looks at the dead letters of one queue, oldest first; they stay where they are. @param queue `<queue>.dead` */
export async function listDeadLetters(url: string, queue: string, { limit = 1_000 }: { limit?: number } = {}): Promise<DeadLetter[]> {
  requireDeadQueue(queue);
  return onChannel(url, async (channel) => {
    const letters: DeadLetter[] = [];
    await eachOf(channel, queue, limit, (message) => {
      letters.push(letterOf(message, queue));
      return Promise.resolve();
    });
    channel.nackAll(true);
    return letters;
  });
}

/**
 * Sends dead letters back to the queue they came from, where they are handled as if they came for the first time. Each leaves the dead letters only
 * when the broker has it in its queue. @param ids only these; all of them when absent @returns ids of what was sent back
 */
export async function replayDeadLetters(
  url: string,
  queue: string,
  { ids, limit = 100_000 }: { ids?: readonly string[]; limit?: number } = {},
): Promise<string[]> {
  requireDeadQueue(queue);
  return onChannel(url, async (channel) => {
    const returned = new Set<string>();
    channel.on('return', (message: Message) => returned.add(String(message.properties.messageId)));
    const replayed: string[] = [];
    await eachOf(channel, queue, limit, async (message) => {
      const letter = letterOf(message, queue);
      if (ids && !ids.includes(letter.id)) return;
      const { headers, contentType, messageId, type } = message.properties as {
        headers?: Record<string, unknown>;
        contentType?: string;
        messageId?: string;
        type?: string;
      };
      channel.sendToQueue(letter.queue, message.content, {
        persistent: true,
        mandatory: true,
        ...(messageId ? { messageId } : {}),
        ...(contentType ? { contentType } : {}),
        ...(type ? { type } : {}),
        headers: Object.fromEntries(Object.entries(headers ?? {}).filter(([name]) => !failureHeaders.test(name))),
      });
      await channel.waitForConfirms();
      if (returned.has(String(messageId))) throw new Error(`${letter.queue} does not exist; ${letter.id} stays in ${queue}`);
      channel.ack(message);
      replayed.push(letter.id);
    });
    return replayed;
  });
}

export interface DeadQueue {
  queue: string;
  messages: number;
}

/** Names and lengths of all queues of dead letters, by the broker's management interface. */
export async function listDeadQueues(managementUrl: string, vhost: string): Promise<DeadQueue[]> {
  const { origin, username, password } = new URL(managementUrl);
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
  const answer = await fetch(`${origin}/api/queues/${encodeURIComponent(vhost)}`, { headers: { authorization: `Basic ${credentials}` } });
  if (!answer.ok) throw new Error(`the management interface answers ${answer.status}`);
  const queues = (await answer.json()) as { name: string; messages?: number }[];
  return queues
    .filter(({ name }) => name.endsWith(suffix))
    .map(({ name, messages = 0 }) => ({ queue: name, messages }))
    .sort((a, b) => a.queue.localeCompare(b.queue));
}
