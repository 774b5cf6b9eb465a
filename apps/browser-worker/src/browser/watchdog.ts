import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import pTimeout from 'p-timeout';
import { watchdogScript } from './watchdog-script.js';

/** Generous, because processes start slowly on a busy machine. */
const startTimeoutMs = 20_000;
const endTimeoutMs = 5_000;

/** The process group of one browser: Chromium and everything that it starts. */
export interface ProcessGroup {
  readonly id: number;
  /** When its leader was started, in clock ticks since boot: distinguishes it from a later group with the same number. */
  readonly startedAt: string;
}

/** @param pid any process of the group. @throws Error when the process is gone, or belongs to this process's own group. */
export function processGroupOf(pid: number): ProcessGroup {
  const id = Number(processFacts(pid)[2]);
  // Killing the group must not kill the worker.
  if (!Number.isInteger(id) || id <= 1 || id === Number(processFacts(process.pid)[2])) throw new Error('the browser has no process group');
  return { id, startedAt: processFacts(id)[19]! };
}

/** The fields of `/proc/PID/stat` from the third (state) on. */
function processFacts(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Kills every process of the group. Never throws. */
export function killGroup({ id, startedAt }: ProcessGroup): void {
  try {
    if (processFacts(id)[19] !== startedAt) return;
  } catch {
    // the leader is gone; other processes of the group may be left
  }
  try {
    process.kill(-id, 'SIGKILL');
  } catch {
    // no process of the group is left
  }
}

/** Why a watchdog ended: its browser was gone (`done`), its browser's deadline passed (`late`), or something killed it (`died`). */
export type WatchdogEnd = 'done' | 'late' | 'died';

/** Exit code of the script after it killed the browser because its deadline had passed. */
const lateCode = 3;

/** The watchdog could not be started. */
export class WatchdogError extends Error {
  constructor(reason: string) {
    super(`no watchdog: ${reason}`);
    this.name = 'WatchdogError';
  }
}

/**
 * A separate process that kills a browser when this process cannot: when the last deadline that it was given passes, or when this process is
 * gone. It covers what the gate does not, above all sockets that pages keep open.
 */
export class Watchdog {
  private lastLine: string | null = null;

  private constructor(
    private readonly child: ChildProcess,
    /** Resolves with the reason when the watchdog has ended. */
    readonly ended: Promise<WatchdogEnd>,
  ) {}

  get pid(): number {
    return this.child.pid!;
  }

  /** Resolves when the watchdog is running. @throws WatchdogError when it does not start. */
  static async start(group: ProcessGroup): Promise<Watchdog> {
    const child = spawn('bash', ['--noprofile', '--norc', '-c', watchdogScript, 'browser-watchdog', String(group.id), group.startedAt], {
      // A process group of its own: a signal to the worker's group must not reach it. It does not get the worker's secrets.
      detached: true,
      env: { PATH: process.env['PATH'], LC_ALL: 'C' },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const ended = new Promise<WatchdogEnd>((resolve) => {
      child.once('exit', (code) => resolve(code === 0 ? 'done' : code === lateCode ? 'late' : 'died'));
      child.once('error', () => resolve('died'));
    });
    child.stdin.on('error', () => undefined); // `ended` reports it
    const ready = new Promise<boolean>((resolve) => child.stdout.once('data', () => resolve(true)));
    const isReady = await pTimeout(Promise.race([ready, ended.then(() => false)]), { milliseconds: startTimeoutMs, fallback: () => false });
    if (!isReady) {
      child.kill('SIGKILL');
      throw new WatchdogError('bash does not start');
    }
    child.unref();
    return new Watchdog(child, ended);
  }

  /** Sets the deadline: the browser may run for `ms` milliseconds from now, or for as long as this process when null. */
  allow(ms: number | null): void {
    const line = ms === null ? '-' : String(Math.max(0, Math.floor(Date.now() + ms)));
    if (line === this.lastLine) return;
    this.lastLine = line;
    this.child.stdin!.write(`${line}\n`);
  }

  /** To be called when the browser is gone: kills what may be left of its group and ends the watchdog. */
  async end(): Promise<void> {
    this.child.stdin!.end();
    await pTimeout(this.ended, { milliseconds: endTimeoutMs, fallback: () => this.child.kill('SIGKILL') });
    await this.ended;
  }
}
