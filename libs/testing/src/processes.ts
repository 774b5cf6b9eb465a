import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { eventually } from './waiting.js';

const repositoryRoot = path.resolve(__dirname, '../../..');

/** File that runs an app as it is deployed; built when nobody built it yet. */
function builtEntry(app: string, file: string): string {
  const entry = path.join(repositoryRoot, 'apps', app, 'dist', file);
  if (existsSync(entry)) return entry;
  const built = spawnSync(process.execPath, ['tools/build.mjs', `apps/${app}`], { cwd: repositoryRoot, encoding: 'utf8' });
  if (built.status !== 0) throw new Error(`${app} could not be built: ${built.stderr}`);
  return entry;
}

/** Runs an operator's command of an app to its end; whatever else runs in the test's process goes on meanwhile. */
export async function runCommand(
  app: string,
  command: string,
  environment: Record<string, string>,
  words: readonly string[] = [],
): Promise<{ status: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [builtEntry(app, `${command}.command.js`), ...words], {
    cwd: repositoryRoot,
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (said.stdout += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (said.stderr += chunk.toString('utf8')));
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { status, ...said };
}

/** Bounds of V8's heap, as `deploy/Dockerfile` sets them. */
const heap = ['--max-old-space-size=192', '--max-semi-space-size=8'];

/** An app as it is deployed, in a process of its own, which a test may kill or freeze. */
export class ServiceProcess {
  private constructor(
    private readonly child: ChildProcess,
    private readonly lines: { text: string },
  ) {}

  /** Resolves when it is up. @param isUp throws while it is not; by default it is asked whether it is ready. */
  static async start(
    app: string,
    environment: Record<string, string>,
    isUp: (started: ServiceProcess) => unknown = () => isReady(Number(environment['PORT'])),
  ): Promise<ServiceProcess> {
    const child = spawn(process.execPath, [...heap, builtEntry(app, 'main.js')], {
      cwd: repositoryRoot,
      env: { PATH: process.env['PATH'], ...environment },
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
      { timeoutMs: 30_000 },
    );
    return started;
  }

  /** All that it logged. */
  get log(): string {
    return this.lines.text;
  }

  get pid(): number {
    return this.child.pid!;
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Ends it at once, as a power cut would. */
  kill(): Promise<void> {
    return this.end('SIGKILL');
  }

  stop(): Promise<void> {
    return this.end('SIGTERM');
  }

  /** It keeps its connections and answers nothing, as on a machine that hangs. */
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

/** The sandbox's Stripe, in a process of its own. */
export async function sandboxStripe(): Promise<{ url: string; stop(): Promise<void> }> {
  const address = (sandbox: ServiceProcess): string => {
    const found = /stripe: (\S+)/.exec(sandbox.log)?.[1];
    if (!found) throw new Error('the sandbox does not listen yet');
    return found;
  };
  const sandbox = await ServiceProcess.start('sandbox', { STRIPE_PORT: '0' }, address);
  return { url: address(sandbox), stop: () => sandbox.stop() };
}
