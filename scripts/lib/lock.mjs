/**
 * Locks between the commands of one clone. A lock is held only while its holder runs, so a crash releases it: the lock file names the
 * holder's process by id and start time. Imports no npm packages, because `npm ci` itself runs under such a lock.
 */
import { linkSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { identify, isAlive } from './processes.mjs';
import { stateDirectory } from './parts/state.mjs';

/**
 * @typedef {object} Holder
 * @property {string} command such as `npm start`
 * @property {number} pid
 * @property {string} start start time, which distinguishes this process from a later one with the same id
 * @property {string} since when it took the lock, ISO 8601
 */

/** Another command of this clone holds the lock; `holder` says which. */
export class LockedError extends Error {
  constructor(holder) {
    super(`${describeHolder(holder)} holds it`);
    this.holder = holder;
  }
}

/** "npm start (process 4711, since 14:03:20)" */
export function describeHolder({ command, pid, since }) {
  return `${command} (process ${pid}, since ${new Date(since).toLocaleTimeString('en-GB')})`;
}

const directory = () => path.join(stateDirectory, 'locks');

/** Numbers of a lock's files, ascending. Only the file with the highest number is valid. */
function generations(name) {
  return readdirSync(directory())
    .map((file) => new RegExp(`^${name}\\.(\\d+)$`).exec(file)?.[1])
    .filter((number) => number !== undefined)
    .map(Number)
    .sort((one, other) => one - other);
}

function holderOf(file) {
  try {
    const holder = JSON.parse(readFileSync(file, 'utf8'));
    return holder.pid !== undefined && isAlive(holder) ? holder : undefined;
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Takes a lock of this clone, also when its holder has died.
 *
 * To take the lock, a process creates the file with the next number, which only one process can do, and then checks that no file has a
 * higher one. The file with the highest number is never removed. So when two processes find the same dead holder, only one of them gets the
 * lock; if they removed the dead holder's file instead, a slow process could remove the file of the new holder.
 * @param {string} name
 * @param {string} command what to call the holder
 * @returns {{ holder: Holder; release(): void }}
 * @throws LockedError when a running process holds the lock
 */
export function takeLock(name, command) {
  mkdirSync(stateDirectory, { recursive: true });
  mkdirSync(directory(), { recursive: true, mode: 0o700 });
  const draft = path.join(directory(), `${name}.${randomUUID()}.new`);
  const place = (number) => path.join(directory(), `${name}.${number}`);
  const holder = { command, ...identify(process.pid), since: new Date().toISOString() };
  writeFileSync(draft, JSON.stringify(holder), { mode: 0o600 });
  try {
    for (;;) {
      const latest = generations(name).at(-1) ?? 0;
      const present = latest > 0 ? holderOf(place(latest)) : undefined;
      if (present) throw new LockedError(present);
      const own = place(latest + 1);
      try {
        linkSync(draft, own); // atomic: other processes never see a half-written file
      } catch (error) {
        if (error.code === 'EEXIST') continue;
        throw error;
      }
      if (generations(name).at(-1) !== latest + 1) {
        rmSync(own, { force: true });
        continue;
      }
      for (const number of generations(name)) if (number <= latest) rmSync(place(number), { force: true });
      return { holder, release: () => release(own) };
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Empties the lock file instead of removing it: see `takeLock`. */
function release(own) {
  try {
    writeFileSync(`${own}.released`, '{}');
    renameSync(`${own}.released`, own);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error; // the folder was deleted, and the lock with it
  }
}

/** Waits until the lock is free and takes it. Calls `onWait` once with the current holder when it has to wait. */
export async function waitForLock(name, command, onWait) {
  for (let hasSaid = false; ; await new Promise((resolve) => setTimeout(resolve, 250))) {
    try {
      return takeLock(name, command);
    } catch (error) {
      if (!(error instanceof LockedError)) throw error;
      if (!hasSaid) onWait(error.holder);
      hasSaid = true;
    }
  }
}
