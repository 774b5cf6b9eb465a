import { setTimeout as sleep } from 'node:timers/promises';
import { isOutage } from '@decola/database';

const pauseMs = 1_000;
/** Shorter than the lease of a run. */
const longestMs = 120_000;

/**
 * Stores what a paid call brought, also when the database is away for a moment: it would be paid a second time otherwise.
 * @param write may be repeated: its transaction may have been committed although its confirmation was lost
 */
export async function throughOutage<Result>(write: () => Promise<Result>): Promise<Result> {
  const deadline = performance.now() + longestMs;
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!isOutage(error) || performance.now() > deadline) throw error;
      await sleep(pauseMs);
    }
  }
}
