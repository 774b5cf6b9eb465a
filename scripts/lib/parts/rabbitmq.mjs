import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '../ports.mjs';
import { findExecutable, startDetached, waitFor } from '../shell.mjs';
import { stateDirectory } from './state.mjs';
import { composeUp, obtainServer } from './ways.mjs';

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

/** @returns {Promise<{ url: string; managementUrl?: string; pid?: number }>} */
export function obtainRabbitmq({ log, data, previous }) {
  const variable = 'DECOLA_RABBITMQ_URL';
  const usual = { url: 'amqp://decola:decola@127.0.0.1:5672', managementUrl: 'http://decola:decola@127.0.0.1:15672' };
  return obtainServer(
    {
      name: 'RabbitMQ',
      variable,
      aptPackage: 'rabbitmq-server',
      // Where nobody said that it is ours, it counts only with its management interface.
      answers: async (place) => (await probeRabbitmq(place.url)) && (place !== usual || (await probeManagement(place.managementUrl))),
      given: { url: process.env[variable], managementUrl: process.env.DECOLA_RABBITMQ_MANAGEMENT_URL },
      usual,
      ownPort: 56729,
      installed: installedRabbitmq,
      start: async ({ program, port }) =>
        startRabbitmq({ binary: program, directory: path.join(data, 'rabbitmq'), port, managementPort: await freePort(15679) }),
      compose: async () => ({
        url: `amqp://decola:decola@127.0.0.1:${await composeUp('rabbitmq', 5672)}`,
        managementUrl: `http://decola:decola@127.0.0.1:${await composeUp('rabbitmq', 15672)}`,
      }),
    },
    { log, previous },
  );
}
