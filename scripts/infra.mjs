/** `npm run infra`: keeps PostgreSQL, RabbitMQ, Redis and Chromium running until Ctrl-C, for running single tests by hand. */
import { bootstrap } from './lib/bootstrap.mjs';

await bootstrap(import.meta.url);

const { infrastructureEnvironment, infrastructureOrExit } = await import('./lib/infrastructure.mjs');
const { Supervision, whenAskedToEnd } = await import('./lib/supervision.mjs');

const supervision = new Supervision('npm run infra');
// Keeps the process alive: nothing else does.
setInterval(() => {}, 1 << 30);
whenAskedToEnd(() => void supervision.end().then(() => process.exit(0)));
const infrastructure = await infrastructureOrExit({ log: (line) => console.log(`· ${line}`), supervision });
for (const [name, value] of Object.entries(infrastructureEnvironment(infrastructure))) console.log(`export ${name}='${value}'`);
console.log(infrastructure.started.length > 0 ? 'Ready. Ctrl-C ends what was started here.' : 'Everything was running already.');
if (infrastructure.started.length === 0) process.exit(0);
