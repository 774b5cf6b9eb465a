/** `npm run reset`: forgets the data of this clone (database, broker, cache, files, sandbox), keeps what was installed. */
import { bootstrap } from './lib/bootstrap.mjs';

await bootstrap(import.meta.url);

const { rmSync } = await import('node:fs');
const path = await import('node:path');
const { infrastructureOrExit } = await import('./lib/infrastructure.mjs');
const { stateDirectory } = await import('./lib/parts/state.mjs');
const { dropBroker, dropDatabase, dropKeys } = await import('./lib/provision.mjs');
const { runningSystem } = await import('./lib/endpoints.mjs');

const running = await runningSystem();
if (running) {
  console.error(`Decola is running at ${running.gateway}. End it (Ctrl-C in its terminal) and run this again.`);
  process.exit(1);
}
const infrastructure = await infrastructureOrExit({ log: (line) => console.log(`· ${line}`) });
try {
  await dropDatabase({ adminUrl: infrastructure.postgres.url, database: 'decola' });
  await dropBroker({ managementUrl: infrastructure.rabbitmq.managementUrl, vhost: 'decola' });
  await dropKeys({ url: infrastructure.redis.url, prefix: 'decola:' });
} finally {
  await infrastructure.stop();
}
for (const name of ['files', 'secrets.json', 'endpoints.json']) rmSync(path.join(stateDirectory, name), { recursive: true, force: true });
console.log('✓ All data of this clone are forgotten. npm start begins anew.');
