import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { findExecutable, startDetached, waitFor } from '../shell.mjs';
import { stateDirectory } from './state.mjs';
import { composeUp, obtainServer } from './ways.mjs';

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
  return obtainServer(
    {
      name: 'Redis',
      variable,
      aptPackage: 'redis-server',
      answers: ({ url }) => probeRedis(url),
      given: { url: process.env[variable] },
      refusal: 'no Redis answers there',
      usual: { url: 'redis://127.0.0.1:6379' },
      ownPort: 63799,
      installed: installedRedis,
      start: ({ program, port }) => startRedis({ binary: program, directory: path.join(data, 'redis'), port }),
      compose: async () => ({ url: `redis://127.0.0.1:${await composeUp('redis', 6379)}` }),
    },
    { log, previous },
  );
}
