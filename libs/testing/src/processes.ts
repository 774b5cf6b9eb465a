import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { heapOptions } from '../../../tools/heap.mjs';
import { eventually } from './waiting.js';

const repositoryRoot = path.resolve(__dirname, '../../..');

/** What every process needs of this one's environment. */
const inherited = () => ({
  PATH: process.env['PATH'],
  ...(process.env['NODE_COMPILE_CACHE'] ? { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] } : {}),
});

function newestChange(directory: string): number {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((latest, entry) => Math.max(latest, statSync(path.join(entry.parentPath, entry.name)).mtimeMs), 0);
}

/**
 * Path of a built program. Builds its project only when the program is missing or older than the project's sources: a build replaces the
 * folder from which tests of other files may be starting processes. `npm test` builds everything first.
 * @param project such as `apps/identity`
 */
export function builtEntry(project: string, file = 'main.js'): string {
  const entry = path.join(repositoryRoot, project, 'dist', file);
  if (existsSync(entry) && statSync(entry).mtimeMs >= newestChange(path.join(repositoryRoot, project, 'src'))) return entry;
  const built = spawnSync(process.execPath, ['tools/build.mjs', project], { cwd: repositoryRoot, encoding: 'utf8' });
  if (built.status !== 0) throw new Error(`${project} could not be built: ${built.stderr}`);
  return entry;
}

/** Runs an operator's command of an app as a process, and resolves when it has ended. */
export async function runCommand(
  app: string,
  command: string,
  environment: Record<string, string>,
  words: readonly string[] = [],
): Promise<{ status: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [builtEntry(`apps/${app}`, `${command}.command.js`), ...words], {
    cwd: repositoryRoot,
    env: { ...inherited(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (said.stdout += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (said.stderr += chunk.toString('utf8')));
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { status, ...said };
}

/** A built app in its own process, which a test may kill or freeze. */
export class ServiceProcess {
  private constructor(
    private readonly child: ChildProcess,
    private readonly lines: { text: string },
  ) {}

  /** Resolves when the process is up. @param isUp throws while it is not. Default: asks `/health/ready`. */
  static async start(
    app: string,
    environment: Record<string, string>,
    isUp: (started: ServiceProcess) => unknown = () => isReady(Number(environment['PORT'])),
  ): Promise<ServiceProcess> {
    const child = spawn(process.execPath, [...heapOptions, builtEntry(`apps/${app}`)], {
      cwd: repositoryRoot,
      env: { ...inherited(), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const lines = { text: '' };
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (lines.text += chunk.toString('utf8')));
    const started = new ServiceProcess(child, lines);
    await eventually(
      async () => {
        if (!started.isRunning) throw new Error(`${app} ended: ${lines.text}`);
        await isUp(started);
      },
      // A busy machine needs long. A process that ended is noticed at once.
      { timeoutMs: 180_000 },
    );
    return started;
  }

  /** Everything that it logged. */
  get log(): string {
    return this.lines.text;
  }

  get pid(): number {
    return this.child.pid!;
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Ends it with SIGKILL. */
  kill(): Promise<void> {
    return this.end('SIGKILL');
  }

  stop(): Promise<void> {
    return this.end('SIGTERM');
  }

  /** Stops it with SIGSTOP: it keeps its connections and does not respond. */
  freeze(): void {
    this.child.kill('SIGSTOP');
  }

  thaw(): void {
    this.child.kill('SIGCONT');
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    if (!this.isRunning) return;
    const gone = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill(signal);
    await gone;
  }
}

async function isReady(port: number): Promise<void> {
  const { status } = await fetch(`http://127.0.0.1:${port}/health/ready`);
  if (status !== 200) throw new Error(`not ready: ${status}`);
}

/** The stand-in for Stripe, in a process of its own. */
export const sandboxStripe = (): Promise<Sandbox> => startSandbox('sandbox-stripe', 'stripe');

/** The stand-in for the model server, in a process of its own. */
export async function sandboxModel(environment: Record<string, string> = {}): Promise<SandboxModel> {
  const sandbox = await startSandbox('sandbox-model', 'model', environment);
  return {
    ...sandbox,
    baseUrl: `${sandbox.url}/v1`,
    control: async <Answer>(method: string, path: string, body?: unknown): Promise<Answer> => {
      const answer = await fetch(`${sandbox.url}/_sandbox/${path}`, {
        method,
        ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      });
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as Answer;
    },
  };
}

export interface Sandbox {
  url: string;
  stop(): Promise<void>;
}

export interface SandboxModel extends Sandbox {
  /** Where OpenAI's API begins: `http://127.0.0.1:…/v1`. */
  baseUrl: string;
  /** Calls the control interface. @throws Error when it refuses. */
  control<Answer = unknown>(method: string, path: string, body?: unknown): Promise<Answer>;
}

/** Starts a stand-in that prints `name: address` when it listens. */
async function startSandbox(app: string, name: string, environment: Record<string, string> = {}): Promise<Sandbox> {
  const address = (sandbox: ServiceProcess): string => {
    const found = new RegExp(`${name}: (http\\S+)`).exec(sandbox.log)?.[1];
    if (!found) throw new Error(`${app} does not listen yet`);
    return found;
  };
  const sandbox = await ServiceProcess.start(app, { PORT: '0', ...environment }, address);
  return { url: address(sandbox), stop: () => sandbox.stop() };
}
