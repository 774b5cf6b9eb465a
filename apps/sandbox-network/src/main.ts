import { readConfig } from './config/config.js';
import { startNetwork } from './server/server.js';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const network = await startNetwork({
    host: config.HOST,
    port: config.PORT,
    seed: config.SEED,
    build: config.BUILD,
    population: config.POPULATION,
    dataDirectory: config.DATA_DIR,
    logLevel: config.LOG_LEVEL,
  });
  process.stdout.write(`network: ${network.url}\n`);
  let stopping: Promise<void> | undefined;
  const stop = () => void (stopping ??= network.stop().finally(() => process.exit(0)));
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
