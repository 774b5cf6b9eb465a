import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePort } from './ports.js';

const repositoryRoot = path.resolve(__dirname, '../../..');

export interface OwnBroker {
  url: string;
  managementUrl: string;
  /** Ends it at once, as a power cut would. */
  kill(): void;
  /** Starts it again with the data and the address that it had. */
  start(): void;
  dispose(): void;
}

/** A RabbitMQ of the test's own, which it may restart. */
export async function ownBroker(): Promise<OwnBroker> {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'broker-'));
  const [port, managementPort] = [await freePort(), await freePort()];
  let pid: number | undefined;
  const broker: OwnBroker = {
    url: `amqp://decola:decola@127.0.0.1:${port}`,
    managementUrl: `http://decola:decola@127.0.0.1:${managementPort}`,
    start: () => {
      const script = `
        import { startRabbitmq } from './scripts/lib/parts/rabbitmq.mjs';
        const { pid } = await startRabbitmq(${JSON.stringify({ directory, port, managementPort, name: 'test' })});
        process.stdout.write(String(pid), () => process.exit(0));`;
      pid = Number(
        execFileSync(process.execPath, ['--input-type=module', '-e', script], {
          cwd: repositoryRoot,
          stdio: ['ignore', 'pipe', 'inherit'],
        }),
      );
    },
    kill: () => {
      if (pid !== undefined) process.kill(-pid, 'SIGKILL');
      pid = undefined;
      endLeftovers(directory);
    },
    dispose: () => {
      broker.kill();
      rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
  broker.start();
  return broker;
}

/** Helpers of the broker (its port mapper) leave its process group; they are known by their home. */
function endLeftovers(directory: string): void {
  const processes = (() => {
    try {
      return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    } catch {
      return []; // no /proc on this system
    }
  })();
  for (const each of processes) {
    try {
      if (readFileSync(`/proc/${each}/environ`, 'utf8').split('\0').includes(`HOME=${directory}`)) process.kill(Number(each), 'SIGKILL');
    } catch {
      // gone, or somebody else's
    }
  }
}
