/**
 * Lists and replays dead letters, for operators.
 *
 *   RABBITMQ_URL=… RABBITMQ_MANAGEMENT_URL=… node dist/dead-letters.command.js list
 *   RABBITMQ_URL=… node dist/dead-letters.command.js list <queue>.dead
 *   RABBITMQ_URL=… node dist/dead-letters.command.js replay <queue>.dead [id …]
 *
 * `list` prints one JSON object per line. Bodies may hold personal data, so they are printed only with `--bodies`.
 */
import { listDeadLetters, listDeadLetterQueues, replayDeadLetters } from './dead-letters.js';

const usage = 'usage: dead-letters list | list <queue>.dead [--bodies] | replay <queue>.dead [id ...]';

function environment(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is missing`);
  return value;
}

function vhostOf(url: string): string {
  return decodeURIComponent(new URL(url).pathname.slice(1)) || '/';
}

async function main(words: readonly string[]): Promise<void> {
  const withBodies = words.includes('--bodies');
  const [command, queue, ...ids] = words.filter((word) => !word.startsWith('--'));
  const url = environment('RABBITMQ_URL');
  if (command === 'list' && queue === undefined) {
    for (const each of await listDeadLetterQueues(environment('RABBITMQ_MANAGEMENT_URL'), vhostOf(url))) console.log(JSON.stringify(each));
  } else if (command === 'list' && queue !== undefined) {
    for (const { body, ...deadLetter } of await listDeadLetters(url, queue))
      console.log(JSON.stringify(withBodies ? { ...deadLetter, body } : deadLetter));
  } else if (command === 'replay' && queue !== undefined) {
    const replayed = await replayDeadLetters(url, queue, ids.length > 0 ? { ids } : {});
    for (const id of replayed) console.log(JSON.stringify({ replayed: id }));
    const missing = ids.filter((id) => !replayed.includes(id));
    if (missing.length > 0) throw new Error(`not in ${queue}: ${missing.join(', ')}`);
  } else {
    throw new Error(usage);
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
