import type { DataSource, EntityManager } from 'typeorm';

/** SQLSTATEs with which PostgreSQL cancels a transaction in favour of another one: deadlock, serialization failure. */
const cancelledForOthers: ReadonlySet<unknown> = new Set(['40P01', '40001']);

/**
 * Runs `work` in a transaction, and once more in a new one when PostgreSQL cancelled the first in favour of another. `work` must
 * have no effects outside of the transaction.
 */
export async function transactionWithRetry<Result>(
  dataSource: DataSource,
  work: (manager: EntityManager) => Promise<Result>,
): Promise<Result> {
  try {
    return await dataSource.transaction(work);
  } catch (error) {
    if (!cancelledForOthers.has((error as { code?: unknown } | null)?.code)) throw error;
    return dataSource.transaction(work);
  }
}
