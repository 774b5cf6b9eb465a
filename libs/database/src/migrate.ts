import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { DatabaseClient } from './database-client.js';

export type MigrationClass = new () => MigrationInterface;

/** Key of the advisory lock that keeps two migrations of one database from running at the same time. */
const migrationLock = 7_332_001;

const lockRetryMs = 100;

/** Table of the applied migrations, in the service's schema. */
const migrationsTable = 'migrations';

export interface MigrateOptions {
  /** Leads to the server itself: the lock belongs to a session, which a pooler would share. */
  url: string;
  migrations: readonly MigrationClass[];
  /** How long a migration waits for a locked table before it fails. Default: 10 s. */
  lockTimeoutMs?: number;
}

/**
 * Runs the pending migrations in the role's own schema, each in a transaction, one process at a time. It is a separate step
 * before a rollout; replicas do not migrate when they boot.
 * @returns names of the migrations that ran
 */
export async function migrate({ url, migrations, lockTimeoutMs = 10_000 }: MigrateOptions): Promise<string[]> {
  const dataSource = new DataSource({
    type: 'postgres',
    url,
    migrations: [...migrations],
    migrationsTableName: migrationsTable,
    migrationsTransactionMode: 'each',
    // Instead of the role's limits, which are for requests.
    extra: { max: 2, options: `-c lock_timeout=${lockTimeoutMs} -c statement_timeout=0 -c idle_in_transaction_session_timeout=0` },
  });
  await dataSource.initialize();
  const lockHolder = dataSource.createQueryRunner();
  try {
    await lockHolder.connect();
    // By questions: a session that waits inside of a statement has a snapshot, and `create index concurrently` of another service waits for its end.
    while (!(await tryLock(lockHolder))) await sleep(lockRetryMs);
    const ran = await dataSource.runMigrations();
    return ran.map(({ name }) => name);
  } finally {
    await lockHolder.query('select pg_advisory_unlock($1)', [migrationLock]).catch(() => undefined);
    await lockHolder.release();
    await dataSource.destroy();
  }
}

async function tryLock(session: QueryRunner): Promise<boolean> {
  const [row] = (await session.query('select pg_try_advisory_lock($1) as locked', [migrationLock])) as { locked: boolean }[];
  return row!.locked;
}

/**
 * Prerequisite of a service: the migrations that it was built with are applied. Newer ones are fine, because a release tolerates the schema of the next one.
 * @returns what is missing; undefined when nothing is
 */
export async function findMissingMigrations(url: string, migrations: readonly MigrationClass[]): Promise<string | undefined> {
  const client = new DatabaseClient({
    connectionString: url,
    application_name: 'migration check',
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
  });
  try {
    await client.connect();
    const { rows } = await client.query<{ name: string }>(`select name from ${migrationsTable}`);
    const applied = new Set(rows.map(({ name }) => name));
    const missing = migrations.map(nameOf).filter((name) => !applied.has(name));
    return missing.length === 0 ? undefined : `${missing.length} of its migrations are not applied, the first is ${missing[0]}`;
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code === undefinedTable) return 'no migration is applied';
    // Also when the role does not exist yet: the step that migrates creates it.
    return `the database cannot be used (${error instanceof Error ? error.message : String(error)})`;
  } finally {
    void client.end().catch(() => undefined);
  }
}

const undefinedTable = '42P01';

/** The name that TypeORM stores. */
const nameOf = (migration: MigrationClass): string => new migration().name ?? migration.name;

/** Body of a service's `migrate.command.ts`: migrates `DATABASE_DIRECT_URL`, or else `DATABASE_URL`, and prints which migrations ran. */
export async function migrateCommand(service: string, migrations: readonly MigrationClass[]): Promise<void> {
  const url = process.env['DATABASE_DIRECT_URL'] || process.env['DATABASE_URL'];
  if (!url) {
    process.stderr.write(`${service}: DATABASE_URL is missing\n`);
    process.exit(1);
  }
  try {
    const names = await migrate({ url, migrations });
    process.stdout.write(`${service}: ${names.length === 0 ? 'nothing to migrate' : `migrated ${names.join(', ')}`}\n`);
  } catch (error) {
    process.stderr.write(`${service}: migration failed: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}
