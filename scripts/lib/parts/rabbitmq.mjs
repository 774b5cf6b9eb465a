import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort, isListening } from '../ports.mjs';
import { endProcesses, processesIn } from '../processes.mjs';
import { findExecutable, startDetached, waitFor } from '../shell.mjs';
import { stateDirectory } from './state.mjs';
import { composeUp, obtainServer } from './ways.mjs';

async function probeRabbitmq(url, timeoutMs = 3000) {
  const { default: amqp } = await import('amqplib');
  try {
    const connection = await amqp.connect(url, { timeout: timeoutMs });
    await connection.close();
    return true;
  } catch {
    return false;
  }
}

async function probeManagement(url) {
  if (!url) return false;
  const { origin, username, password } = new URL(url);
  const authorization = `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`;
  try {
    const answer = await fetch(`${origin}/api/whoami`, { headers: { authorization }, signal: AbortSignal.timeout(3000) });
    return answer.ok;
  } catch {
    return false;
  }
}

function installedRabbitmq() {
  const root = '/usr/lib/rabbitmq/lib';
  const versions = existsSync(root) ? readdirSync(root) : [];
  // The wrapper in /usr/sbin runs only as root or rabbitmq; the program itself runs as any user.
  return findExecutable([
    ...versions.map((version) => path.join(root, version, 'sbin/rabbitmq-server')),
    '/opt/homebrew/sbin/rabbitmq-server',
    '/usr/local/sbin/rabbitmq-server',
  ]);
}

/**
 * Starts Erlang's port mapper on a separate port. Otherwise RabbitMQ would start it as a daemon that outlives the broker and that no
 * supervisor ends. When the program is not found here, RabbitMQ starts it after all.
 */
async function startPortMapper({ port, env, logFile, directory, start }) {
  const places = (env.PATH ?? '').split(path.delimiter).filter(Boolean);
  const program = findExecutable(places.map((place) => path.join(place, 'epmd')));
  if (!program) return;
  const child = startDetached(program, ['-port', String(port)], { logFile, cwd: directory, env }, (...how) => start('epmd', ...how));
  await waitFor(() => isListening(port), { describe: "RabbitMQ's port mapper", timeoutMs: 30_000, logFile, child });
}

/** Deletes the data of a broker that was ended during its first start: its default user may be missing, and no messages can be lost yet. */
async function withFreshData(directory, begin) {
  const mark = path.join(directory, 'first-start');
  const data = path.join(directory, 'mnesia');
  if (existsSync(mark)) rmSync(data, { recursive: true, force: true });
  if (!existsSync(data)) writeFileSync(mark, '');
  const result = await begin();
  rmSync(mark, { force: true });
  return result;
}

/**
 * Starts a RabbitMQ for this project, on loopback only, with user `decola` and the management interface.
 * @param start starts a program under a name. Default: without supervision, so that the caller must end its process group
 * @param cluster makes the broker a node of a cluster: its node name, the names of all nodes, and the port of the port mapper and the cookie that
 * they share. The node that starts first starts the port mapper.
 * @param environment further variables that the program needs
 */
export async function startRabbitmq({
  binary = installedRabbitmq(),
  directory,
  port,
  managementPort,
  name = 'decola',
  cluster,
  environment = {},
  start = (_name, ...how) => spawn(...how),
}) {
  mkdirSync(directory, { recursive: true });
  chmodSync(directory, 0o700);
  await endProcesses(processesIn(directory, 'beam.smp'), { graceMs: 20_000 });
  return withFreshData(directory, () => startProgram({ binary, directory, port, managementPort, name, cluster, environment, start }));
}

/** Configuration by which a node finds the other nodes of its cluster when it starts for the first time. */
function clusterConfiguration({ nodes }) {
  return [
    'cluster_formation.peer_discovery_backend = classic_config',
    ...nodes.map((node, index) => `cluster_formation.classic_config.nodes.${index + 1} = ${node}`),
  ];
}

/** Nodes of a cluster trust each other by a common secret. */
function writeCookie(directory, cookie) {
  const file = path.join(directory, '.erlang.cookie');
  if (!existsSync(file)) writeFileSync(file, cookie, { mode: 0o400 });
}

async function startProgram({ binary, directory, port, managementPort, name, cluster, environment, start }) {
  const epmdPort = cluster?.epmdPort ?? (await freePort());
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
      // Rates of messages, which only its own pages show, and a log line for each connection took 7 % of its processor time in tests.
      'management.rates_mode = none',
      'log.file.level = warning',
      'disk_free_limit.absolute = 500MB',
      ...(cluster ? clusterConfiguration(cluster) : []),
      '',
    ].join('\n'),
  );
  writeFileSync(path.join(directory, 'enabled_plugins'), '[rabbitmq_management].\n');
  if (cluster) writeCookie(directory, cluster.cookie);
  const logFile = path.join(stateDirectory, `logs/rabbitmq-${name}.log`);
  const env = {
    ...process.env,
    ...environment,
    HOME: directory,
    RABBITMQ_NODENAME: cluster?.nodeName ?? `${name}-${port}@localhost`,
    RABBITMQ_CONFIG_FILE: path.join(directory, 'rabbitmq.conf'),
    RABBITMQ_MNESIA_BASE: path.join(directory, 'mnesia'),
    RABBITMQ_LOG_BASE: path.join(directory, 'log'),
    RABBITMQ_ENABLED_PLUGINS_FILE: path.join(directory, 'enabled_plugins'),
    RABBITMQ_DIST_PORT: String(distributionPort),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    ERL_EPMD_PORT: String(epmdPort),
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-kernel inet_dist_use_interface {127,0,0,1} +S 2:2 +sbwt none',
  };
  if (!(await isListening(epmdPort))) await startPortMapper({ port: epmdPort, env, logFile, directory, start });
  const child = startDetached(binary, [], { logFile, cwd: directory, env }, (...how) => start('rabbitmq', ...how));
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

/** @returns {Promise<{ url: string; managementUrl?: string; pid?: number }>} */
export function obtainRabbitmq({ data, supervision, ...context }) {
  const variable = 'DECOLA_RABBITMQ_URL';
  const usual = { url: 'amqp://decola:decola@127.0.0.1:5672', managementUrl: 'http://decola:decola@127.0.0.1:15672' };
  return obtainServer(
    {
      name: 'RabbitMQ',
      variable,
      aptPackage: 'rabbitmq-server',
      // A broker on the usual port is used only when it has the management interface; one that the environment names may lack it.
      answers: async (place, timeoutMs) =>
        (await probeRabbitmq(place.url, timeoutMs)) && (place !== usual || (await probeManagement(place.managementUrl, timeoutMs))),
      given: { url: process.env[variable], managementUrl: process.env.DECOLA_RABBITMQ_MANAGEMENT_URL },
      usual,
      ownPort: 15679,
      installed: installedRabbitmq,
      start: async ({ program, port }) =>
        startRabbitmq({
          binary: program,
          directory: path.join(data, 'rabbitmq'),
          port,
          managementPort: await freePort(15680),
          start: supervision.startPart,
        }),
      container: {
        service: 'rabbitmq',
        ports: [5672, 15672],
        place: (port, managementPort) => ({
          url: `amqp://decola:decola@127.0.0.1:${port}`,
          managementUrl: `http://decola:decola@127.0.0.1:${managementPort}`,
        }),
        environment: { RABBITMQ_DEFAULT_USER: 'decola', RABBITMQ_DEFAULT_PASS: 'decola' },
        files: [{ source: 'deploy/rabbitmq/decola.conf', target: '/etc/rabbitmq/conf.d/20-decola.conf' }],
      },
      compose: async () => ({
        url: `amqp://decola:decola@127.0.0.1:${await composeUp('rabbitmq', 5672)}`,
        managementUrl: `http://decola:decola@127.0.0.1:${await composeUp('rabbitmq', 15672)}`,
      }),
    },
    context,
  );
}
