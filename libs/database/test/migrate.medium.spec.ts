import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { migrate } from '../src/index.js';

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

/** As npm run infra noted it; libs/testing, which knows this too, stands on this library. */
function recordedUrl(): string {
  const file = path.resolve(__dirname, '../../../.decola/infrastructure.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { postgres: { url: string } }).postgres.url;
}

describe('migrate', () => {
  let url: string;
  let client: pg.Client;
  const name = `test_${randomBytes(6).toString('hex')}`;

  beforeAll(async () => {
    const admin = process.env['DECOLA_POSTGRES_URL'] ?? recordedUrl();
    client = new pg.Client({ connectionString: admin });
    await client.connect();
    await client.query(`create database "${name}"`);
    const own = new URL(admin);
    own.pathname = `/${name}`;
    url = own.href;
  });
  afterAll(async () => {
    await client?.query(`drop database "${name}" with (force)`);
    await client?.end();
  });

  const value = async () => {
    const inside = new pg.Client({ connectionString: url });
    await inside.connect();
    const { rows } = await inside.query<{ value: number }>('select value from counters');
    await inside.end();
    return rows[0]?.value;
  };

  it('runs each migration once although two replicas start it together', async () => {
    const runs = await Promise.all([1, 2].map(() => migrate({ url, migrations: [First1760000000001, Second1760000000002] })));
    expect(runs.flat().sort()).toEqual(['First1760000000001', 'Second1760000000002']);
    expect(await value()).toBe(1);
  });

  it('leaves nothing of a migration that fails', async () => {
    const migrations = [First1760000000001, Second1760000000002, Broken1760000000003];
    await expect(migrate({ url, migrations })).rejects.toThrow(/nowhere/);
    expect(await value()).toBe(1);
  });
});
