import { changedRows, type Database } from './rows.js';

export interface Batches {
  /** Rows that the statement changes at most. */
  size: number;
  /** Asked before each batch. */
  isStopped: () => boolean;
}

/** Repeats a statement that changes a limited number of rows, so that nobody waits long for it, until it finds fewer. */
export async function inBatches(db: Database, statement: string, parameters: unknown[], { size, isStopped }: Batches): Promise<void> {
  let changed = size;
  while (changed === size && !isStopped()) changed = await changedRows(db, statement, parameters);
}
