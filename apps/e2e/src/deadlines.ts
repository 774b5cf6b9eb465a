import { scryptSync } from 'node:crypto';

/** Result of `measureMs` on the reference machine (2 cores of 2.8 GHz) when nothing else runs there. */
const referenceMs = 45;
const highest = 6;

/** Environment variable by which Playwright's worker processes get the factor that the first process measured. */
const variable = 'DECOLA_MACHINE_FACTOR';

function measureMs(): number {
  const times = Array.from({ length: 7 }, () => {
    const began = performance.now();
    scryptSync('the same work', 'on every machine', 32, { N: 16_384, r: 8, p: 1 });
    return performance.now() - began;
  });
  return times.sort((a, b) => a - b)[3]!;
}

/**
 * How many times longer work takes here and now than on the reference machine: from 1 to 6. Measured once in a run (about 0.4 s), under the
 * machine's present load, and printed.
 */
export function machineFactor(): number {
  if (process.env[variable] === undefined) {
    const factor = Math.min(highest, Math.max(1, measureMs() / referenceMs)).toFixed(1);
    process.env[variable] = factor;
    process.stdout.write(`Deadlines of work are multiplied by ${factor} on this machine.\n`);
  }
  return Number(process.env[variable]);
}

/**
 * How long something may take, in ms: `workMs` (measured on the reference machine) times the factor of this machine, plus the product's
 * intended pauses, which are equally long on every machine.
 */
export function deadline(workMs: number, ...pausesMs: number[]): number {
  return Math.round(workMs * machineFactor()) + pausesMs.reduce((sum, ms) => sum + ms, 0);
}
