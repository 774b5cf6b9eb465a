import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { freePort, isListening } from '../ports.mjs';
import { findExecutable, startDetached, waitFor } from '../shell.mjs';
import { stateDirectory } from './state.mjs';
import { composeUp, isAllowed, obtain } from './ways.mjs';

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

function installedRedis() {
  return findExecutable(['/usr/bin/redis-server', '/usr/local/bin/redis-server', '/opt/homebrew/bin/redis-server']);
}

async function startRedis({ binary, directory, port }) {
  mkdirSync(directory, { recursive: true });
  const logFile = path.join(stateDirectory, 'logs/redis.log');
  const child = startDetached(binary, ['--bind', '127.0.0.1', '--port', String(port), '--dir', directory, '--save', '60 1000'], {
    logFile,
  });
  const url = `redis://127.0.0.1:${port}`;
  await waitFor(() => probeRedis(url), { describe: 'Redis', timeoutMs: 30_000, logFile, child });
  return { url, pid: child.pid };
}

/** @returns {Promise<{ url: string; pid?: number }>} */
export function obtainRedis({ log, data, previous }) {
  const variable = 'DECOLA_REDIS_URL';
  const usual = 'redis://127.0.0.1:6379';
  return obtain(
    {
      name: 'Redis',
      variable,
      aptPackage: 'redis-server',
      given: async () => ((await probeRedis(process.env[variable])) ? { url: process.env[variable] } : undefined),
      refusal: () => 'no Redis answers there',
      running: async () => {
        if (previous && (await probeRedis(previous.url))) return previous;
        return isAllowed('running') && (await isListening(6379)) && (await probeRedis(usual)) ? { url: usual } : undefined;
      },
      installed: installedRedis,
      start: async (binary) => {
        log('starting Redis');
        const port = await freePort(previous ? Number(new URL(previous.url).port) : 63799);
        return startRedis({ binary, directory: path.join(data, 'redis'), port });
      },
      compose: async () => ({ url: `redis://127.0.0.1:${await composeUp('redis', 6379)}` }),
    },
    log,
  );
}
