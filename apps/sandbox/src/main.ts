import { readConfig } from './config.js';
import { startMailbox } from './mailbox/index.js';
import { startNetwork } from './network/index.js';
import { startStripe } from './stripe/index.js';

interface Running {
  url: string;
  stop(): Promise<void>;
}

/** Starts the stand-ins for the outside world. A part without a port stays off. */
async function main(): Promise<void> {
  const config = readConfig(process.env);
  const running: Running[] = [];
  const say = (part: string, { url }: Running): void => void process.stdout.write(`${part}: ${url}\n`);
  const { HOST: host, SANDBOX_DATA_DIR } = config;

  if (config.NETWORK_PORT !== undefined) {
    const network = await startNetwork({
      host,
      port: config.NETWORK_PORT,
      seed: config.SEED,
      build: config.BUILD,
      population: config.POPULATION,
      dataDirectory: SANDBOX_DATA_DIR,
      logLevel: config.LOG_LEVEL,
    });
    running.push(network);
    say('network', network);
  }
  if (config.STRIPE_PORT !== undefined) {
    const stripe = await startStripe({ host, port: config.STRIPE_PORT, ...(SANDBOX_DATA_DIR ? { dataDir: SANDBOX_DATA_DIR } : {}) });
    running.push(stripe);
    say('stripe', stripe);
  }
  if (config.MAILBOX_PORT !== undefined || config.SMTP_PORT !== undefined) {
    const mailbox = await startMailbox({
      host,
      httpPort: config.MAILBOX_PORT ?? 0,
      smtpPort: config.SMTP_PORT ?? 0,
      ...(SANDBOX_DATA_DIR ? { dataDir: SANDBOX_DATA_DIR } : {}),
    });
    running.push(mailbox);
    say('mailbox', mailbox);
  }
  if (running.length === 0) throw new Error('The sandbox has nothing to start: give NETWORK_PORT, STRIPE_PORT, MAILBOX_PORT or SMTP_PORT.');

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
