import { readConfig } from './config/config.js';
import { startStripe } from './server/server.js';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const stripe = await startStripe({ host: config.HOST, port: config.PORT, dataDirectory: config.DATA_DIR });
  process.stdout.write(`stripe: ${stripe.url}\n`);
  let stopping: Promise<void> | undefined;
  const stop = () => void (stopping ??= stripe.stop().finally(() => process.exit(0)));
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
