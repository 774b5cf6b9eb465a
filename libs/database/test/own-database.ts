import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';

/** URL that `npm run infra` recorded. libs/testing has a function for this, but it depends on this library. */
function recordedUrl(): string {
  const file = path.resolve(__dirname, '../../../.decola/infrastructure.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { postgres: { url: string } }).postgres.url;
}

/** An empty database for one test file. */
export async function ownDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const admin = process.env['DECOLA_POSTGRES_URL'] ?? recordedUrl();
  const client = new pg.Client({ connectionString: admin });
  await client.connect();
  await client.query(`create database "${name}"`);
  const own = new URL(admin);
  own.pathname = `/${name}`;
  return {
    url: own.href,
    drop: async () => {
      await client.query(`drop database "${name}" with (force)`);
      await client.end();
    },
  };
}
