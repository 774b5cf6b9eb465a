import type { EntityManager } from 'typeorm';

/** Runs SQL: the manager of a transaction, or the data source outside of one. */
export type Database = Pick<EntityManager, 'query'>;

/** Rows of any statement, also of `update ... returning` and `delete ... returning`, for which TypeORM returns `[rows, count]`. */
export async function rowsOf<Row>(db: Database, statement: string, parameters: unknown[] = []): Promise<Row[]> {
  const answer: unknown = await db.query(statement, parameters);
  if (!Array.isArray(answer)) return [];
  if (answer.length === 2 && Array.isArray(answer[0]) && typeof answer[1] === 'number') return answer[0] as Row[];
  return answer as Row[];
}

/** The first row of a statement; undefined when there is none. */
export async function rowOf<Row>(db: Database, statement: string, parameters: unknown[] = []): Promise<Row | undefined> {
  return (await rowsOf<Row>(db, statement, parameters))[0];
}

/**
 * Limits the transaction's waits for locks to 0.7 s; for handlers of messages. A handler and a person's request may deadlock: then the handler fails before
 * PostgreSQL's `deadlock_timeout` of one second, and its message is retried later, so that PostgreSQL never cancels the person's request.
 */
export async function yieldToPeople(db: Database): Promise<void> {
  await db.query(`set local lock_timeout = '700ms'`);
}

/** How many rows an `update` or a `delete` changed. */
export async function changedRows(db: Database, statement: string, parameters: unknown[] = []): Promise<number> {
  const [, count] = await db.query<[unknown, number]>(statement, parameters);
  return count;
}
