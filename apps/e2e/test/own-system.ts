import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Where the links of mails lead in tests that give it to identity as the address of its site. */
export const siteOfLinks = 'https://decola.example';

/** A separate system for one test: the built gateway, services and sandboxes with a real database, broker and Redis. */
export interface OwnSystem {
  gateway: string;
  publishableKey: string;
  mailbox: string;
  stripe: string;
  /** AMQP URL of its virtual host. */
  broker: string;
  /** URL of each service's role in the database. */
  databaseUrls: Record<string, string>;
  /** Folder of its logs, one file for each process. */
  logs: string;
  /** By process. Replicas that are started later are added, here and to the ports. */
  pids: Record<string, number>;
  ports: Record<string, number>;
  /** Stops a process by SIGTERM, kills or starts one, and waits until it has ended or is ready. `billing-2` is a second replica of billing. */
  order(order: 'stop' | 'kill' | 'start', name: string): Promise<void>;
  /** @param isDrained false kills what still runs, which would drain for `DRAIN_MS` */
  dispose(how?: { isDrained?: boolean }): Promise<void>;
}

type Report = Pick<OwnSystem, 'gateway' | 'publishableKey' | 'mailbox' | 'stripe' | 'broker' | 'databaseUrls' | 'logs' | 'pids' | 'ports'>;

/** @param overrides environment by service; replaces values that the supervisor sets */
export async function ownSystem(overrides: Record<string, Record<string, string>> = {}): Promise<OwnSystem> {
  const child = fork(path.resolve(__dirname, '../src/serve-system.mjs'), [JSON.stringify(overrides)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  let complaints = '';
  child.stderr?.on('data', (chunk: Buffer) => (complaints = (complaints + chunk.toString()).slice(-5_000)));
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const report = await new Promise<Report>((resolve, reject) => {
    child.once('message', (message) => resolve(message as Report));
    child.once('exit', (code) => reject(new Error(`the system did not start (${code}): ${complaints}`)));
  });
  const waiting = new Map<number, { resolve: () => void; reject: (error: Error) => void }>();
  child.on('message', (message) => {
    const { id, error, ...now } = message as { id: number; error?: string } & Partial<Pick<Report, 'ports' | 'pids'>>;
    Object.assign(report.ports, now.ports);
    Object.assign(report.pids, now.pids);
    const question = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) question?.resolve();
    else question?.reject(new Error(error));
  });
  let orders = 0;
  const order: OwnSystem['order'] = (what, name) =>
    new Promise((resolve, reject) => {
      orders += 1;
      waiting.set(orders, { resolve, reject });
      child.send({ id: orders, order: what, name });
    });
  return {
    ...report,
    order,
    dispose: async ({ isDrained = true } = {}) => {
      // Told here, because what fails then shows only that a service does not answer.
      const ended = complaints.split('\n').filter((line) => line.includes(' ended by itself '));
      const logs = ended.map(
        (line) => `${line}\n${readFileSync(path.join(report.logs, `${line.split(' ')[0]!}.log`), 'utf8').slice(-1_500)}`,
      );
      if (!isDrained) await Promise.allSettled(Object.keys(report.pids).map((name) => order('kill', name)));
      child.disconnect();
      await gone;
      if (logs.length > 0) throw new Error(logs.join('\n'));
    },
  };
}
