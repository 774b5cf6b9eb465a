import { readdirSync, readFileSync } from 'node:fs';

/** State, parent and group of a process; null when it is gone. */
function factsOf(pid: number): { state: string; parent: number; group: number } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: state!, parent: Number(parent), group: Number(group) };
  } catch {
    return null;
  }
}

function all(): { pid: number; state: string; parent: number; group: number }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const facts = factsOf(Number(name));
      return facts ? [{ pid: Number(name), ...facts }] : [];
    });
}

/** All descendants of a process, zombies included. */
export function processesBelow(pid: number): number[] {
  const processes = all();
  const found: number[] = [];
  for (const waiting = [pid]; waiting.length > 0;) {
    const parent = waiting.pop();
    for (const child of processes) {
      if (child.parent !== parent) continue;
      found.push(child.pid);
      waiting.push(child.pid);
    }
  }
  return found;
}

/** Those of the processes that are still running; zombies are not. */
export function running(pids: readonly number[]): number[] {
  return pids.filter((pid) => !['Z', 'X', undefined].includes(factsOf(pid)?.state));
}

/** Children of a process that ended and were not reaped. */
export function zombiesOf(pid: number): number[] {
  return all()
    .filter(({ parent, state }) => parent === pid && state === 'Z')
    .map((one) => one.pid);
}

export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
