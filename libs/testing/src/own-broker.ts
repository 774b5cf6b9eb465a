import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePort } from './ports.js';

const repositoryRoot = path.resolve(__dirname, '../../..');

/** A RabbitMQ that belongs to one test. */
export interface OwnBroker {
  url: string;
  managementUrl: string;
  /** Ends it with SIGKILL. */
  kill(): void;
  /** Starts it again with its data and its ports. */
  start(): void;
  dispose(): void;
}

interface Cluster {
  nodeName: string;
  nodes: readonly string[];
  epmdPort: number;
  cookie: string;
}

/**
 * Starts a RabbitMQ that the test may kill and start again.
 * @param isNewest of the highest major version that is supported; default: the version of the other tests, which may be older
 */
export async function ownBroker({ cluster, isNewest = false }: { cluster?: Cluster; isNewest?: boolean } = {}): Promise<OwnBroker> {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'broker-'));
  const [port, managementPort] = [await freePort(), await freePort()];
  let pid: number | undefined;
  const broker: OwnBroker = {
    url: `amqp://decola:decola@127.0.0.1:${port}`,
    managementUrl: `http://decola:decola@127.0.0.1:${managementPort}`,
    start: () => {
      const script = `
        import { startRabbitmq } from './scripts/lib/parts/rabbitmq.mjs';
        import { obtainNewestRabbitmq } from './scripts/lib/parts/newest-rabbitmq.mjs';
        const { binary, env } = ${isNewest ? 'await obtainNewestRabbitmq({ log: console.error })' : '{}'};
        const place = ${JSON.stringify({ directory, port, managementPort, name: 'test', cluster })};
        const { pid } = await startRabbitmq({ ...place, binary, environment: env });
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

/**
 * Starts two RabbitMQ nodes that form a cluster: quorum queues have a member on each, and need both. The second node may be killed and started again;
 * the first also runs the port mapper of both.
 */
export async function ownCluster(): Promise<[first: OwnBroker, second: OwnBroker]> {
  const epmdPort = await freePort();
  const cookie = randomBytes(16).toString('hex');
  const nodes = ['first', 'second'].map((name) => `${name}-${epmdPort}@localhost`);
  const start = (nodeName: string) => ownBroker({ cluster: { nodeName, nodes, epmdPort, cookie } });
  const first = await start(nodes[0]!);
  try {
    return [first, await start(nodes[1]!)];
  } catch (error) {
    first.dispose();
    throw error;
  }
}

/** Ends helper processes of the broker (the port mapper), which are not in its process group but have its directory as their home. */
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
      // ended meanwhile, or the process of another user
    }
  }
}
