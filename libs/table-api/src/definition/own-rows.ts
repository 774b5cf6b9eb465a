import type { AuthenticatedCaller, Caller } from '@decola/service-kit';
import type { Row, TableRules } from './definition.js';
import { rowRefused } from '../errors/errors.js';
import { sql } from '../sql/sql.js';

type Verb = keyof TableRules;

/**
 * Rules of a table whose rows belong to the person in `user_id`: people read and write only their own rows, anonymous callers none.
 * @param writable columns that clients may send
 * @param verbs what people may do. Default: everything
 */
export function ownRows(
  caller: Caller,
  writable: readonly string[],
  verbs: readonly Verb[] = ['select', 'insert', 'update', 'delete'],
): TableRules {
  if (caller.role !== 'authenticated') return {};
  const own = sql`t.user_id = ${caller.userId}`;
  const rules: Required<TableRules> = {
    select: { where: own },
    insert: { check: own, columns: writable },
    update: { where: own, check: own, columns: writable },
    delete: { where: own },
  };
  return Object.fromEntries(verbs.map((verb) => [verb, rules[verb]]));
}

/** For hooks that look something up for the row's owner. @throws RestError 42501 when the row belongs to somebody else */
export function requireOwn(caller: Caller, row: Row, table: string): asserts caller is AuthenticatedCaller {
  if (caller.role === 'authenticated' && row['user_id'] === caller.userId) return;
  throw rowRefused(caller.role === 'anon', table);
}
