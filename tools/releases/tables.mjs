/** Tables of every service as its migrations leave them. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';

async function withClient(url, work) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const columns = `select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as mandatory,
    a.atthasdef or a.attidentity <> '' as filled
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped order by c.relname, a.attnum`;

/** Rules that rows must keep; the indexes of unique and primary keys are theirs. */
const constraints = `select c.relname as table, k.conname as name, pg_get_constraintdef(k.oid) as rule, k.contype in ('p', 'u', 'x') as unique,
    array(select a.attname::text from unnest(k.conkey) key join pg_attribute a on a.attrelid = c.oid and a.attnum = key order by a.attnum) as columns
  from pg_constraint k join pg_class c on c.oid = k.conrelid where c.relnamespace = $1::regnamespace and k.contype in ('c', 'f', 'p', 'u', 'x')
  union all
  select c.relname, i.relname, regexp_replace(pg_get_indexdef(x.indexrelid), '^CREATE UNIQUE INDEX \\S+ ON (ONLY )?\\S+ ', 'UNIQUE '), true,
    array(select distinct a.attname::text from pg_depend d join pg_attribute a on a.attrelid = c.oid and a.attnum = d.refobjsubid
          where d.objid = x.indexrelid and d.refobjid = c.oid and d.refobjsubid > 0 order by 1)
  from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid
  where c.relnamespace = $1::regnamespace and x.indisunique and not exists (select from pg_constraint k where k.conindid = x.indexrelid)
  order by 1, 2`;

async function tablesIn(client, service, schema) {
  const byName = new Map();
  for (const { table, name, type, mandatory, filled } of (await client.query(columns, [schema])).rows) {
    if (!byName.has(table)) byName.set(table, { service, table, columns: {}, rules: [] });
    byName.get(table).columns[name] = { type, ...(mandatory ? { mandatory } : {}), ...(filled ? { filled } : {}) };
  }
  for (const { table, ...rule } of (await client.query(constraints, [schema])).rows) byName.get(table).rules.push(rule);
  return [...byName.values()].filter(({ table }) => table !== 'migrations');
}

/**
 * Migrates a database of its own and reads its tables.
 * @param {{ migrate: Function, byService: Record<string, unknown[]> }} migrations as `migrationsOf` returns them
 * @param {string} adminUrl URL of a superuser
 */
export async function tablesAfter({ migrate, byService }, adminUrl) {
  const name = `releases_${randomBytes(6).toString('hex')}`;
  const own = new URL(adminUrl);
  own.pathname = `/${name}`;
  await withClient(adminUrl, (client) => client.query(`create database "${name}"`));
  try {
    const tables = [];
    for (const [service, migrations] of Object.entries(byService)) {
      const schema = service.replaceAll('-', '_');
      await withClient(own.href, async (client) => {
        for (const extension of ['unaccent', 'pg_trgm']) await client.query(`create extension if not exists "${extension}" schema public`);
        await client.query(`create schema "${schema}"`);
        await client.query(`alter database "${name}" set search_path = "${schema}"`);
      });
      await migrate({ url: own.href, migrations });
      tables.push(...(await withClient(own.href, (client) => tablesIn(client, service, schema))));
    }
    return tables;
  } finally {
    await withClient(adminUrl, (client) => client.query(`drop database if exists "${name}" with (force)`));
  }
}
