import { createHash, randomBytes } from 'node:crypto';
import { migrate, type MigrationClass } from '@decola/database';
import pg from 'pg';
import { preparationOf, provisionRole, roleSettings } from '../../../scripts/lib/provision.mjs';
import { infrastructure } from './infrastructure.js';

export interface TestDatabase {
  /** URL of a role that owns only its own schema, like a service's role in production. */
  url: string;
  /** URL of the superuser in the same database. */
  adminUrl: string;
  dispose(): Promise<void>;
}

/** Key of the advisory lock under which one of several test processes creates a template. */
const templateLock = 7_332_002;

/** @param server URL of a server's superuser */
async function asSuperuser<Result>(server: string, work: (client: pg.Client) => Promise<Result>, database?: string): Promise<Result> {
  const client = new pg.Client({ connectionString: database === undefined ? server : urlOf(server, database) });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function urlOf(server: string, database: string, role?: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  if (role) {
    url.username = role;
    url.password = role;
  }
  return url.href;
}

/** Name of the template. It contains a hash of what was done to it, so that a changed migration leads to a new template. */
function templateName(migrations: readonly MigrationClass[], role: string): string {
  const hash = createHash('sha256').update([role, ...preparationOf('template', [role]), JSON.stringify(roleSettings)].join('\n'));
  for (const migration of migrations) hash.update(`${migration.name}\n${String(migration)}`);
  return `test_template_${hash.digest('hex').slice(0, 16)}`;
}

async function ensureTemplate(server: string, template: string, role: string, migrations: readonly MigrationClass[]): Promise<void> {
  await asSuperuser(server, async (admin) => {
    await admin.query('select pg_advisory_lock($1)', [templateLock]);
    const found = await admin.query('select 1 from pg_database where datname = $1 and datistemplate', [template]);
    if (found.rowCount) return;
    await admin.query(`drop database if exists "${template}"`);
    await provisionRole(admin, { role, password: role });
    await admin.query(`create database "${template}"`);
    await asSuperuser(
      server,
      async (inside) => {
        for (const statement of preparationOf(template, [role])) await inside.query(statement);
      },
      template,
    );
    await migrate({ url: urlOf(server, template, role), migrations });
    await admin.query(`alter database "${template}" is_template true`);
  });
}

/**
 * Creates a migrated database for one test, by cloning a template (tens of milliseconds) that is created once per set of migrations.
 * Dispose of it after the test.
 */
export async function testDatabase({
  migrations,
  roleName = 'test_service',
  isDurable = true,
  server = infrastructure().postgres.url,
}: {
  migrations: readonly MigrationClass[];
  roleName?: string;
  /** False: commits do not wait for the disk, for a test with very many of them that does not depend on durability. */
  isDurable?: boolean;
  /** URL of a superuser. Default: the server of all tests. */
  server?: string;
}): Promise<TestDatabase> {
  const template = templateName(migrations, roleName);
  await ensureTemplate(server, template, roleName, migrations);
  return cloneOf({ server, template, roleName, isDurable });
}

/** Another database with the same content, for the same role. Nobody may be connected to the first one meanwhile. */
export function copyOfDatabase({ url, adminUrl }: Pick<TestDatabase, 'url' | 'adminUrl'>): Promise<TestDatabase> {
  const { pathname, username } = new URL(url);
  return cloneOf({ server: urlOf(adminUrl, 'postgres'), template: pathname.slice(1), roleName: username, isDurable: true });
}

async function cloneOf({
  server,
  template,
  roleName,
  isDurable,
}: {
  server: string;
  template: string;
  roleName: string;
  isDurable: boolean;
}): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await asSuperuser(server, async (admin) => {
    await admin.query(`create database "${name}" template "${template}"`);
    // Privileges of the database itself are not cloned.
    for (const statement of preparationOf(name, [roleName]).filter((each) => / on database /.test(each))) await admin.query(statement);
    if (!isDurable) await admin.query(`alter database "${name}" set synchronous_commit = off`);
  });
  return {
    url: urlOf(server, name, roleName),
    adminUrl: urlOf(server, name),
    dispose: () => asSuperuser(server, async (admin) => void (await admin.query(`drop database if exists "${name}" with (force)`))),
  };
}
