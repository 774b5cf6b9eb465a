import { maxLengths } from '@decola/contracts';
import { type Database, rowOf } from '@decola/database';
import type { EntityManager } from 'typeorm';
import type { UserRecord } from './user.view.js';

const selectUser = `select u.*,
  coalesce((select array_agg(r.role order by r.role) from user_roles r where r.user_id = u.id), '{}') as roles,
  coalesce((select json_agg(i order by i.created_at) from identities i where i.user_id = u.id), '[]'::json) as identities,
  coalesce((select json_agg(json_build_object('id', f.id, 'friendly_name', f.friendly_name, 'factor_type', f.factor_type, 'status', f.status,
    'last_challenged_at', f.last_challenged_at, 'created_at', f.created_at, 'updated_at', f.updated_at) order by f.created_at)
    from factors f where f.user_id = u.id), '[]'::json) as factors
  from users u`;

async function userWhere(db: Database, condition: string, value: string): Promise<UserRecord | null> {
  return (await rowOf<UserRecord>(db, `${selectUser} where ${condition}`, [value])) ?? null;
}

export const userById = (db: Database, id: string) => userWhere(db, 'u.id = $1', id);
/** @param email in lower case */
export const userByEmail = (db: Database, email: string) => userWhere(db, 'u.email = $1', email);

/**
 * Locks a person's row until the caller's transaction ends, and reads it. Everything that changes passwords, addresses, one-time tokens or
 * sessions of a person takes this lock before any row that belongs to the person; another order could deadlock.
 * @returns null when the account does not exist (any more)
 */
export async function lockUser(manager: EntityManager, id: string): Promise<UserRecord | null> {
  await manager.query('select 1 from users where id = $1 for no key update', [id]);
  // A second statement, because it sees what other transactions committed while this one waited for the lock.
  return userById(manager, id);
}

/** Creates a user with identity and profile, which must exist from sign-up on. */
export async function insertUser(
  manager: EntityManager,
  input: { email: string; passwordHash: string | null; metadata: Record<string, unknown>; isConfirmed: boolean },
): Promise<UserRecord> {
  const metadata = { ...input.metadata, ...(input.isConfirmed ? { email_verified: true } : {}) };
  const { id } = (await rowOf<{ id: string }>(
    manager,
    `insert into users (email, password_hash, user_metadata, email_confirmed_at) values ($1, $2, $3, case when $4 then now() end) returning id`,
    [input.email, input.passwordHash, JSON.stringify(metadata), input.isConfirmed],
  ))!;
  const identityData = { ...input.metadata, sub: id, email: input.email, email_verified: input.isConfirmed, phone_verified: false };
  await manager.query(
    `insert into identities (user_id, provider, provider_id, identity_data, last_sign_in_at) values ($1::uuid, 'email', $1::uuid::text, $2, now())`,
    [id, JSON.stringify(identityData)],
  );
  const fullName = typeof input.metadata['full_name'] === 'string' ? input.metadata['full_name'].trim().slice(0, maxLengths.name) : '';
  await manager.query('insert into profiles (user_id, full_name) values ($1, $2)', [id, fullName === '' ? null : fullName]);
  const user = await userById(manager, id);
  if (!user) throw new Error('the user is gone within its own transaction');
  return user;
}
