import { randomBytes } from 'node:crypto';
import { infrastructure } from './infrastructure.js';

/** A running RabbitMQ. */
export interface BrokerServer {
  url: string;
  /** Base URL of its management interface, with credentials. */
  managementUrl?: string;
}

export interface TestBroker {
  /** AMQP URL of the test's own virtual host. */
  url: string;
  vhost: string;
  /** Base URL of the management interface, with credentials. */
  managementUrl: string;
  /** Calls the management interface: `api('GET', '/queues/{vhost}')`. `{vhost}` is replaced by the name of the virtual host. */
  api<Answer = unknown>(method: string, path: string, body?: unknown): Promise<Answer>;
  dispose(): Promise<void>;
}

/** Calls RabbitMQ's management interface. @throws Error with the status and the response when it refuses */
export async function callManagement<Answer>(managementUrl: string, method: string, path: string, body?: unknown): Promise<Answer> {
  const { origin, username, password } = new URL(managementUrl);
  const answer = await fetch(`${origin}/api${path}`, {
    method,
    headers: {
      authorization: `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`,
      'content-type': 'application/json',
      // The broker ends unused connections, which a busy test would notice only by using one.
      connection: 'close',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return (text ? JSON.parse(text) : undefined) as Answer;
}

/** Creates a virtual host for one test. @param server default: the broker of all tests */
export async function testBroker({ url, managementUrl }: BrokerServer = infrastructure().rabbitmq): Promise<TestBroker> {
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
