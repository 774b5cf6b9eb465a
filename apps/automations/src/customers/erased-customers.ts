import { type Database, rowOf } from '@decola/database';
import { RestError } from '@decola/table-api';

/**
 * Whether a customer's account was deleted. Takes a shared lock until the transaction ends, so that an erasure waits for it: what the
 * transaction writes is either erased with the rest or not written at all.
 */
export async function isErased(db: Database, userId: string): Promise<boolean> {
  await db.query('select pg_advisory_xact_lock_shared(hashtextextended($1, 0))', [userId]);
  return (await rowOf(db, 'select 1 from entitlements where user_id = $1 and erased_at is not null', [userId])) !== undefined;
}

/** Locks a customer for their erasure: waits for every transaction that asked `isErased`. */
export async function lockForErasure(db: Database, userId: string): Promise<void> {
  await db.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [userId]);
}

/** For requests: an access token is valid for a few seconds after its account was deleted. @throws RestError 403 when it was. */
export async function requireNotErased(db: Database, userId: string): Promise<void> {
  if (await isErased(db, userId)) throw new RestError(403, '42501', 'the account does not exist any more');
}
