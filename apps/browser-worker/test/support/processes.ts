import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { builtEntry, freePort, testChromiumPath } from '@decola/testing';
import { testKeyRing } from './jobs.js';

export const root = path.resolve(__dirname, '../../../..');

export interface RunningProcess {
  readonly url: string;
  readonly child: ChildProcess;
  /** Everything that it wrote to stdout and stderr so far. */
  output(): string;
  kill(signal: NodeJS.Signals): void;
  /** Resolves with the exit code, or with the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
}

/** Starts a built service as a process and waits until it is ready. */
export async function startProcess(main: string, environment: NodeJS.ProcessEnv, readyPath: string, port: number): Promise<RunningProcess> {
  const written: string[] = [];
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment },
    stdio: 'pipe',
  });
  child.stdout.on('data', (text: Buffer) => written.push(text.toString()));
  child.stderr.on('data', (text: Buffer) => written.push(text.toString()));
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)));
  const url = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + 120_000; // much longer than a start takes on a busy machine
  for (;;) {
    const ready = await fetch(url + readyPath).then(
      (answer) => answer.ok,
      () => false,
    );
    if (ready) break;
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`${main} did not become ready:\n${written.join('').slice(-4_000)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return { url, child, output: () => written.join(''), kill: (signal) => void child.kill(signal), ended };
}

export interface WorkerEnvironment {
  brokerUrl: string;
  redisUrl: string;
  redisPrefix: string;
  networkUrl: string;
}

/** Starts the built browser worker as a process. */
export async function startWorker(around: WorkerEnvironment, over: NodeJS.ProcessEnv = {}): Promise<RunningProcess> {
  const port = await freePort();
  const environment = { ...workerEnvironment(around, port), ...over };
  return startProcess(builtEntry('apps/browser-worker'), environment, '/health/ready', port);
}

export function workerEnvironment({ brokerUrl, redisUrl, redisPrefix, networkUrl }: WorkerEnvironment, port: number): NodeJS.ProcessEnv {
  return {
    PORT: String(port),
    LOG_LEVEL: 'info',
    RABBITMQ_URL: brokerUrl,
    REDIS_URL: redisUrl,
    REDIS_PREFIX: redisPrefix,
    SESSION_KEY_RING: testKeyRing,
    NETWORK_URL: networkUrl,
    CHROMIUM_PATH: testChromiumPath(),
    CHROMIUM_SANDBOX: String(process.getuid?.() !== 0),
    WORKER_CONTEXTS: '2',
    // Longer than a busy machine delays a renewal; each test that kills a worker waits for its end.
    LEASE_TTL_MS: '10000',
    ANSWER_TIMEOUT_MS: '15000',
    WORD_TIMEOUT_MS: '3000',
    STOP_GRACE_MS: '60000',
    ARTIFACTS_DIR: mkdtempSync(path.join(os.tmpdir(), 'run-screenshots-')),
  };
}

/** The built stand-in for the network on a port of its own; its state is in memory only. */
export async function startSandboxNetwork(over: NodeJS.ProcessEnv = {}): Promise<RunningProcess> {
  const port = await freePort();
  return startProcess(
    builtEntry('apps/sandbox-network'),
    { PORT: String(port), HOST: '127.0.0.1', SEED: 'browser-worker-tests', LOG_LEVEL: 'warn', ...over },
    '/_sandbox/health',
    port,
  );
}
