import type { EntityManager } from 'typeorm';
import type { UserRecord } from './user.view.js';

const selectUser = `select u.*,
  coalesce((select array_agg(r.role order by r.role) from user_roles r where r.user_id = u.id), '{}') as roles,
  coalesce((select json_agg(i order by i.created_at) from identities i where i.user_id = u.id), '[]'::json) as identities,
  coalesce((select json_agg(json_build_object('id', f.id, 'friendly_name', f.friendly_name, 'factor_type', f.factor_type, 'status', f.status,
    'last_challenged_at', f.last_challenged_at, 'created_at', f.created_at, 'updated_at', f.updated_at) order by f.created_at)
    from factors f where f.user_id = u.id), '[]'::json) as factors
  from users u`;

async function one(manager: EntityManager, condition: string, value: string): Promise<UserRecord | null> {
  const rows = await manager.query<UserRecord[]>(`${selectUser} where ${condition}`, [value]);
  return rows[0] ?? null;
}

export const userById = (manager: EntityManager, id: string) => one(manager, 'u.id = $1', id);
/** @param email in lower case */
export const userByEmail = (manager: EntityManager, email: string) => one(manager, 'u.email = $1', email);

/**
 * The person as they are now, until the caller's transaction ends: new passwords, changes of address, links and codes that are sent or used, and
 * everything else that opens a session wait for each other here (or at a change of the person's row, which locks it alike). Who changes both
 * the person and what hangs on them, such as their tokens, asks for this first: two who did it in different orders would wait for each other,
 * and PostgreSQL would end one. Null when there is nobody (any more).
 */
export async function lockUser(manager: EntityManager, id: string): Promise<UserRecord | null> {
  await manager.query('select 1 from users where id = $1 for no key update', [id]);
  // A statement of its own, which sees what was committed while this one waited.
  return userById(manager, id);
}

/** Makes the user with identity and profile; the profile must exist from sign-up on. */
export async function insertUser(
  manager: EntityManager,
  input: { email: string; passwordHash: string | null; metadata: Record<string, unknown>; isConfirmed: boolean },
): Promise<UserRecord> {
  const metadata = { ...input.metadata, ...(input.isConfirmed ? { email_verified: true } : {}) };
  const [{ id }] = await manager.query<[{ id: string }]>(
    `insert into users (email, password_hash, user_metadata, email_confirmed_at) values ($1, $2, $3, case when $4 then now() end) returning id`,
    [input.email, input.passwordHash, JSON.stringify(metadata), input.isConfirmed],
  );
  const identityData = { ...input.metadata, sub: id, email: input.email, email_verified: input.isConfirmed, phone_verified: false };
  await manager.query(
    `insert into identities (user_id, provider, provider_id, identity_data, last_sign_in_at) values ($1::uuid, 'email', $1::uuid::text, $2, now())`,
    [id, JSON.stringify(identityData)],
  );
  const fullName = typeof input.metadata['full_name'] === 'string' ? input.metadata['full_name'].trim().slice(0, 200) : '';
  await manager.query('insert into profiles (user_id, full_name) values ($1, $2)', [id, fullName === '' ? null : fullName]);
  const user = await userById(manager, id);
  if (!user) throw new Error('the user is gone within its own transaction');
  return user;
}
