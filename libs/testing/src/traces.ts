import pg from 'pg';

/**
 * Finds remaining data about a person in a service's database. Searches each value in every column of every table (text, JSON, arrays,
 * bytes as hex), at any depth.
 * @param values the texts to search, by a label
 * @returns `table: label` of each finding, sorted; empty when nothing is left
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
        if (value === '') throw new Error(`${label} is empty: every row contains it`);
        const { rowCount } = await client.query(`select 1 from "${name}" t where strpos(lower(t::text), lower($1)) > 0 limit 1`, [value]);
        if (rowCount) found.push(`${name}: ${label}`);
      }
    }
    return found.sort();
  } finally {
    await client.end();
  }
}
