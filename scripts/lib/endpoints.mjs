import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stateDirectory } from './parts/state.mjs';

const file = path.join(stateDirectory, 'endpoints.json');

/** Writes the addresses of the running system for scripts. The file is written when the system is ready and removed when it ends. */
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

/** The addresses of the running system; undefined when no system answers at them. */
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
