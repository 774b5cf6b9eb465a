/**
 * How much of a large test runs: `npm test` runs a small form of it, with every assertion; `npm run test:long` sets TEST_SIZE=full and runs
 * all of it (scripts/lib/long-runs.mjs).
 */
const isFull = (): boolean => process.env['TEST_SIZE'] === 'full';

/** The number of repetitions, rows or requests of a test, or which of them it makes. */
export const sizeOf = <const Size>({ gate, long }: { gate: Size; long: Size }): Size => (isFull() ? long : gate);

/** The cases of a matrix: all in the long runs, the first of each class in the gate. Their order stays. */
export function casesOf<const Case>(cases: readonly Case[], classOf: (one: Case) => unknown): readonly Case[] {
  if (isFull()) return cases;
  const classes = new Set<unknown>();
  return cases.filter((one) => {
    const own = classOf(one);
    return !classes.has(own) && classes.add(own);
  });
}

/** Cases, or tests, that the gate leaves to the long runs. */
export const longOnly = <const Case>(cases: readonly Case[]): readonly Case[] => (isFull() ? cases : []);

/** The cases that one of several places tests which lead to the same code: all in the long runs, in the gate only its share of them. */
export const shareOf = <const Case>(cases: readonly Case[], { place, places }: { place: number; places: number }): readonly Case[] =>
  isFull() ? cases : cases.filter((_, index) => index % places === place);
