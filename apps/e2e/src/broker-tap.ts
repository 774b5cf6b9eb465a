import amqp from 'amqplib';
import { knownInfrastructure } from '../../../scripts/lib/infrastructure.mjs';

/** Receives a copy of every event of a system, in a queue of its own. */
export interface BrokerTap {
  /** Body and headers of each event so far, as text. */
  events: readonly string[];
  stop(): Promise<void>;
}

const textOf = (message: amqp.ConsumeMessage) => `${message.content.toString()} ${JSON.stringify(message.properties)}`;

export async function tapEvents(brokerUrl: string): Promise<BrokerTap> {
  const events: string[] = [];
  const connection = await amqp.connect(brokerUrl);
  const channel = await connection.createChannel();
  const { queue } = await channel.assertQueue('', { exclusive: true });
  await channel.bindQueue(queue, 'decola.events', '#');
  await channel.consume(queue, (message) => message && events.push(textOf(message)), { noAck: true });
  return { events, stop: () => connection.close() };
}

/** All messages in the queues of a system, dead letters and retries included, as text by queue. The messages stay in their queues. */
export async function waitingMessages(brokerUrl: string): Promise<Record<string, string[]>> {
  const { managementUrl } = knownInfrastructure().rabbitmq;
  if (!managementUrl) throw new Error('the broker has no management address');
  const { origin, username, password } = new URL(managementUrl);
  const vhost = new URL(brokerUrl).pathname.slice(1);
  const call = async <Answer>(path: string, body?: unknown): Promise<Answer> => {
    const answer = await fetch(`${origin}/api/queues/${encodeURIComponent(decodeURIComponent(vhost))}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`broker: ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Answer;
  };
  const found: Record<string, string[]> = {};
  for (const { name } of await call<{ name: string }[]>('')) {
    const messages = await call<unknown[]>(`/${encodeURIComponent(name)}/get`, {
      count: 1_000,
      ackmode: 'ack_requeue_true',
      encoding: 'auto',
    }).catch((error: unknown) => {
      // Exclusive queues can be read only by the connection that declared them; they hold replies to requests.
      if (String(error).includes('RESOURCE_LOCKED') || String(error).includes('exclusive')) return [];
      throw error;
    });
    found[name] = messages.map((message) => JSON.stringify(message));
  }
  return found;
}
