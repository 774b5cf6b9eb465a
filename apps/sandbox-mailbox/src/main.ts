import { readConfig } from './config/config.js';
import { startMailbox } from './server/server.js';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const mailbox = await startMailbox({
    host: config.HOST,
    httpPort: config.PORT,
    smtpPort: config.SMTP_PORT,
    dataDirectory: config.DATA_DIR,
  });
  process.stdout.write(`mailbox: ${mailbox.url}\n`);
  let stopping: Promise<void> | undefined;
  const stop = () => void (stopping ??= mailbox.stop().finally(() => process.exit(0)));
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
