import { readConfig } from './config.js';
import { startNetwork } from './network/index.js';

interface Running {
  url: string;
  stop(): Promise<void>;
}

/** Starts the stand-ins for the outside world. A part without a port stays off. */
async function main(): Promise<void> {
  const config = readConfig(process.env);
  const running: Running[] = [];
  const say = (part: string, { url }: Running): void => void process.stdout.write(`${part}: ${url}\n`);
  const common = { host: config.HOST, dataDirectory: config.SANDBOX_DATA_DIR, logLevel: config.LOG_LEVEL };

  if (config.NETWORK_PORT !== undefined) {
    const network = await startNetwork({
      ...common,
      port: config.NETWORK_PORT,
      seed: config.SEED,
      build: config.BUILD,
      population: config.POPULATION,
    });
    running.push(network);
    say('network', network);
  }

  let isStopping = false;
  const stop = async (): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    await Promise.allSettled(running.map((part) => part.stop()));
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop());
  process.on('SIGINT', () => void stop());
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
