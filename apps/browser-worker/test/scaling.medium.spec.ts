import { readFileSync } from 'node:fs';
import path from 'node:path';
import { browserRun, checksQueue, interactiveRunsQueue, runQueues, scheduledRunsQueue } from '@decola/contracts';
import { consumeJobs, deadLetterQueueOf } from '@decola/messaging';
import { eventually, testBroker, type TestBroker } from '@decola/testing';
import { connect } from 'amqplib';
import { parseAllDocuments } from 'yaml';
import { root } from './support/processes.js';

interface ScaledObject {
  spec: { triggers: { metadata: { queueName: string } }[] };
}

/** What the production overlay tells KEDA of the queues. */
const [{ metadata }] = (
  parseAllDocuments(readFileSync(path.join(root, 'k8s/overlays/production/browser-worker-scaling.yaml'), 'utf8'))[0]!.toJS() as ScaledObject
).spec.triggers as [ScaledObject['spec']['triggers'][0]];

describe('the number by which workers are scaled', () => {
  let broker: TestBroker;
  beforeAll(async () => (broker = await testBroker()));
  afterAll(() => broker?.dispose());

  /** The question that KEDA asks RabbitMQ's management interface for a pattern of queues. */
  const asKeda = async () => {
    const pattern = encodeURIComponent(metadata.queueName);
    const { items } = await broker.api<{ items: { messages?: number; messages_ready?: number }[] }>(
      'GET',
      `/queues/{vhost}?page=1&use_regex=true&pagination=false&name=${pattern}&page_size=100`,
    );
    const sum = (field: 'messages' | 'messages_ready') => items.reduce((total, queue) => total + (queue[field] ?? 0), 0);
    return { queues: items.length, waitingAndActive: sum('messages'), waiting: sum('messages_ready') };
  };

  it('is the sum of waiting and active runs over all queues, without dead letters', async () => {
    const jobs = consumeJobs({
      url: broker.url,
      name: 'declares the queues',
      job: browserRun,
      queues: runQueues,
      prefetch: () => 0,
      handle: () => Promise.resolve(),
    });
    const connection = await connect(broker.url);
    try {
      await eventually(() => expect(jobs.isConnected()).toBe(true));
      const channel = await connection.createConfirmChannel();
      const queues = [interactiveRunsQueue, interactiveRunsQueue, checksQueue, scheduledRunsQueue, deadLetterQueueOf(scheduledRunsQueue)];
      for (const queue of queues) channel.sendToQueue(queue, Buffer.from('{}'), { persistent: true });
      await channel.waitForConfirms();
      // Two workers have one each in hand.
      for (const queue of [interactiveRunsQueue, scheduledRunsQueue]) expect(await channel.get(queue)).not.toBe(false);
      await eventually(async () => expect(await asKeda()).toEqual({ queues: 3, waitingAndActive: 4, waiting: 2 }), { timeoutMs: 90_000 });
    } finally {
      await connection.close();
      await jobs.stop();
    }
  });
});
