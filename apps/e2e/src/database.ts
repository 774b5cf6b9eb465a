import pg from 'pg';
import type { Harness } from './harness.js';

/** Runs one statement in the database of a service. */
export async function query<Row extends pg.QueryResultRow>(
  harness: Harness,
  service: string,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: harness.system.databaseUrls[service] });
  await client.connect();
  try {
    return (await client.query(sql, values)).rows as Row[];
  } finally {
    await client.end();
  }
}

/** Makes an automation due at once, instead of waiting for its frequency. */
export const makeDue = (harness: Harness, automationId: string) =>
  query(harness, 'automations', 'update automations set next_run_at = now() where id = $1 and is_active', [automationId]);

/** Makes the next article of a blog automation due at once, instead of waiting for its day. */
export const makeArticleDue = (harness: Harness, blogAutomationId: string) =>
  query(harness, 'automations', 'update blog_automations set next_generation_at = now() where id = $1 and is_active', [blogAutomationId]);
