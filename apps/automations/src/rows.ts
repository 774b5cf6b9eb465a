import type { EntityManager } from 'typeorm';

/** What runs SQL: a transaction's manager, or the data source outside of one. */
export type Database = Pick<EntityManager, 'query'>;

/** Rows of any statement, also of `update ... returning` and `delete ... returning`, which TypeORM answers with a count beside. */
export async function rowsOf<Row>(db: Database, sql: string, parameters: unknown[] = []): Promise<Row[]> {
  const answer: unknown = await db.query(sql, parameters);
  if (!Array.isArray(answer)) return [];
  if (answer.length === 2 && Array.isArray(answer[0]) && typeof answer[1] === 'number') return answer[0] as Row[];
  return answer as Row[];
}

/** The one row of a statement; undefined when there is none. */
export async function rowOf<Row>(db: Database, sql: string, parameters: unknown[] = []): Promise<Row | undefined> {
  return (await rowsOf<Row>(db, sql, parameters))[0];
}

/**
 * For handlers of messages: when a person's request holds what they need, they give way and come again by the ladder of retries,
 * before PostgreSQL has to break a deadlock at the person's cost (after its `deadlock_timeout` of one second).
 */
export async function yieldToPeople(db: Database): Promise<void> {
  await db.query(`set local lock_timeout = '700ms'`);
}
