/** Where the parts keep their data, and what the last start knew of them. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '../shell.mjs';

export const isRoot = process.getuid?.() === 0;
export const stateDirectory = process.env.DECOLA_STATE_DIR ?? path.join(repositoryRoot, '.decola');
const stateFile = path.join(stateDirectory, 'infrastructure.json');

/** Servers refuse to run as root, and another user cannot reach a clone inside a private folder. */
export function dataDirectory() {
  if (process.env.DECOLA_DATA_DIR) return process.env.DECOLA_DATA_DIR;
  if (!isRoot || isReachableByOthers(repositoryRoot)) return path.join(stateDirectory, 'data');
  const hash = createHash('sha256').update(repositoryRoot).digest('hex').slice(0, 12);
  return path.join('/var/tmp', `decola-${hash}`);
}

export function isReachableByOthers(directory) {
  for (let current = directory; ; current = path.dirname(current)) {
    const mode = statSync(current).mode;
    if ((mode & 0o001) === 0) return false;
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
  writeFileSync(stateFile, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
}
