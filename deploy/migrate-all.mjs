/** Migrates every service's schema. DATABASE_HOST, DATABASE_NAME and DATABASE_PASSWORD say where; a failure stops the rollout. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const {
  DATABASE_HOST: host = '127.0.0.1',
  DATABASE_PORT: port = '5432',
  DATABASE_NAME: database = 'decola',
  DATABASE_PASSWORD: password,
} = process.env;
if (!password) {
  console.error('DATABASE_PASSWORD is missing');
  process.exit(1);
}
for (const service of ['identity', 'billing', 'automations', 'extraction', 'prize-wheel', 'blog']) {
  const role = `decola_${service.replaceAll('-', '_')}`;
  const url = `postgres://${role}:${encodeURIComponent(password)}@${host}:${port}/${database}`;
  const { status } = spawnSync(process.execPath, [path.join(root, 'apps', service, 'dist/migrate.command.js')], {
    stdio: 'inherit',
    env: { ...process.env, DATABASE_URL: url },
  });
  if (status !== 0) process.exit(status ?? 1);
}
