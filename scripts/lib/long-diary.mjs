/** A run diary of 100,000 lines, for measures: fills it, and reads it through the gateway as the page of an automation does. */
import pg from 'pg';

export const diaryLines = 100_000;

/**
 * Inserts a diary for one automation: two lines a minute back from now, one in five of them a skip, one in 20,000 a refusal.
 * @param databaseUrl of the service automations
 * @param options.withRuns also inserts the runs, of three lines each, which the page of an automation shows first
 */
export async function fillDiary(databaseUrl, { userId, automationId, lines = diaryLines, withRuns = false }) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `insert into run_diary (automation_id, user_id, run_id, kind, action, target_id, target_username, outcome, skip_reason, proof, settled, at)
       select $1::uuid, $2, md5($1::uuid::text || n / 3)::uuid, 'follow', 'follow', n::text, 'pessoa_' || n,
         case when n % 20000 = 7 then 'refused' when n % 5 = 0 then 'skipped' else 'confirmed' end, case when n % 5 = 0 then 'already_so' end,
         '{"header":"following"}', false, now() - (n / 2) * interval '1 minute'
       from generate_series(1, $3::int) n`,
      [automationId, userId, lines],
    );
    if (withRuns)
      await client.query(
        `insert into runs (id, automation_id, automation_type, user_id, account_key, session_id, kind, queue, plan, budget, state, outcome, queued_at,
           expires_at, started_at, finished_at, tried, confirmed, skipped, pages)
         select run_id, $1, 'auto-follow-unfollow', $2, 'bench-diary', gen_random_uuid(), 'follow', 'runs', '{}', 3, 'finished', 'done', min(at) - interval '1 second',
           max(at), min(at), max(at), count(*) filter (where outcome <> 'skipped'), count(*) filter (where outcome = 'confirmed'),
           count(*) filter (where outcome = 'skipped'), 3
         from run_diary where automation_id = $1 group by run_id`,
        [automationId, userId],
      );
    await client.query('analyze run_diary, runs');
  } finally {
    await client.end();
  }
}

const byTime = (a, b) => a - b;

/**
 * Milliseconds of single reads, one after another, by what they ask for.
 * @param client of the customer, signed in
 * @returns `{what, p50, max}` of each kind of read
 */
export async function measureDiary(client, automationId, times = 40) {
  const newest = () =>
    client
      .from('run_diary')
      .select('*')
      .eq('automation_id', automationId)
      .order('at', { ascending: false })
      .order('id', { ascending: false })
      .limit(50);
  const deep = new Date(Date.now() - 20 * 86_400_000).toISOString();
  const reads = {
    'the first page': newest,
    'a page far down': () => newest().lte('at', deep).or(`at.lt.${deep},id.lt.00000000-0000-0000-0000-000000000000`),
    'the refusals': () => newest().eq('outcome', 'refused'),
    'a name': () => newest().ilike('target_username', '%soa\\_7777%'),
    'a name of nobody': () => newest().ilike('target_username', '%fulana%'),
  };
  const measured = [];
  for (const [what, read] of Object.entries(reads)) {
    const spent = [];
    for (let time = 0; time < times; time += 1) {
      const begun = performance.now();
      const { error } = await read();
      if (error) throw new Error(`${what} of the diary: ${error.message}`);
      spent.push(performance.now() - begun);
    }
    spent.sort(byTime);
    measured.push({ what, p50: spent[Math.floor(times / 2)], max: spent.at(-1) });
  }
  return measured;
}
