import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePort, testChromiumPath } from '@decola/testing';
import { testKeyRing } from './jobs.js';

const root = path.resolve(__dirname, '../../../..');

function newest(directory: string): number {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((latest, entry) => Math.max(latest, statSync(path.join(entry.parentPath, entry.name)).mtimeMs), 0);
}

/** Builds a project unless its build is newer than its source. */
export function ensureBuilt(project: string): string {
  const main = path.join(root, project, 'dist/main.js');
  if (!existsSync(main) || statSync(main).mtimeMs < newest(path.join(root, project, 'src'))) {
    execFileSync(process.execPath, ['tools/build.mjs', project], { cwd: root, stdio: 'pipe' });
  }
  return main;
}

export interface RunningProcess {
  readonly url: string;
  readonly child: ChildProcess;
  /** Everything it wrote so far. */
  output(): string;
  kill(signal: NodeJS.Signals): void;
  /** Resolves with the exit code, or with the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
}

/** Starts a built service as a process of its own and waits until it says that it is ready. */
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
  const deadline = Date.now() + 30_000;
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

/** The built browser worker as a process of its own. */
export async function startWorker(
  { brokerUrl, redisUrl, redisPrefix, networkUrl }: WorkerEnvironment,
  over: NodeJS.ProcessEnv = {},
): Promise<RunningProcess> {
  const port = await freePort();
  return startProcess(
    ensureBuilt('apps/browser-worker'),
    {
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
      LEASE_TTL_MS: '3000',
      ANSWER_TIMEOUT_MS: '8000',
      WORD_TIMEOUT_MS: '1000',
      STOP_GRACE_MS: '20000',
      ARTIFACTS_DIR: mkdtempSync(path.join(os.tmpdir(), 'run-pictures-')),
      ...over,
    },
    '/health/ready',
    port,
  );
}

/** The built sandbox network on a port of its own, with nothing but memory. */
export async function startSandbox(over: NodeJS.ProcessEnv = {}): Promise<RunningProcess> {
  const ports = await Promise.all(Array.from({ length: 4 }, freePort));
  const [network, stripe, mailbox, smtp] = ports.map(String);
  return startProcess(
    ensureBuilt('apps/sandbox'),
    {
      NETWORK_PORT: network,
      STRIPE_PORT: stripe,
      MAILBOX_PORT: mailbox,
      SMTP_PORT: smtp,
      HOST: '127.0.0.1',
      SEED: 'browser-worker-tests',
      LOG_LEVEL: 'warn',
      ...over,
    },
    '/_sandbox/health',
    ports[0]!,
  );
}
