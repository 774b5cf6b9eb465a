import { DataSource, type MigrationInterface } from 'typeorm';

export type MigrationClass = new () => MigrationInterface;

/** Any two runs of migrations of one database exclude each other by this lock. */
const migrationLock = 7_332_001;

export interface MigrateOptions {
  url: string;
  migrations: readonly MigrationClass[];
  /** How long a migration may wait for a table that is in use before it gives up. Default: 10 s. */
  lockTimeoutMs?: number;
}

/**
 * Runs the pending migrations in the role's own schema, each in a transaction, one process at a time. It is a step of its own
 * before a rollout; no replica migrates at boot.
 * @returns names of the migrations that ran.
 */
export async function migrate({ url, migrations, lockTimeoutMs = 10_000 }: MigrateOptions): Promise<string[]> {
  const dataSource = new DataSource({
    type: 'postgres',
    url,
    migrations: [...migrations],
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    extra: { max: 2, options: `-c lock_timeout=${lockTimeoutMs}` },
  });
  await dataSource.initialize();
  const guard = dataSource.createQueryRunner();
  try {
    await guard.connect();
    await guard.query('set lock_timeout = 0');
    await guard.query('select pg_advisory_lock($1)', [migrationLock]);
    const ran = await dataSource.runMigrations();
    return ran.map(({ name }) => name);
  } finally {
    await guard.query('select pg_advisory_unlock($1)', [migrationLock]).catch(() => undefined);
    await guard.release();
    await dataSource.destroy();
  }
}

/** Body of a service's `migrate.command.ts`: migrates `DATABASE_URL` and says what it did. */
export async function migrateCommand(service: string, migrations: readonly MigrationClass[]): Promise<void> {
  const url = process.env['DATABASE_URL'];
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
