/** A folder for everything that the tests of one run write to the system's temporary folder, so that a run leaves nothing behind. */
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const prefix = 'decola-tests-';
/** `f_type` of statfs(2). */
const tmpfs = 0x01021994;

/**
 * Makes the folder, and removes those of runs that were killed. Every user may write to it, as to the system's own: where root runs the tests,
 * PostgreSQL and browser workers run as other users. @param {string} [parent] @returns {{ path: string; remove: () => void }}
 */
export function makeTemporaryFolder(parent = os.tmpdir()) {
  removeLeftBehind(parent);
  const folder = mkdtempSync(path.join(parent, `${prefix}${process.pid}-`));
  chmodSync(folder, 0o1777);
  return { path: folder, remove: () => remove(folder) };
}

/** Of the servers of a whole run: the log of PostgreSQL alone may take 2 GiB. */
const dataBytes = 4 * 1024 ** 3;

/**
 * The folder of the system that is in memory, when it and the memory have room for the data of the tests' servers.
 * @param {string} [folder] @returns {string | undefined}
 */
export function folderInMemory(folder = '/dev/shm', statfs = statfsSync, availableMemory = process.availableMemory()) {
  try {
    // What a killed run left there is in the way of this one.
    removeLeftBehind(folder);
    const { type, bavail, bsize } = statfs(folder);
    const hasRoom = bavail * bsize >= dataBytes && availableMemory >= 2 * dataBytes;
    return type === tmpfs && hasRoom ? folder : undefined;
  } catch {
    return undefined;
  }
}

function removeLeftBehind(parent) {
  for (const name of readdirSync(parent)) if (isLeftBehind(name)) remove(path.join(parent, name));
}

function isLeftBehind(name) {
  const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : Number.NaN;
  if (Number.isNaN(pid)) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

/** A browser that is just ending may still write; a folder of somebody else stays. */
function remove(folder) {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  } catch (error) {
    console.warn(`${folder} cannot be removed: ${error.message}`);
  }
}
