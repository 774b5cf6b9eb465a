import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { endProcesses, processesIn } from '../processes.mjs';
import { findExecutable, startDetached, waitFor } from '../shell.mjs';
import { stateDirectory } from './state.mjs';
import { composeUp, obtainServer } from './ways.mjs';

async function probeRedis(url, timeoutMs = 2000) {
  const { createClient } = await import('@redis/client');
  // One that accepts and then says nothing is given up after the same time.
  const socket = { connectTimeout: timeoutMs, socketTimeout: timeoutMs, reconnectStrategy: false };
  const client = createClient({ url, socket });
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

export function installedRedis() {
  return findExecutable(['/usr/bin/redis-server', '/usr/local/bin/redis-server', '/opt/homebrew/bin/redis-server']);
}

/** Starts a Redis for this project. @param start starts a program under a name. Default: without supervision */
export async function startRedis({ binary, directory, port, start = (_name, ...how) => spawn(...how) }) {
  mkdirSync(directory, { recursive: true });
  chmodSync(directory, 0o700);
  await endProcesses(processesIn(directory, 'redis-server'));
  const logFile = path.join(stateDirectory, 'logs/redis.log');
  const args = ['--bind', '127.0.0.1', '--port', String(port), '--dir', directory, '--save', '60 1000'];
  const child = startDetached(binary, args, { logFile }, (...how) => start('redis', ...how));
  const url = `redis://127.0.0.1:${port}`;
  await waitFor(() => probeRedis(url), { describe: 'Redis', timeoutMs: 30_000, logFile, child });
  return { url, pid: child.pid };
}

/** @returns {Promise<{ url: string; pid?: number }>} */
export function obtainRedis({ data, supervision, ...context }) {
  const variable = 'DECOLA_REDIS_URL';
  return obtainServer(
    {
      name: 'Redis',
      variable,
      aptPackage: 'redis-server',
      answers: ({ url }, timeoutMs) => probeRedis(url, timeoutMs),
      given: { url: process.env[variable] },
      refusal: 'no Redis answers there',
      usual: { url: 'redis://127.0.0.1:6379' },
      ownPort: 63799,
      installed: installedRedis,
      start: ({ program, port }) =>
        startRedis({ binary: program, directory: path.join(data, 'redis'), port, start: supervision.startPart }),
      container: { service: 'redis', ports: [6379], place: (port) => ({ url: `redis://127.0.0.1:${port}` }) },
      compose: async () => ({ url: `redis://127.0.0.1:${await composeUp('redis', 6379)}` }),
    },
    context,
  );
}
