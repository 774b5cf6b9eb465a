/** Creates and deletes the database, schemas, roles and virtual host of one system. Every function may be repeated. */
import { createHmac } from 'node:crypto';

export const servicesWithDatabase = ['identity', 'billing', 'automations', 'extraction', 'prize-wheel', 'blog'];

/** Extensions that services use. Their roles may not create them, so they stand in `public`, whose names migrations write out: `public.unaccent(...)`. */
export const databaseExtensions = ['unaccent', 'pg_trgm'];

/** Name of a service's role, which is also the name of its schema. */
export const roleOf = (service) => `decola_${service.replaceAll('-', '_')}`;

/**
 * Settings of every service's role. Time-outs are set here and not by connections, because PgBouncer refuses connections that name them. A statement waits
 * for locks for less time than it may run, so that the error says which it was. Clients give up after 35 s (`libs/database/src/database.module.ts`).
 */
export const roleSettings = { statement_timeout: '30s', lock_timeout: '20s', idle_in_transaction_session_timeout: '60s' };

/** Keeps two provisionings of one server apart: PostgreSQL refuses concurrent changes of a role. */
const provisioningLock = 7_332_003;

async function withClient(url, work) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Password of the services' roles on a server of a developer. Roles belong to the whole server, and several clones may use one: each has to give them the same
 * password, or it would lock the running systems of the others out.
 */
export async function passwordOfRoles(adminUrl) {
  const { rows } = await withClient(adminUrl, (client) =>
    client.query('select system_identifier::text as server from pg_control_system()'),
  );
  const key = decodeURIComponent(new URL(adminUrl).password);
  return createHmac('sha256', key).update(`roles of ${rows[0].server}`).digest('base64url');
}

/** Creates the role, or gives it this password and these settings. @param client a superuser's */
export async function provisionRole(client, { role, password }) {
  const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [role]);
  await client.query(`${rowCount ? 'alter' : 'create'} role "${role}" login password ${client.escapeLiteral(password)}`);
  await client.query(`alter role "${role}" set search_path = "${role}"`);
  for (const [name, value] of Object.entries(roleSettings)) await client.query(`alter role "${role}" set ${name} = '${value}'`);
}

/** What a superuser does inside a database before services migrate: extensions, and one schema per role that only this role can use. */
export const preparationOf = (database, roles) => [
  'revoke create on schema public from public',
  `revoke all on database "${database}" from public`,
  ...databaseExtensions.map((extension) => `create extension if not exists "${extension}" schema public`),
  ...roles.flatMap((role) => [
    `grant connect on database "${database}" to "${role}"`,
    `create schema if not exists "${role}" authorization "${role}"`,
  ]),
];

/**
 * Creates the database with a role and a schema for each service. It may be repeated: roles then get the given passwords.
 * @param adminUrl URL of a superuser, in any database of the server
 * @param passwords by service
 * @returns the database's URL for the superuser, and URLs by service
 */
export async function provisionDatabase({ adminUrl, database, passwords }) {
  const inside = new URL(adminUrl);
  inside.pathname = `/${database}`;
  const roles = Object.keys(passwords).map(roleOf);
  await withClient(adminUrl, async (client) => {
    await client.query('select pg_advisory_lock($1)', [provisioningLock]);
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [database]);
    if (!rowCount) await client.query(`create database "${database}"`);
    for (const [service, password] of Object.entries(passwords)) await provisionRole(client, { role: roleOf(service), password });
    await withClient(inside.href, async (insider) => {
      for (const statement of preparationOf(database, roles)) await insider.query(statement);
    });
  });
  return {
    url: inside.href,
    byService: Object.fromEntries(
      Object.entries(passwords).map(([service, password]) => {
        const own = new URL(inside.href);
        own.username = roleOf(service);
        own.password = encodeURIComponent(password);
        return [service, own.href];
      }),
    ),
  };
}

export async function dropDatabase({ adminUrl, database }) {
  await withClient(adminUrl, (client) => client.query(`drop database if exists "${database}" with (force)`));
}

async function management(managementUrl, method, path, body) {
  const { origin, username, password } = new URL(managementUrl);
  const answer = await fetch(`${origin}/api${path}`, {
    method,
    headers: {
      authorization: `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!answer.ok && answer.status !== 404)
    throw new Error(`RabbitMQ management: ${method} ${path}: ${answer.status} ${await answer.text()}`);
}

/** Creates the system's virtual host. Without the management interface it returns the given URL unchanged. */
export async function provisionBroker({ url, managementUrl, vhost }) {
  if (!managementUrl) return url;
  await management(managementUrl, 'PUT', `/vhosts/${vhost}`, {});
  await management(managementUrl, 'PUT', `/permissions/${vhost}/${decodeURIComponent(new URL(url).username)}`, {
    configure: '.*',
    write: '.*',
    read: '.*',
  });
  const own = new URL(url);
  own.pathname = `/${vhost}`;
  return own.href;
}

export async function dropBroker({ managementUrl, vhost }) {
  if (managementUrl) await management(managementUrl, 'DELETE', `/vhosts/${vhost}`);
}

/** Removes every key of a prefix. */
export async function dropKeys({ url, prefix }) {
  const { createClient } = await import('@redis/client');
  const client = createClient({ url });
  await client.connect();
  try {
    for await (const keys of client.scanIterator({ MATCH: `${prefix}*`, COUNT: 500 })) if (keys.length > 0) await client.del(keys);
  } finally {
    client.destroy();
  }
}
