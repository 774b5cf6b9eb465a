/**
 * The record of the processes that a supervisor started: a file that outlives the supervisor, `.decola/processes/<mark>.jsonl`. Its first
 * line names the supervisor, each further line one process. The processes are ended by this record: by the supervisor itself, by its guard
 * when the supervisor died, or by the next command of the clone when both died. Imports no npm packages.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { endProcesses, identify, isAlive, processesMarked, withDescendants } from './processes.mjs';
import { stateDirectory } from './parts/state.mjs';

/**
 * Environment variable with the supervisor's id (its mark). Every process that the supervisor starts has it, and child processes inherit
 * it.
 */
export const markVariable = 'DECOLA_SUPERVISOR';

/** The order in which processes are ended, so that a process's dependencies end after it. */
export const waves = { command: 0, front: 1, service: 2, sandbox: 3, part: 4, helper: 5 };

const directory = () => path.join(stateDirectory, 'processes');
export const recordOf = (mark) => path.join(directory(), `${mark}.jsonl`);

export function beginRecord(mark, command) {
  mkdirSync(stateDirectory, { recursive: true });
  mkdirSync(directory(), { recursive: true, mode: 0o700 });
  writeFileSync(recordOf(mark), `${JSON.stringify({ command, ...identify(process.pid) })}\n`, { mode: 0o600 });
}

/**
 * @param {string} mark
 * @param {{ name: string; pid: number; wave: number; signals?: string[]; graceMs?: number; leadsGroup?: boolean }} started
 */
export function addToRecord(mark, { pid, ...started }) {
  const identity = identify(pid);
  if (identity) appendFileSync(recordOf(mark), `${JSON.stringify({ ...started, ...identity })}\n`);
}

export function removeRecord(mark) {
  rmSync(recordOf(mark), { force: true });
}

/**
 * @returns the supervisor and the processes that it started; undefined when there is no such record. A line that a crash cut off is
 * skipped.
 */
function readRecord(mark) {
  if (!existsSync(recordOf(mark))) return undefined;
  const lines = readFileSync(recordOf(mark), 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line)];
      } catch {
        return [];
      }
    });
  const [supervisor, ...started] = lines;
  return supervisor && { supervisor, started };
}

/**
 * Ends the processes of a record that still run, in the order of `waves`, and then every other process with the supervisor's mark: the
 * broker's port mapper and the browser of a crashed worker are no longer child processes of what started them, and a process that was
 * started at the moment of the supervisor's death is not on record.
 * @returns names of the ended processes
 */
export async function endRecorded(mark) {
  const { started = [] } = readRecord(mark) ?? {};
  const running = started.filter(isAlive);
  for (const wave of Object.values(waves))
    await Promise.all(
      running
        .filter((each) => each.wave === wave)
        .map((each) => endProcesses(wave === waves.command ? withDescendants([each]) : [each], each)),
    );
  const marked = withDescendants(processesMarked(markVariable, mark));
  await endProcesses(marked, { graceMs: 3_000 });
  return [...running.map(({ name }) => name), ...(marked.length > 0 ? [`${marked.length} more`] : [])];
}

/** Ends the processes that dead supervisors of this clone left running. */
export async function endLeftovers(log) {
  if (!existsSync(directory())) return;
  for (const file of readdirSync(directory()).filter((name) => name.endsWith('.jsonl'))) {
    const mark = path.basename(file, '.jsonl');
    const { supervisor } = readRecord(mark) ?? {};
    if (supervisor && isAlive(supervisor)) continue;
    const ended = await endRecorded(mark);
    if (ended.length > 0) log(`ended what ${supervisor?.command ?? 'a command'} left when it was killed: ${ended.join(', ')}`);
    removeRecord(mark);
  }
}
