import { containsSession, misplacedSessionText } from '@decola/contracts';
import { rowOf } from '@decola/database';
import { lockIds } from '@decola/messaging';
import { denied, type HookContext, refusedFor, type Row } from '@decola/table-api';

/** Refuses a value that is a session of the network, pasted into a field that is for something else. @throws RestError P0001 with the sentence for the person */
export function refuseSessions(row: Row): void {
  if (containsSession(row)) throw refusedFor(misplacedSessionText);
}

/** Refuses writes of a deleted customer: an access token outlives its account by a few seconds. @throws RestError 42501 */
export async function refuseErased({ manager, caller }: HookContext): Promise<void> {
  if (caller.role !== 'authenticated') return;
  // The same lock as the consumer's: a write either commits before the erasure and is erased, or sees it and is refused.
  await lockIds(manager, [caller.userId]);
  const erased = await rowOf(manager, 'select 1 from erased_users where user_id = $1', [caller.userId]);
  if (erased) throw denied(false, 'the account does not exist any more');
}
