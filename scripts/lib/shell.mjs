import { execFile, spawn } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, openSync, closeSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const repositoryRoot = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** Runs a program to its end; rejects with its last output when it fails. */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    execFile(command, args, { maxBuffer: 64 * 1024 * 1024, ...options }, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      error.message = `${command} ${args.join(' ')}\n${`${stdout}${stderr}`.slice(-2000)}`;
      reject(error);
    });
  });
}

/** Starts a long-running program whose output goes to a file; it leads a process group of its own. */
export function startDetached(command, args, { logFile, ...options }) {
  mkdirSync(path.dirname(logFile), { recursive: true });
  const output = openSync(logFile, 'a');
  const child = spawn(command, args, { stdio: ['ignore', output, output], detached: true, ...options });
  closeSync(output);
  child.on('error', () => {}); // reported by the probe that waits for it
  return child;
}

/** Waits until `check` answers truthy. `describe` names what is waited for; the tail of `logFile` explains a failure. */
export async function waitFor(check, { describe, timeoutMs = 60_000, everyMs = 100, logFile, child }) {
  const deadline = Date.now() + timeoutMs;
  let lastError;
  while (Date.now() < deadline) {
    try {
      const answer = await check();
      if (answer) return answer;
    } catch (error) {
      lastError = error;
    }
    if (child && (child.exitCode !== null || child.signalCode !== null)) break;
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
  const tail = logFile && existsSync(logFile) ? `\n${readFileSync(logFile, 'utf8').slice(-1500)}` : '';
  throw new Error(`${describe} did not become ready${lastError ? `: ${lastError.message}` : ''}${tail}`);
}

/** Ends a process (or, with `group`, its process group) politely, then firmly. Resolves when it is gone. */
export async function endProcess(pid, { graceMs = 10_000, group = false } = {}) {
  const target = group ? -pid : pid;
  const alive = () => {
    try {
      process.kill(target, 0);
      return true;
    } catch {
      return false;
    }
  };
  const send = (signal) => {
    try {
      process.kill(target, signal);
    } catch {
      // already gone
    }
  };
  send('SIGTERM');
  const deadline = Date.now() + graceMs;
  while (alive() && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50));
  if (alive()) send('SIGKILL');
}

export function findExecutable(candidates) {
  return candidates.find((candidate) => {
    try {
      accessSync(candidate, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
