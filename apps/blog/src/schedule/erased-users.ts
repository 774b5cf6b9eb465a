import { type HookContext, RestError, type Row } from '@decola/table-api';
import type { EntityManager } from 'typeorm';

type Database = Pick<EntityManager, 'query'>;

/** Makes all news about one person, and their own writes, wait for each other until the transaction ends. */
export async function oneAtATime(db: Database, userId: string): Promise<void> {
  await db.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [userId]);
}

/** A hook of people's tables: a token may outlive its account by a few seconds. @throws RestError when the account is gone. */
export async function refuseErased({ manager, caller }: HookContext, row: Row): Promise<Row> {
  if (caller.role !== 'authenticated') return row;
  await oneAtATime(manager, caller.userId);
  const gone = await manager.query<unknown[]>('select 1 from erased_users where user_id = $1', [caller.userId]);
  if (gone.length > 0) throw new RestError(403, '42501', 'the account does not exist any more');
  return row;
}
