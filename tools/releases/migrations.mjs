import { globSync } from 'node:fs';
import path from 'node:path';
import { loadSources } from '../load-sources.mjs';

/** @returns {string[]} names of the services with migrations */
export function servicesWithMigrations(root) {
  return globSync('apps/*/src/migrations/index.ts', { cwd: root })
    .map((file) => file.split(path.sep)[1])
    .sort();
}

/**
 * The migrations of a tree, and the function of that tree that runs them.
 * @returns {Promise<{ migrate: Function, byService: Record<string, (new () => object)[]> }>}
 */
export async function migrationsOf(root) {
  const services = servicesWithMigrations(root);
  const modules = await loadSources(root, {
    ...Object.fromEntries(services.map((service) => [service, `apps/${service}/src/migrations/index.ts`])),
    migrate: 'libs/database/src/migrate.ts',
  });
  return {
    migrate: modules.migrate.migrate,
    byService: Object.fromEntries(services.map((service) => [service, [...modules[service].migrations]])),
  };
}

/** @param {new () => { name?: string }} Migration */
export const nameOfMigration = (Migration) => new Migration().name ?? Migration.name;

/** A migration may ask which extensions there are: all of them. It asks nothing else. */
const answerOf = (sql, values) => (/\bpg_extension\b/.test(sql) ? (values?.[0] ?? []).map((extname) => ({ extname })) : []);

/**
 * The SQL of a migration, without running it.
 * @param {new () => { up(query: object): Promise<void>, transaction?: boolean }} Migration
 * @returns {Promise<{ name: string, statements: string[], isInTransaction: boolean }>}
 */
export async function statementsOf(Migration) {
  const statements = [];
  const migration = new Migration();
  await migration.up({ query: async (sql, values) => (statements.push(sql), answerOf(sql, values)) });
  return { name: nameOfMigration(Migration), statements, isInTransaction: migration.transaction !== false };
}
