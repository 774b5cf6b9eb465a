import pg from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { findMissingMigrations, migrate } from '../src/index.js';
import { ownDatabase } from './own-database.js';

class First1760000000001 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query('create table counters (id int primary key, value int not null)');
    await query.query('insert into counters values (1, 0)');
  }
  async down(): Promise<void> {}
}
class Second1760000000002 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query('update counters set value = value + 1');
  }
  async down(): Promise<void> {}
}
class Broken1760000000003 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query('update counters set value = value + 10');
    await query.query('select * from nowhere');
  }
  async down(): Promise<void> {}
}

describe('migrate', () => {
  let url: string;
  let drop: () => Promise<void>;

  beforeAll(async () => {
    ({ url, drop } = await ownDatabase());
  });
  afterAll(() => drop?.());

  const value = async () => {
    const inside = new pg.Client({ connectionString: url });
    await inside.connect();
    const { rows } = await inside.query<{ value: number }>('select value from counters');
    await inside.end();
    return rows[0]?.value;
  };

  it('runs each migration once when two processes start at the same time', async () => {
    const runs = await Promise.all([1, 2].map(() => migrate({ url, migrations: [First1760000000001, Second1760000000002] })));
    expect(runs.flat().sort()).toEqual(['First1760000000001', 'Second1760000000002']);
    expect(await value()).toBe(1);
  });

  it('waits for another process without a snapshot, which an index that is made concurrently would wait for', async () => {
    class Concurrent1760000000003 implements MigrationInterface {
      transaction = false;
      async up(runner: QueryRunner): Promise<void> {
        // The other process waits by now: its session asks for the lock.
        for (let sessions = 0; sessions < 2;) {
          const [row] = (await runner.query(
            `select count(*)::int as sessions from pg_stat_activity where datname = current_database() and query like 'select pg_%advisory_lock%'`,
          )) as { sessions: number }[];
          sessions = row!.sessions;
        }
        await runner.query('create index concurrently counters_value on counters (value)');
      }
      async down(): Promise<void> {}
    }
    const migrations = [First1760000000001, Second1760000000002, Concurrent1760000000003];
    const runs = await Promise.all([1, 2].map(() => migrate({ url, migrations, lockTimeoutMs: 2_000 })));
    expect(runs.flat()).toEqual(['Concurrent1760000000003']);
  });

  it('rolls back a migration that fails', async () => {
    const migrations = [First1760000000001, Second1760000000002, Broken1760000000003];
    await expect(migrate({ url, migrations })).rejects.toThrow(/nowhere/);
    expect(await value()).toBe(1);
  });

  describe('what a service waits for', () => {
    class Missing1760000000004 implements MigrationInterface {
      async up(): Promise<void> {}
      async down(): Promise<void> {}
    }

    it('is nothing when all its migrations are applied, also with newer ones', async () => {
      expect(await findMissingMigrations(url, [First1760000000001, Second1760000000002])).toBeUndefined();
      expect(await findMissingMigrations(url, [First1760000000001])).toBeUndefined();
    });

    it('is named: migrations that are not applied, an unmigrated database, a role or server that cannot be used', async () => {
      const migrations = [First1760000000001, Missing1760000000004];
      expect(await findMissingMigrations(url, migrations)).toBe('1 of its migrations are not applied, the first is Missing1760000000004');
      const elsewhere = new URL(url);
      elsewhere.pathname = '/postgres';
      expect(await findMissingMigrations(elsewhere.href, migrations)).toBe('no migration is applied');
      const stranger = new URL(url);
      stranger.username = 'nobody_here';
      expect(await findMissingMigrations(stranger.href, migrations)).toMatch(
        /^the database cannot be used \(password authentication failed/,
      );
      expect(await findMissingMigrations('postgres://a:b@127.0.0.1:1/c', migrations)).toMatch(
        /^the database cannot be used \(.*ECONNREFUSED/,
      );
    });
  });
});
