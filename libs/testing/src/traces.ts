import pg from 'pg';

/**
 * Where a database still knows somebody. Looks for each value in every column of every table of the service's schema (text, JSON, arrays,
 * bytes as hex), however deep. @returns `table: name of the value`, sorted; nothing when nothing is left.
 */
export async function tracesOf(databaseUrl: string, values: Readonly<Record<string, string>>): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = current_schema() and table_type = 'BASE TABLE' order by 1`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      for (const [label, value] of Object.entries(values)) {
        if (value === '') throw new Error(`${label} is empty: it is everywhere`);
        const { rowCount } = await client.query(`select 1 from "${name}" t where strpos(lower(t::text), lower($1)) > 0 limit 1`, [value]);
        if (rowCount) found.push(`${name}: ${label}`);
      }
    }
    return found.sort();
  } finally {
    await client.end();
  }
}
