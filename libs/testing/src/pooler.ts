import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from './ports.js';
import { eventually } from './waiting.js';

const repositoryRoot = path.resolve(__dirname, '../../..');
const operator = 'operator';

/** A PgBouncer in transaction mode that belongs to one test. */
export interface TestPooler {
  /** The same database and role, by way of the pooler. */
  urlOf(direct: string): string;
  /** Connections by database, as PgBouncer counts them. */
  pools(): Promise<{ database: string; pool_mode: string; clients: number; servers: number }[]>;
  dispose(): Promise<void>;
}

/**
 * Starts a PgBouncer before a server. Like ours it accepts no startup parameters but its own.
 * @param server URL of the server
 * @param roles passwords by role
 * @param poolSize connections to the server for each role in each database
 */
export async function testPooler({
  server,
  roles,
  poolSize,
}: {
  server: string;
  roles: Record<string, string>;
  poolSize: number;
}): Promise<TestPooler> {
  const program = await obtain();
  const directory = mkdtempSync(path.join(os.tmpdir(), 'pgbouncer-'));
  const port = await freePort();
  const { hostname, port: serverPort } = new URL(server);
  const users = path.join(directory, 'users.txt');
  const settings = path.join(directory, 'pgbouncer.ini');
  writeFileSync(
    users,
    Object.entries({ ...roles, [operator]: operator })
      .map(([role, password]) => `"${role}" "${password}"\n`)
      .join(''),
    { mode: 0o600 },
  );
  writeFileSync(
    settings,
    [
      '[databases]',
      `* = host=${hostname} port=${serverPort}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = scram-sha-256',
      `auth_file = ${users}`,
      `admin_users = ${operator}`,
      'pool_mode = transaction',
      `default_pool_size = ${poolSize}`,
      'max_client_conn = 200',
      '',
    ].join('\n'),
    { mode: 0o600 },
  );
  // PgBouncer refuses to run as root: it reads its files and then becomes another user.
  const asOther = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn(program, [...asOther, settings], { stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { text: '' };
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output.text += chunk.toString('utf8')));
  const administer = async <Row extends pg.QueryResultRow>(command: string): Promise<Row[]> => {
    const client = new pg.Client({ connectionString: `postgres://${operator}:${operator}@127.0.0.1:${port}/pgbouncer` });
    await client.connect();
    try {
      return (await client.query<Row>(command)).rows;
    } finally {
      await client.end();
    }
  };
  await eventually(
    async () => {
      if (child.exitCode !== null) throw new Error(`PgBouncer ended: ${output.text}`);
      await administer('show version');
    },
    { timeoutMs: 60_000 },
  );
  return {
    urlOf: (direct) => {
      const url = new URL(direct);
      url.hostname = '127.0.0.1';
      url.port = String(port);
      return url.href;
    },
    pools: async () => {
      type Counts = Record<'cl_active' | 'cl_waiting' | 'sv_active' | 'sv_idle' | 'sv_used', string>;
      const rows = await administer<{ database: string; pool_mode: string } & Counts>('show pools');
      return rows.map(({ database, pool_mode, ...counts }) => ({
        database,
        pool_mode,
        clients: Number(counts.cl_active) + Number(counts.cl_waiting),
        servers: Number(counts.sv_active) + Number(counts.sv_idle) + Number(counts.sv_used),
      }));
    },
    dispose: async () => {
      await ended(child);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

/** @returns the program. @throws with what to do about it */
async function obtain(): Promise<string> {
  const script = `
    import { obtainPgbouncer } from './scripts/lib/parts/pgbouncer.mjs';
    process.stdout.write(await obtainPgbouncer({ log: console.error }));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { cwd: repositoryRoot });
  return stdout;
}
