/**
 * A relay as a process of its own, for tests that kill it. `DIE_AFTER` ends it by SIGKILL right after the broker confirmed that many
 * messages, before they are marked as sent.
 */
import { connectBroker, Relay, ConfirmedPublisher } from '../src/index.js';

const environment = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is missing`);
  return value;
};

const connection = connectBroker(environment('RABBITMQ_URL'), 'relay under test');
const publisher = new ConfirmedPublisher(connection, 'relay under test');
const dieAfter = Number(process.env['DIE_AFTER'] ?? Number.POSITIVE_INFINITY);
let confirmed = 0;

const say = (text: unknown) => void process.stderr.write(`${String(text)}\n`);
const relay = new Relay({
  databaseUrl: environment('DATABASE_URL'),
  source: '/orders',
  publisher: {
    isConnected: () => publisher.isConnected(),
    publishEvent: async (envelope, payload) => {
      await publisher.publishEvent(envelope, payload);
      confirmed += 1;
      if (confirmed >= dieAfter) process.kill(process.pid, 'SIGKILL');
    },
    publishJob: (queue, envelope, payload) => publisher.publishJob(queue, envelope, payload),
  },
  logger: { info: say, warn: say, error: say },
  batchSize: 20,
  pollMs: 50,
});
relay.start();
