import { oneAtATime } from '@decola/messaging';
import { type HookContext, RestError, type Row } from '@decola/table-api';

/** A hook of people's tables: a token may outlive its account by a few seconds. @throws RestError when the account is gone. */
export async function refuseErased({ manager, caller }: HookContext, row: Row): Promise<Row> {
  if (caller.role !== 'authenticated') return row;
  // Their writes and the news that they are gone wait for each other.
  await oneAtATime(manager, [caller.userId]);
  const gone = await manager.query<unknown[]>('select 1 from erased_users where user_id = $1', [caller.userId]);
  if (gone.length > 0) throw new RestError(403, '42501', 'the account does not exist any more');
  return row;
}
