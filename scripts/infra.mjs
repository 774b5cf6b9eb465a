/** Keeps PostgreSQL, RabbitMQ, Redis and Chromium at hand until Ctrl-C, for running single tests by hand. */
import { bootstrap } from './lib/bootstrap.mjs';

await bootstrap(import.meta.url);

const { infrastructureEnvironment, infrastructureOrExit } = await import('./lib/infrastructure.mjs');

const infrastructure = await infrastructureOrExit({ log: (line) => console.log(`· ${line}`) });
for (const [name, value] of Object.entries(infrastructureEnvironment(infrastructure))) console.log(`export ${name}='${value}'`);
console.log(infrastructure.started.length > 0 ? 'Ready. Ctrl-C ends what was started here.' : 'Everything was running already.');
if (infrastructure.started.length > 0) {
  const keepAlive = setInterval(() => {}, 1 << 30);
  const end = async () => {
    clearInterval(keepAlive);
    await infrastructure.stop();
    process.exit(0);
  };
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
}
