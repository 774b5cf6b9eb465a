/** Whether what was written exists once. */

const columns = { user_keywords: 'keyword', automations: 'name' };
const pageLength = 1_000;

/** @returns sentences about answered writes that are missing, and about writes that exist more than once */
export async function brokenWrites({ url, publishableKey, customers }, written) {
  const broken = [];
  for (const [table, { sent, answered }] of Object.entries(written)) {
    const column = columns[table];
    const counts = new Map();
    for (const { accessToken } of customers)
      for (let from = 0; ; from += pageLength) {
        const answer = await fetch(`${url}/rest/v1/${table}?select=${column}&order=id&limit=${pageLength}&offset=${from}`, {
          headers: { apikey: publishableKey, authorization: `Bearer ${accessToken}` },
        });
        if (!answer.ok) throw new Error(`${table} cannot be read: ${answer.status}`);
        const rows = await answer.json();
        for (const row of rows) counts.set(row[column], (counts.get(row[column]) ?? 0) + 1);
        if (rows.length < pageLength) break;
      }
    for (const name of answered) if (!counts.has(name)) broken.push(`${table}: ${name} was answered and is missing`);
    for (const name of sent) if ((counts.get(name) ?? 0) > 1) broken.push(`${table}: ${name} exists ${counts.get(name)} times`);
  }
  return broken;
}
