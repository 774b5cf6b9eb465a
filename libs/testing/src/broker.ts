import { randomBytes } from 'node:crypto';
import { infrastructure } from './infrastructure.js';

export interface TestBroker {
  /** AMQP URL of a virtual host of the test's own. */
  url: string;
  vhost: string;
  /** Base URL of the management interface, with credentials. */
  managementUrl: string;
  /** Calls the management interface: `api('GET', '/queues/{vhost}')`; `{vhost}` is filled in. */
  api<Answer = unknown>(method: string, path: string, body?: unknown): Promise<Answer>;
  dispose(): Promise<void>;
}

/** Calls RabbitMQ's management interface. @throws Error with status and answer when it refuses. */
export async function callManagement<Answer>(managementUrl: string, method: string, path: string, body?: unknown): Promise<Answer> {
  const { origin, username, password } = new URL(managementUrl);
  const answer = await fetch(`${origin}/api${path}`, {
    method,
    headers: {
      authorization: `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return (text ? JSON.parse(text) : undefined) as Answer;
}

/** A virtual host of the test's own on the real broker. */
export async function testBroker(): Promise<TestBroker> {
  const { url, managementUrl } = infrastructure().rabbitmq;
  if (!managementUrl) throw new Error('the management interface of RabbitMQ is unknown');
  const vhost = `test-${randomBytes(8).toString('hex')}`;
  await callManagement(managementUrl, 'PUT', `/vhosts/${vhost}`, { default_queue_type: 'classic' });
  const user = decodeURIComponent(new URL(url).username);
  await callManagement(managementUrl, 'PUT', `/permissions/${vhost}/${user}`, { configure: '.*', write: '.*', read: '.*' });
  const own = new URL(url);
  own.pathname = `/${vhost}`;
  return {
    url: own.href,
    vhost,
    managementUrl,
    api: (method, path, body) => callManagement(managementUrl, method, path.replaceAll('{vhost}', vhost), body),
    dispose: () => callManagement(managementUrl, 'DELETE', `/vhosts/${vhost}`),
  };
}
