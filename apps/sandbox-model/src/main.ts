import { readConfig } from './config/config.js';
import { startModel } from './server/server.js';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const model = await startModel({
    host: config.HOST,
    port: config.PORT,
    seed: config.SEED,
    tokensPerSecond: config.TOKENS_PER_SECOND,
    logLevel: config.LOG_LEVEL,
  });
  process.stdout.write(`model: ${model.url}\n`);
  let stopping: Promise<void> | undefined;
  const stop = () => void (stopping ??= model.stop().finally(() => process.exit(0)));
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
