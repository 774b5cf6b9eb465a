import { eventually, tcpProxy } from '@decola/testing';
import { type BrokerConnection, BROKER_CONNECTION, consumeJobs } from '../src/index.js';
import { bench, type Bench, packOrder, startService } from './support.js';

describe('a service that stops while its broker does not answer', () => {
  let orders: Bench;
  beforeAll(async () => {
    orders = await bench();
  });
  afterAll(() => orders?.dispose());

  // amqplib waits for ever for the answer to a close when the connection is lost before it.
  it('ends: neither its jobs nor its connection wait for an answer', async () => {
    const proxy = await tcpProxy(orders.broker.url);
    try {
      const app = await startService('stopping', { brokerUrl: proxy.url, databaseUrl: orders.database.url });
      const jobs = consumeJobs({
        connection: app.get<BrokerConnection>(BROKER_CONNECTION),
        name: 'stopping packer',
        job: packOrder,
        queues: [{ name: 'stopping.pack', weight: 1 }],
        // None is asked for, so that no answer but that to the close is awaited.
        prefetch: () => 0,
        handle: () => Promise.resolve(),
      });
      await eventually(() => expect(jobs.isConnected()).toBe(true), { timeoutMs: 60_000 });
      proxy.hang();
      await jobs.stop();
      await app.close();
    } finally {
      await proxy.dispose();
    }
  });
});
