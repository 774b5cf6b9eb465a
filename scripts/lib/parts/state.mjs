/** The folder of the parts' data, and the record of where the last start found the parts. */
import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readFileSync, realpathSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '../shell.mjs';

export const isRoot = process.getuid?.() === 0;
export const stateDirectory = process.env.DECOLA_STATE_DIR ?? path.join(repositoryRoot, '.decola');
const stateFile = path.join(stateDirectory, 'infrastructure.json');

/**
 * Folder of the parts' data, which is created when it is missing. It is inside the clone, except when root runs this: servers refuse to run
 * as root, and the user that they run as may not be able to enter the clone's folder. Then it is a folder below /var/lib, or one below
 * /var/tmp that belongs to root and that nobody else can write to.
 * @throws Error when no such folder can be created or used
 */
export function dataDirectory() {
  const wanted = process.env.DECOLA_DATA_DIR ?? path.join(stateDirectory, 'data');
  mkdirSync(wanted, { recursive: true });
  if (!isRoot) return wanted;
  chmodSync(wanted, 0o755);
  if (isReachableByOthers(wanted)) return wanted;
  const key = process.env.DECOLA_DATA_DIR ?? process.env.DECOLA_STATE_DIR ?? repositoryRoot;
  const name = `decola-${createHash('sha256').update(key).digest('hex').slice(0, 12)}`;
  // /var/tmp is only the second choice, because the system may delete files there that were not used for a month. A folder that exists
  // there is still used.
  const places = [path.join('/var/lib', name), path.join('/var/tmp', name)];
  return places.find(isOwnFolder) ?? places.find(makeFolder) ?? refuse(places);
}

/**
 * Whether it is a real folder (no link) that belongs to root and that nobody else can write to. Another user may have created one under
 * this name.
 */
function isOwnFolder(directory) {
  const found = lstatSync(directory, { throwIfNoEntry: false });
  return found !== undefined && found.isDirectory() && found.uid === 0 && (found.mode & 0o022) === 0;
}

/** Creates the folder. @returns false when something exists under this name already */
function makeFolder(directory) {
  try {
    mkdirSync(directory);
    chmodSync(directory, 0o755);
    return isReachableByOthers(directory);
  } catch {
    return false;
  }
}

function refuse(places) {
  throw new Error(
    `PostgreSQL does not run as root, and no other user can reach ${stateDirectory}. Its data could be neither in ${places.join(' nor in ')}: ` +
      'name a folder that others may enter in DECOLA_DATA_DIR, or run this as another user.',
  );
}

/** Whether every user may enter the folder and all folders above it. */
export function isReachableByOthers(directory) {
  for (let current = realpathSync(directory); ; current = path.dirname(current)) {
    if ((statSync(current).mode & 0o001) === 0) return false;
    if (current === path.dirname(current)) return true;
  }
}

export function readState() {
  try {
    return JSON.parse(readFileSync(stateFile, 'utf8'));
  } catch {
    return {};
  }
}

export function writeState(state) {
  mkdirSync(stateDirectory, { recursive: true });
  writeFileSync(`${stateFile}.new`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${stateFile}.new`, stateFile);
}
