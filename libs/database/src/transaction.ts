import { setTimeout } from 'node:timers/promises';
import type { DataSource, EntityManager } from 'typeorm';

/** SQLSTATEs with which PostgreSQL cancels a transaction in favour of another one: deadlock, serialization failure. */
const cancelledForOthers: ReadonlySet<unknown> = new Set(['40P01', '40001']);

const maxAttempts = 3;
/** Longest pause before the second attempt; the one before the third is twice as long. */
const pauseMs = 50;

/**
 * Runs `work` in a transaction, and again in a new one, up to three times in all, when PostgreSQL cancelled it in favour of another. `work`
 * must have no effects outside of the transaction.
 */
export async function transactionWithRetry<Result>(
  dataSource: DataSource,
  work: (manager: EntityManager) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await dataSource.transaction(work);
    } catch (error) {
      if (attempt === maxAttempts || !cancelledForOthers.has((error as { code?: unknown } | null)?.code)) throw error;
      // Without a pause this transaction may lock its first row again before the other one has woken up, and both wait for each other once
      // more. Two that were cancelled together pause for different times.
      await setTimeout(pauseMs * attempt * (0.5 + Math.random() / 2));
    }
  }
}
