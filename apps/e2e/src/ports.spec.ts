import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

const ports = path.resolve(__dirname, '../../../scripts/lib/ports.mjs');
const choices = 300;
/** Chooses ports, prints them, and runs until its input ends. */
const script = `
  import { freePort } from ${JSON.stringify(ports)};
  const chosen = [];
  for (let left = ${choices}; left > 0; left -= 1) chosen.push(await freePort());
  console.log(JSON.stringify(chosen));
  process.stdin.resume();`;

async function chosenBy({ stdout }: ChildProcess): Promise<number[]> {
  const [line] = (await once(createInterface(stdout!), 'line')) as [string];
  return JSON.parse(line) as number[];
}

it('test runs that work side by side never choose the same port, though nothing listens yet', async () => {
  const runs = Array.from({ length: 3 }, () => spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'pipe' }));
  try {
    const chosen = (await Promise.all(runs.map(chosenBy))).flat();
    expect(chosen).toHaveLength(3 * choices);
    expect(new Set(chosen).size).toBe(chosen.length);
  } finally {
    for (const { stdin } of runs) stdin.end();
  }
});
