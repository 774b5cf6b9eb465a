import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './ports.js';
import { eventually } from './waiting.js';

const repositoryRoot = path.resolve(__dirname, '../../..');

/** A PostgreSQL that belongs to one test, as durable as in production. */
export interface OwnPostgres {
  /** URL of its superuser, for `testDatabase`. */
  url: string;
  /** Ends it, and resolves when nobody listens any more: `SIGKILL` as a crash, `SIGINT` as an operator's fast restart, which ends every session first. */
  end(signal: 'SIGKILL' | 'SIGINT'): Promise<void>;
  /** Starts it again with its data and its port; it recovers before it answers. */
  start(): Promise<void>;
  dispose(): Promise<void>;
}

/**
 * Starts a PostgreSQL that the test may end and start again. The test goes on meanwhile.
 * @param isNewest of the npm package, which is of the highest major version that is supported; default: the server of the other tests, which may be older
 */
export async function ownPostgres({ isNewest = false }: { isNewest?: boolean } = {}): Promise<OwnPostgres> {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'postgres-'));
  const port = await freePort();
  let pid: number | undefined;
  const start = async () => {
    const script = `
      import { embeddedPostgres, postgresPrograms, startPostgres } from './scripts/lib/parts/postgres.mjs';
      const bin = await ${isNewest ? 'embeddedPostgres' : 'postgresPrograms'}();
      const { pid } = await startPostgres({ bin, ...${JSON.stringify({ directory: path.join(directory, 'data'), port })} });
      process.stdout.write(String(pid), () => process.exit(0));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { cwd: repositoryRoot });
    pid = Number(stdout);
  };
  const end = async (signal: NodeJS.Signals) => {
    if (pid === undefined) return;
    process.kill(pid, signal);
    pid = undefined;
    await eventually(() => expectNobodyListens(port));
  };
  await start();
  return {
    url: `postgres://decola:decola@127.0.0.1:${port}/postgres`,
    start,
    end,
    dispose: async () => {
      await end('SIGKILL');
      // Sessions of a killed server end by themselves, and may write until then.
      rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
}

function expectNobodyListens(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.once('error', () => resolve());
    socket.once('connect', () => {
      socket.destroy();
      reject(new Error(`the server at port ${port} still listens`));
    });
  });
}
