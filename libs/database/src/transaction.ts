import type { DataSource, EntityManager } from 'typeorm';

/** PostgreSQL ended the transaction so that another could go on: deadlock, or a serialisation failure. */
const brokenForOthers: ReadonlySet<unknown> = new Set(['40P01', '40001']);

/**
 * Runs `work` in a transaction, and once more from its beginning when PostgreSQL broke the first to let another go on. `work` must
 * have no effect outside of the transaction.
 */
export async function transactionWithRetry<Result>(
  dataSource: DataSource,
  work: (manager: EntityManager) => Promise<Result>,
): Promise<Result> {
  try {
    return await dataSource.transaction(work);
  } catch (error) {
    if (!brokenForOthers.has((error as { code?: unknown } | null)?.code)) throw error;
    return dataSource.transaction(work);
  }
}
