/**
 * Runs a whole system without browser workers, for tests that cannot import the supervisor themselves. Argument 1: the environment by
 * service, as JSON. It sends its addresses over the IPC channel, stops and starts processes when a message asks for it, and ends when its
 * parent does.
 */
import { startHarness } from './harness.ts';

const harness = await startHarness({ workers: 0, overrides: JSON.parse(process.argv[2] ?? '{}'), log: (line) => console.error(line) });
let ending;
const end = () => (ending ??= harness.stop().finally(() => process.exit(0)));
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, end);
process.once('disconnect', end);

const orders = {
  stop: (name) => harness.system.stopProcess(name),
  start: (name) => harness.system.startProcess(name),
  kill: (name) => harness.system.kill(name),
};
process.on('message', ({ id, order, name }) => {
  orders[order](name).then(
    () => process.send({ id, ports: harness.system.ports, pids: harness.system.pids() }),
    (error) => process.send({ id, error: error.message }),
  );
});
const { gateway, publishableKey, mailbox, stripe } = harness;
process.send({
  gateway,
  publishableKey,
  mailbox,
  stripe,
  broker: harness.system.brokerUrl,
  databaseUrls: harness.system.databaseUrls,
  logs: harness.system.logDirectory,
  pids: harness.system.pids(),
  ports: harness.system.ports,
});
