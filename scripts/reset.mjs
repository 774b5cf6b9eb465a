/** `npm run reset`: deletes the data of this clone (database, broker, cache, files, sandbox) and keeps installed packages. */
import { bootstrap } from './lib/bootstrap.mjs';

await bootstrap(import.meta.url);

const { rmSync } = await import('node:fs');
const path = await import('node:path');
const { infrastructureOrExit } = await import('./lib/infrastructure.mjs');
const { stateDirectory } = await import('./lib/parts/state.mjs');
const { lockSystemOrExit } = await import('./lib/one-system.mjs');
const { dropBroker, dropDatabase, dropKeys } = await import('./lib/provision.mjs');
const { endLeftovers } = await import('./lib/record.mjs');
const { Supervision, whenAskedToEnd } = await import('./lib/supervision.mjs');

const log = (line) => console.log(`· ${line}`);
const supervision = new Supervision('npm run reset');
await lockSystemOrExit('npm run reset');
whenAskedToEnd(() => void supervision.end().then(() => process.exit(1)));
await endLeftovers(log);
const infrastructure = await infrastructureOrExit({ log, supervision });
try {
  await dropDatabase({ adminUrl: infrastructure.postgres.url, database: 'decola' });
  await dropBroker({ managementUrl: infrastructure.rabbitmq.managementUrl, vhost: 'decola' });
  await dropKeys({ url: infrastructure.redis.url, prefix: 'decola:' });
} finally {
  await infrastructure.stop();
}
for (const name of ['files', 'secrets.json', 'endpoints.json']) rmSync(path.join(stateDirectory, name), { recursive: true, force: true });
console.log('✓ All data of this clone are forgotten. npm start begins anew.');
