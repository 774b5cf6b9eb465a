/**
 * The guard: ends the processes of a supervisor that died before it could end them (killed, crashed, out of memory). Argument: the
 * supervisor's id. A shell that waits until the pipe from the supervisor is closed runs this script (`supervision.mjs`).
 */
import { endRecorded, removeRecord } from './record.mjs';

const [mark] = process.argv.slice(2);
const ended = await endRecorded(mark);
removeRecord(mark);
process.stderr.write(`${new Date().toISOString()} a supervisor died; ended what it had started: ${ended.join(', ') || 'nothing ran'}\n`);
