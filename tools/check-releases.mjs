/**
 * Compares this tree with the last release (`releases/last`), whose replicas run beside ours during a rollout: messages in both directions, and what pending
 * migrations do to tables. `--tables` compares the tables themselves instead, in a database of its own (`DECOLA_POSTGRES_URL`).
 */
import path from 'node:path';
import { cross, intolerantReaders } from './releases/crossing.mjs';
import { hindrances } from './releases/hindrances.mjs';
import { lastRelease } from './releases/last-release.mjs';
import { messageBodies } from './releases/messages.mjs';
import { migrationExceptions } from './releases/migration-exceptions.mjs';
import { brokenRules, rules } from './releases/migration-rules.mjs';
import { migrationsOf, statementsOf } from './releases/migrations.mjs';
import { tablesAfter } from './releases/tables.mjs';

const root = path.resolve(import.meta.dirname, '..');
const last = lastRelease(root);
const problems = [];

async function checkMessages() {
  const bodies = await messageBodies(root);
  const { problems: broken, waiting } = cross(last.messages, bodies, last);
  problems.push(...broken.map((sentence) => `${sentence}. Expand first (docs/decisions/0061-expand-then-contract.md)`));
  problems.push(
    ...intolerantReaders(bodies).map((name) => `${name}: its readers refuse members that they do not know: no strict objects in messages`),
  );
  for (const sentence of waiting) console.log(`waits until ${last.name} is gone: ${sentence}`);
  return `${bodies.length} messages`;
}

async function checkMigrations() {
  const { byService } = await migrationsOf(root);
  const unused = new Set(Object.keys(migrationExceptions));
  let count = 0;
  for (const [service, migrations] of Object.entries(byService)) {
    const released = last.migrations[service] ?? [];
    const newTables = new Set();
    for (const Migration of migrations) {
      const migration = await statementsOf(Migration);
      count += 1;
      const key = `${service} ${migration.name}`;
      unused.delete(key);
      const broken = brokenRules(migration, released.includes(migration.name) ? new Set() : newTables);
      const allowed = new Set(migrationExceptions[key]?.rules);
      for (const { rule, statement } of broken)
        if (!allowed.has(rule)) problems.push(`${key} ${rules[rule]} (docs/decisions/0061-expand-then-contract.md):\n    ${statement}`);
      for (const rule of allowed)
        if (!broken.some((each) => each.rule === rule))
          problems.push(`${key}: tools/releases/migration-exceptions.mjs allows "${rule}", which it does not do`);
    }
    const names = new Set(migrations.map((Migration) => new Migration().name ?? Migration.name));
    for (const name of released)
      if (!names.has(name)) problems.push(`${service} ${name} ran with ${last.name} and is gone: what ran is not edited`);
  }
  for (const key of unused) problems.push(`tools/releases/migration-exceptions.mjs names ${key}, which does not exist`);
  return `${count} migrations`;
}

async function checkTables() {
  const url = process.env.DECOLA_POSTGRES_URL;
  if (!url) throw new Error('DECOLA_POSTGRES_URL is missing');
  const now = await tablesAfter(await migrationsOf(root), url);
  problems.push(...hindrances(last.tables, now).map((sentence) => `${sentence} (docs/decisions/0061-expand-then-contract.md)`));
  return `${now.length} tables`;
}

const checked = process.argv.includes('--tables') ? [await checkTables()] : [await checkMessages(), await checkMigrations()];
for (const sentence of problems) process.stderr.write(`${sentence}\n`);
if (problems.length === 0) process.stdout.write(`${checked.join(' and ')} fit the last release, ${last.name}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
