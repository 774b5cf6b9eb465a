/**
 * Finds and ends processes, identified by id and start time: the system reuses ids, so an id alone may belong to another process later.
 * Imports no npm packages.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';

const hasProc = process.platform === 'linux';
const isWindows = process.platform === 'win32';

let boot;
/** Linux counts start times from the boot, so they are unique only together with the id of the boot. */
const bootId = () => (boot ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());

function ps(pid, columns) {
  try {
    return execFileSync('ps', ['-o', columns.map((column) => `${column}=`).join(','), '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return ''; // there is none
  }
}

/** The kernel's data about a process; undefined when it does not exist or is a zombie. */
function look(pid) {
  if (hasProc) {
    try {
      const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The name is in brackets and may itself contain spaces and brackets.
      const name = line.slice(line.indexOf('(') + 1, line.lastIndexOf(')'));
      const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
      const [state, parent, , session] = fields;
      if (state === 'Z' || state === 'X') return undefined;
      return { name, parent: Number(parent), session: Number(session), start: `${bootId()}:${fields[19]}` };
    } catch {
      return undefined;
    }
  }
  if (isWindows) {
    try {
      process.kill(pid, 0);
      return { start: 'unknown' };
    } catch {
      return undefined;
    }
  }
  const [, state, parent, start] = /^(\S+)\s+(\d+)\s+(.+)$/.exec(ps(pid, ['stat', 'ppid', 'lstart'])) ?? [];
  return state && !state.startsWith('Z') ? { parent: Number(parent), start } : undefined;
}

/** @returns {{ pid: number; start: string } | undefined} the process's id and start time; undefined when it does not run */
export function identify(pid) {
  const found = look(pid);
  return found && { pid, start: found.start };
}

/** Whether this very process still runs. A later process with the same id does not count, nor does a zombie. */
export function isAlive({ pid, start }) {
  return look(pid)?.start === start;
}

export function parentOf(pid) {
  return look(pid)?.parent;
}

/** Session id of a process; undefined where the system does not provide it. */
export function sessionOf(pid) {
  return look(pid)?.session;
}

/** Command line of a process; empty when it is gone or cannot be read. */
export function commandOf(pid) {
  if (!hasProc) return isWindows ? '' : ps(pid, ['command']);
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}

function allPids() {
  return hasProc
    ? readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .map(Number)
    : [];
}

/**
 * Processes whose environment has this word in this variable, which holds a list separated by commas. Empty where the system does not show
 * the environment of processes.
 */
export function processesMarked(variable, word) {
  return allPids().flatMap((pid) => {
    try {
      const entry = readFileSync(`/proc/${pid}/environ`, 'utf8')
        .split('\0')
        .find((each) => each.startsWith(`${variable}=`));
      const isMarked =
        entry !== undefined &&
        entry
          .slice(variable.length + 1)
          .split(',')
          .includes(word);
      return (isMarked && pid !== process.pid && identify(pid)) || [];
    } catch {
      return []; // gone, or somebody else's
    }
  });
}

/** Processes with this name and this working directory. Empty where the system does not show the working directory of processes. */
export function processesIn(directory, name) {
  if (!existsSync(directory)) return [];
  const place = realpathSync(directory);
  return allPids().flatMap((pid) => {
    try {
      return (readlinkSync(`/proc/${pid}/cwd`) === place && look(pid)?.name === name && identify(pid)) || [];
    } catch {
      return []; // gone, or somebody else's
    }
  });
}

/** The processes and all their descendants. A descendant whose parent has ended is not found. */
export function withDescendants(processes) {
  const children = new Map();
  for (const pid of allPids()) {
    const parent = parentOf(pid);
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const found = new Map(processes.map((each) => [each.pid, each]));
  for (const { pid } of found.values())
    for (const child of children.get(pid) ?? []) {
      const identity = child !== process.pid && !found.has(child) && identify(child);
      if (identity) found.set(child, identity); // the loop also visits entries that are added to the map
    }
  return [...found.values()];
}

function send(target, signal) {
  try {
    process.kill(target, signal);
  } catch {
    // already gone
  }
}

/**
 * Ends processes: sends each signal in turn and waits up to `graceMs` after it, then sends SIGKILL. With `leadsGroup` it also kills what is
 * left in their process groups. Resolves when all processes have ended.
 */
export async function endProcesses(processes, { signals = ['SIGTERM'], graceMs = 10_000, leadsGroup = false } = {}) {
  const all = processes.filter(isAlive);
  let left = all;
  for (const signal of [...signals, 'SIGKILL']) {
    for (const { pid } of left) send(pid, signal);
    const deadline = Date.now() + (signal === 'SIGKILL' ? 5_000 : graceMs);
    while ((left = left.filter(isAlive)).length > 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50));
    if (left.length === 0) break;
  }
  if (leadsGroup && !isWindows) for (const { pid } of all) send(-pid, 'SIGKILL');
}
