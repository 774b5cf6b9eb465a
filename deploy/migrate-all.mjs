/**
 * Brings the database to this release: creates what is missing of roles, schemas and extensions, gives the roles their passwords, and migrates every
 * service's schema. It may be repeated, and fails as a whole when one step fails.
 *
 * `DATABASE_ADMIN_URL` is a superuser's; `IDENTITY_DATABASE_URL` and so on are what the services use, and lead to the server itself (not to a
 * PgBouncer): role, password and database are taken from them.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { provisionDatabase, roleOf, servicesWithDatabase } from '../scripts/lib/provision.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const adminVariable = 'DATABASE_ADMIN_URL';
const variableOf = (service) => `${service.replaceAll('-', '_').toUpperCase()}_DATABASE_URL`;

/** Prints the message and ends the process. Messages never contain values: they hold passwords. */
function fail(message) {
  console.error(message);
  process.exit(1);
}

function urlIn(variable) {
  const text = process.env[variable];
  if (!text) fail(`${variable} is missing`);
  if (!URL.canParse(text)) fail(`${variable} is not a URL: a password in it must be percent-encoded`);
  return new URL(text);
}

const urls = Object.fromEntries(servicesWithDatabase.map((service) => [service, urlIn(variableOf(service))]));
const adminUrl = urlIn(adminVariable);
for (const [service, { username, password }] of Object.entries(urls)) {
  if (username !== roleOf(service)) fail(`${variableOf(service)} must name the role ${roleOf(service)}`);
  if (!password) fail(`${variableOf(service)} has no password`);
}
const databases = [...new Set(Object.values(urls).map(({ pathname }) => decodeURIComponent(pathname.slice(1))))];
const [database] = databases;
if (databases.length !== 1 || !database) fail('the URLs of the services must name one database, the same');

adminUrl.pathname = '/postgres'; // exists on every server; the services' database may not exist yet
try {
  await provisionDatabase({
    adminUrl: adminUrl.href,
    database,
    passwords: Object.fromEntries(Object.entries(urls).map(([service, { password }]) => [service, decodeURIComponent(password)])),
  });
} catch (error) {
  fail(`roles and schemas could not be created: ${error.message}`);
}

const secrets = [adminVariable, ...servicesWithDatabase.map(variableOf)];
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !secrets.includes(name)));
for (const [service, url] of Object.entries(urls)) {
  const { status } = spawnSync(process.execPath, [path.join(root, 'apps', service, 'dist/migrate.command.js')], {
    stdio: 'inherit',
    env: { ...environment, DATABASE_DIRECT_URL: url.href },
  });
  if (status !== 0) process.exit(status ?? 1);
}
