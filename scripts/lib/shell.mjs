import { execFile, spawn } from 'node:child_process';
import { accessSync, closeSync, constants, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { openLog } from './private-files.mjs';

export const repositoryRoot = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** Where Node keeps what it compiled of programs of this clone, for the next process that runs them (`NODE_COMPILE_CACHE`). */
export const compileCache = path.join(repositoryRoot, 'node_modules/.cache/node');

/** Runs a program and waits until it has ended; rejects with its last output when it fails. */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    execFile(command, args, { maxBuffer: 64 * 1024 * 1024, ...options }, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      error.message = `${command} ${args.join(' ')}\n${`${stdout}${stderr}`.slice(-2000)}`;
      reject(error);
    });
  });
}

/**
 * Starts a long-running program in its own process group, with its output in a file.
 * @param {(program: string, args: string[], options: object) => import('node:child_process').ChildProcess} [start] instead of `spawn`
 */
export function startDetached(command, args, { logFile, ...options }, start = spawn) {
  const output = openLog(logFile);
  try {
    const child = start(command, args, { stdio: ['ignore', output, output], detached: true, ...options });
    child.on('error', () => {}); // `waitFor` reports it
    return child;
  } finally {
    closeSync(output);
  }
}

/**
 * Waits until `check` returns a truthy value. The error after the timeout names what was waited for (`describe`) and contains the end of
 * `logFile`.
 */
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
