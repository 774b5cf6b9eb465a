/**
 * A whole system, without browser workers, for tests that cannot load the supervisor themselves: argument 1 is the environment by service, as
 * JSON. Tells where it is over the IPC channel, stops and starts parts when it is asked there, and ends with its parent.
 */
import { startHarness } from './harness.ts';

const harness = await startHarness({ workers: 0, overrides: JSON.parse(process.argv[2] ?? '{}') });
let ending;
const end = () => (ending ??= harness.stop().finally(() => process.exit(0)));
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, end);
process.once('disconnect', end);

const orders = {
  stop: (name) => harness.system.stopProcess(name),
  start: (name) => harness.system.startProcess(name),
};
process.on('message', ({ id, order, name }) => {
  orders[order](name).then(
    () => process.send({ id }),
    (error) => process.send({ id, error: error.message }),
  );
});
const { gateway, publishableKey, mailbox, stripe } = harness;
process.send({ gateway, publishableKey, mailbox, stripe, logs: harness.system.logDirectory, pids: harness.system.pids() });
