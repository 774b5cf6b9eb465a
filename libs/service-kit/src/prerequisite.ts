import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import type { baseConfig } from './config.js';
import { loggerOptions } from './logger-options.js';
import type { z } from 'zod';

type BaseConfig = Pick<z.infer<typeof baseConfig>, 'HOST' | 'LOG_LEVEL' | 'PORT'>;

const pauseMs = 500;

/**
 * Resolves when nothing is missing any more. Meanwhile nothing of the service runs, and probes are answered at its port: alive, not ready. The log gets
 * one line when the wait begins and one when it ends.
 * @returns the server that answers the probes, to close immediately before the service listens; undefined when nothing was missing
 */
export async function awaitPrerequisite(
  name: string,
  { HOST, LOG_LEVEL, PORT }: BaseConfig,
  findMissing: () => Promise<string | undefined>,
): Promise<{ close(): Promise<void> } | undefined> {
  let missing = await findMissing();
  if (missing === undefined) return undefined;
  const log = pino(loggerOptions(name, LOG_LEVEL).pinoHttp as object);
  log.warn(`not ready: ${missing}; waiting`);
  const startedAt = performance.now();
  const server = http.createServer((request, reply) => {
    const isLive = request.url === '/health/live';
    const body = isLive ? { status: 'up' } : { status: 'not ready', parts: { prerequisite: `down: ${missing}` } };
    reply
      .writeHead(isLive ? 200 : 503, { 'content-type': 'application/json; charset=utf-8', connection: 'close' })
      .end(JSON.stringify(body));
  });
  // Nest handles signals only later, and the first process of a container ignores those that nobody handles.
  const end = () => process.exit(0);
  const signals = ['SIGTERM', 'SIGINT'] as const;
  for (const signal of signals) process.once(signal, end);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(PORT, HOST, resolve));
  while (missing !== undefined) {
    await sleep(pauseMs);
    missing = await findMissing();
  }
  for (const signal of signals) process.off(signal, end);
  log.info(`nothing is missing any more after ${Math.round((performance.now() - startedAt) / 1_000)} s`);
  return { close: () => new Promise((resolve) => server.close(() => resolve()) && server.closeAllConnections()) };
}
