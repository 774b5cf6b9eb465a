/** Database, schemas, roles and virtual host of one set-up. Everything here may run twice. */

export const servicesWithDatabase = ['identity', 'billing', 'automations', 'extraction', 'prize-wheel', 'blog'];

const roleOf = (service) => `decola_${service.replaceAll('-', '_')}`;

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

/** One schema and one role per service in one database; a role can touch its own schema only. @returns URL by service. */
export async function provisionDatabase({ adminUrl, database, password }) {
  const inside = new URL(adminUrl);
  inside.pathname = `/${database}`;
  await withClient(adminUrl, async (client) => {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [database]);
    if (!rowCount) await client.query(`create database "${database}"`);
    for (const service of servicesWithDatabase) {
      const role = roleOf(service);
      const found = await client.query('select 1 from pg_roles where rolname = $1', [role]);
      await client.query(`${found.rowCount ? 'alter' : 'create'} role "${role}" login password '${password}'`);
      await client.query(`alter role "${role}" set search_path = "${role}"`);
    }
  });
  await withClient(inside.href, async (client) => {
    await client.query('revoke create on schema public from public');
    for (const service of servicesWithDatabase)
      await client.query(`create schema if not exists "${roleOf(service)}" authorization "${roleOf(service)}"`);
  });
  return {
    url: inside.href,
    byService: Object.fromEntries(
      servicesWithDatabase.map((service) => {
        const own = new URL(inside.href);
        own.username = roleOf(service);
        own.password = password;
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

/** A virtual host of the set-up's own. Without the management interface the URL is used as it was given. */
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
  const { createClient } = await import('redis');
  const client = createClient({ url });
  await client.connect();
  try {
    for await (const keys of client.scanIterator({ MATCH: `${prefix}*`, COUNT: 500 })) if (keys.length > 0) await client.del(keys);
  } finally {
    client.destroy();
  }
}
