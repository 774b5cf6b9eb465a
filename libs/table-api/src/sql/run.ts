import { type Database, rowsOf } from '@decola/database';
import type { Sql } from './sql.js';

/** Runs a statement in the request's transaction. @returns its rows, also of `returning` clauses */
export function run<Result extends object>(manager: Database, statement: Sql): Promise<Result[]> {
  const { text, values } = statement.render();
  return rowsOf<Result>(manager, text, values);
}
