/**
 * Supervises the processes of a command: they end when the command ends, whether it was asked to end, was killed, or lost its parent
 * process. See docs/decisions/0021-one-supervisor.md.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { whenParentIsGone } from './parent.mjs';
import { stateDirectory } from './parts/state.mjs';
import { openLog } from './private-files.mjs';
import { addToRecord, beginRecord, endRecorded, markVariable, removeRecord, waves } from './record.mjs';
import { run } from './shell.mjs';

/** The command is ending, so it starts no further process. */
export class EndingError extends Error {
  constructor() {
    super('it is being ended');
  }
}

/** Parts that need other signals or another order to end than the rest. */
const endings = {
  // SIGINT ends PostgreSQL without waiting for open sessions, SIGQUIT also without a checkpoint. Neither leaves processes behind.
  postgres: { signals: ['SIGINT', 'SIGQUIT'] },
  epmd: { wave: waves.helper },
};

const guardProgram = fileURLToPath(new URL('guard.mjs', import.meta.url));

export class Supervision {
  #mark = randomUUID();
  #guard;
  #isRecording = false;
  #ending;
  #commands = new AbortController();

  /** @param {string} command its name for people, such as `npm start` */
  constructor(command) {
    this.command = command;
  }

  get isEnding() {
    return this.#ending !== undefined;
  }

  /** Environment that marks a process as started by this supervisor, and by the supervisors that this one runs under. */
  environment() {
    return { [markVariable]: [process.env[markVariable], this.#mark].filter(Boolean).join(',') };
  }

  /**
   * Starts a long-running program in its own process group, so that Ctrl-C in the terminal reaches only the supervisor, which then ends
   * everything in order. The process is on record when this method returns.
   * @param {{ name: string; wave?: number; signals?: string[]; graceMs?: number }} how `wave`: its place in the order of ending; `signals`:
   * the signals that ask it to end
   * @throws EndingError
   */
  start({ name, wave = waves.part, signals, graceMs = 20_000 }, program, args, options = {}) {
    return this.#spawn({ name, wave, signals, graceMs, leadsGroup: true }, program, args, { ...options, detached: true });
  }

  /** Starts a server that other processes need, such as `postgres`, so that it ends after them. @throws EndingError */
  startPart = (name, program, args, options) => this.start({ name, ...endings[name] }, program, args, options);

  /** Starts a program that does its work and ends by itself. @throws EndingError */
  startCommand(program, args, options = {}) {
    return this.#spawn({ name: path.basename(program), wave: waves.command, graceMs: 5_000 }, program, args, options);
  }

  /** Runs a program and waits until it has ended. Rejects with its last output when it fails, and when the supervisor ends. */
  run = (program, args, options = {}) => {
    if (this.isEnding) return Promise.reject(new EndingError());
    this.#open();
    return run(program, args, {
      ...options,
      env: { ...(options.env ?? process.env), ...this.environment() },
      signal: this.#commands.signal,
    });
  };

  #spawn(how, program, args, options) {
    if (this.isEnding) throw new EndingError();
    this.#open();
    const child = spawn(program, args, { ...options, env: { ...(options.env ?? process.env), ...this.environment() } });
    if (child.pid !== undefined) addToRecord(this.#mark, { ...how, pid: child.pid });
    return child;
  }

  #open() {
    if (this.#isRecording) return;
    beginRecord(this.#mark, this.command);
    this.#isRecording = true;
    this.#startGuard();
  }

  /**
   * Starts a shell (it needs only a megabyte) that waits for the word `ended` on its input. When its input closes without that word, this
   * process has died, and the shell runs the guard, which ends the processes that are left.
   */
  #startGuard() {
    if (process.platform === 'win32') return;
    const logFile = path.join(stateDirectory, 'logs/guard.log');
    const output = openLog(logFile);
    const script = 'read -r word; [ "$word" = ended ] || exec "$@"';
    const guard = spawn('/bin/sh', ['-c', script, 'guard', process.execPath, guardProgram, this.#mark], {
      cwd: '/',
      stdio: ['pipe', output, output],
      detached: true,
    });
    closeSync(output);
    this.#guard = guard;
    // The guard and its pipe must not keep this process alive.
    guard.unref();
    guard.stdin.unref();
    guard.stdin.on('error', () => {}); // the guard was killed: `exit` below starts another one
    guard.on('error', () => {});
    guard.on('exit', () => {
      if (this.#guard === guard && !this.isEnding) setTimeout(() => this.isEnding || this.#startGuard(), 200).unref();
    });
  }

  /** Ends all processes of this supervisor, also those that are still starting, and lets it start no more. Resolves when all have ended. */
  end() {
    return (this.#ending ??= this.#end());
  }

  async #end() {
    this.#commands.abort();
    if (!this.#isRecording) return;
    await endRecorded(this.#mark);
    removeRecord(this.#mark);
    this.#guard?.stdin.end('ended\n');
  }
}

/**
 * Calls `end` once, when this process is asked to end: by a signal, or because its parent (npm, its shell) is gone.
 * @param {(reason: string) => void} end
 */
export function whenAskedToEnd(end) {
  let isAsked = false;
  const ask = (reason) => {
    if (isAsked) return;
    isAsked = true;
    end(reason);
  };
  // The reader of our output may have ended first; writing to it must not end this process.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => ask(signal));
  whenParentIsGone(() => ask('its parent is gone'));
}
