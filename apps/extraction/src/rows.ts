import type { EntityManager } from 'typeorm';

/** What runs SQL: a transaction's manager, or the data source outside of one. */
export type Database = Pick<EntityManager, 'query'>;

/** Rows of any statement, also of `update ... returning` and `delete ... returning`, which TypeORM answers with a count beside. */
export async function rowsOf<Row>(db: Database, statement: string, parameters: unknown[] = []): Promise<Row[]> {
  const answer: unknown = await db.query(statement, parameters);
  if (!Array.isArray(answer)) return [];
  if (answer.length === 2 && Array.isArray(answer[0]) && typeof answer[1] === 'number') return answer[0] as Row[];
  return answer as Row[];
}

/** The one row of a statement; undefined when there is none. */
export async function rowOf<Row>(db: Database, statement: string, parameters: unknown[] = []): Promise<Row | undefined> {
  return (await rowsOf<Row>(db, statement, parameters))[0];
}
