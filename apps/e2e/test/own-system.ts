import { fork } from 'node:child_process';
import path from 'node:path';

/** A system of the test's own: gateway, services and sandbox as they are built, with real database, broker and Redis. */
export interface OwnSystem {
  gateway: string;
  publishableKey: string;
  mailbox: string;
  stripe: string;
  /** Folder of its logs, one file by part. */
  logs: string;
  pids: Record<string, number>;
  /** Stops or starts one part. */
  order(order: 'stop' | 'start', name: string): Promise<void>;
  dispose(): Promise<void>;
}

type Report = Pick<OwnSystem, 'gateway' | 'publishableKey' | 'mailbox' | 'stripe' | 'logs' | 'pids'>;

/** @param overrides environment by service, over what the supervisor sets */
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
    const { id, error } = message as { id: number; error?: string };
    const question = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) question?.resolve();
    else question?.reject(new Error(error));
  });
  let orders = 0;
  return {
    ...report,
    order: (order, name) =>
      new Promise((resolve, reject) => {
        orders += 1;
        waiting.set(orders, { resolve, reject });
        child.send({ id: orders, order, name });
      }),
    dispose: async () => {
      child.disconnect();
      await gone;
    },
  };
}
