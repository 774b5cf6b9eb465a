import { readFileSync } from 'node:fs';

/** Linux counts processor time in `/proc` in hundredths of a second. */
const ticksPerSecond = 100;

/**
 * Processor time that a process has used so far, in seconds: its own, and that of its children that have ended and were collected.
 * @throws Error once the process is gone, and where there is no `/proc`
 */
export function processorTime(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name before these fields is in brackets and may itself contain spaces and brackets.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  return { own: (fields[11] + fields[12]) / ticksPerSecond, ofEnded: (fields[13] + fields[14]) / ticksPerSecond };
}

/** Processes of the server that work for the client's database, without the client's own. */
export async function serverProcesses(client) {
  const { rows } = await client.query('select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()');
  return rows.map(({ pid }) => pid);
}
