import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { LockedError, takeLock } from '../lock.mjs';
import { stateDirectory } from './state.mjs';

/**
 * A folder of this clone that is made once, and by one process when several ask at the same time: it is made aside, and gets its name when it is
 * complete.
 * @param {string} name of the folder, with a number that changes when its contents must
 * @param {(folder: string) => Promise<void>} make fills the empty folder. When it throws, nothing is left.
 * @returns {Promise<string>} the folder
 */
export async function madeOnce(name, make) {
  const home = path.join(stateDirectory, name);
  while (!existsSync(home)) {
    const lock = takeLockOrNot(name.replace(/-\d+$/, ''));
    if (!lock) await new Promise((resolve) => setTimeout(resolve, 250));
    else
      try {
        if (!existsSync(home)) await makeAside(home, make);
      } finally {
        lock.release();
      }
  }
  return home;
}

/** @returns undefined while another process holds the lock */
function takeLockOrNot(name) {
  try {
    return takeLock(name, 'a test');
  } catch (error) {
    if (error instanceof LockedError) return undefined;
    throw error;
  }
}

async function makeAside(home, make) {
  const made = `${home}.new`;
  rmSync(made, { recursive: true, force: true });
  mkdirSync(made, { recursive: true });
  try {
    await make(made);
    renameSync(made, home);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}
