import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stateDirectory } from './parts/state.mjs';

const file = path.join(stateDirectory, 'endpoints.json');

/** Where the running system can be reached, for scripts: written when all is ready, removed when it ends. */
export function writeEndpoints(endpoints) {
  writeFileSync(`${file}.new`, `${JSON.stringify(endpoints, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

export function removeEndpoints() {
  rmSync(file, { force: true });
}

export function readEndpoints() {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** The endpoints of a system that really answers; undefined when none does. */
export async function runningSystem() {
  const endpoints = readEndpoints();
  if (!endpoints) return undefined;
  try {
    const answer = await fetch(`${endpoints.gateway}/health/ready`, { signal: AbortSignal.timeout(2000) });
    return answer.ok ? endpoints : undefined;
  } catch {
    return undefined;
  }
}
