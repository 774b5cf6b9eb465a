/**
 * How many due automations are dispatched per second, by one scheduler and by two. Both are measured in turn, so that another load on the machine meets both.
 * A run is dispatched when the transaction has ended that stored it with its job in the outbox. A relay publishes jobs in one replica only, so it is measured
 * apart, beside one scheduler.
 */
import pg from 'pg';
import { startLineCommand } from './line-command.mjs';
import { processorTime, serverProcesses } from './processor.mjs';

export const schedulerGoals = { perSecond: 7_200, ratioOfTwo: 1.7 };
export const dueAutomations = 100_000;

const rounds = 3;

/** Due automations, each with an account and a customer of its own: nothing holds them. */
const fill = [
  'truncate automations, network_accounts, instagram_sessions, runs, outbox cascade',
  `insert into network_accounts (account_key, first_seen_at)
   select 'bench-account-' || lpad(n::text, 9, '0'), now() - interval '60 days' from generate_series(1, :count) n`,
  `with inserted as (
     insert into automations (user_id, name, type, configuration, account_key, run_kind, frequency_ms, next_run_at, next_is_interactive)
     select gen_random_uuid(), 'Bench ' || n, 'auto-follow-unfollow',
       '{"action":"follow","method":"hashtag","targets":"#cafe","frequency":"1hour","rowsPerLaunch":3}', 'bench-account-' || lpad(n::text, 9, '0'), 'follow',
       3600000, now() - interval '1 hour' + n * interval '1 millisecond', false
     from generate_series(1, :count) n returning user_id, account_key)
   insert into instagram_sessions (user_id, account_key, network_user_id, envelope)
   select user_id, account_key, '1000', 'v1.bench.' || repeat('a', 1200) from inserted`,
  'truncate outbox',
  ...['automations', 'network_accounts', 'instagram_sessions', 'runs', 'outbox'].map((table) => `vacuum analyze ${table}`),
];

/** A process that dispatches when it is told to. */
async function startScheduler({ supervision, environment }) {
  const file = 'apps/automations/dist/scheduler-bench.command.js';
  const command = startLineCommand({ supervision, environment, file, what: 'the measurement of schedulers' });
  await command.next();
  return { dispatch: () => command.ask('dispatch'), end: command.end };
}

/** Processor time so far of the server's processes that work for the database; null where they are not processes of this machine. */
async function serverSeconds(client) {
  try {
    return (await serverProcesses(client)).reduce((sum, pid) => sum + processorTime(pid).own, 0);
  } catch {
    return null;
  }
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/**
 * @param {{ databaseUrl: string; brokerUrl: string; supervision: object; step: (name: string, work: () => Promise<unknown>) => Promise<unknown>; count?: number }} options
 *   a database that the service's migrations have prepared
 */
export async function measureSchedulers({ databaseUrl, brokerUrl, supervision, step, count = dueAutomations }) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const environment = { DATABASE_URL: databaseUrl, RABBITMQ_URL: brokerUrl };
  const schedulers = [await startScheduler({ supervision, environment }), await startScheduler({ supervision, environment })];
  let relaying;
  const round = async (some) => {
    const filling = performance.now();
    for (const statement of fill) await client.query(statement.replaceAll(':count', String(count)));
    await client.query('checkpoint').catch(() => undefined);
    const before = await serverSeconds(client);
    const began = performance.now();
    const results = await Promise.all(some.map(({ dispatch }) => dispatch()));
    const seconds = (performance.now() - began) / 1_000;
    const after = await serverSeconds(client);
    const dispatched = results.reduce((sum, each) => sum + each.dispatched, 0);
    const { rows } = await client.query('select count(*)::int as runs, count(distinct automation_id)::int as automations from runs');
    if (dispatched !== count || rows[0].runs !== count || rows[0].automations !== count)
      throw new Error(`of ${count} due automations ${dispatched} were dispatched, as ${rows[0].runs} runs`);
    return {
      filledAt: (began - filling) / 1_000,
      perSecond: count / seconds,
      nodeMicroseconds: (results.reduce((sum, each) => sum + each.processorSeconds, 0) / count) * 1e6,
      serverMicroseconds: before === null || after === null ? null : ((after - before) / count) * 1e6,
      shares: results.map((each) => each.dispatched / count),
    };
  };
  const measured = { one: [], two: [], withRelay: undefined };
  try {
    for (let index = 0; index < rounds; index++) {
      measured.one.push(await step(`one scheduler (${index + 1} of ${rounds})`, () => round(schedulers.slice(0, 1))));
      measured.two.push(await step(`two schedulers (${index + 1} of ${rounds})`, () => round(schedulers)));
    }
    relaying = await startScheduler({ supervision, environment: { ...environment, BENCH_RELAY: 'true' } });
    measured.withRelay = await step('one scheduler with its relay', async () => {
      const began = performance.now();
      const { perSecond, filledAt } = await round([relaying]);
      for (;;) {
        const { rows } = await client.query('select exists (select from outbox where sent_at is null) as waits');
        if (!rows[0].waits) break;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return { perSecond, publishedPerSecond: count / ((performance.now() - began) / 1_000 - filledAt) };
    });
  } finally {
    await Promise.all([...schedulers, ...(relaying ? [relaying] : [])].map(({ end }) => end()));
    await client.end();
  }
  return measured;
}

const number = (value) => Math.round(value).toLocaleString('en');

/** Rows of the table of `npm run bench`. */
export function schedulerRows({ one, two, withRelay }, cores) {
  const rates = { one: one.map((each) => each.perSecond), two: two.map((each) => each.perSecond) };
  const ratios = rates.two.map((each, index) => each / rates.one[index]);
  const cost = (rounds, key) =>
    rounds.every((each) => each[key] !== null) ? `${Math.round(median(rounds.map((each) => each[key])))} µs` : 'unknown';
  const costs = (rounds) =>
    `processor time per run: ${cost(rounds, 'nodeMicroseconds')} in the scheduler, ${cost(rounds, 'serverMicroseconds')} in PostgreSQL`;
  const spread = (values, show) => `${show(median(values))} (${show(Math.min(...values))}-${show(Math.max(...values))})`;
  return [
    [
      `runs dispatched by one scheduler, ${number(dueAutomations)} due (goal: ${number(schedulerGoals.perSecond)}/s)`,
      `${spread(rates.one, number)}/s; ${costs(one)}`,
    ],
    [`runs dispatched by two schedulers on ${cores} cores`, `${spread(rates.two, number)}/s; ${costs(two)}`],
    [
      `two schedulers against one, measured in turn (goal: at least ${schedulerGoals.ratioOfTwo})`,
      `ratio ${spread(ratios, (value) => value.toFixed(2))}`,
    ],
    [
      'the same by one scheduler whose relay publishes the jobs and the announcements of changes meanwhile',
      `${number(withRelay.perSecond)}/s dispatched, ${number(withRelay.publishedPerSecond)}/s until the last message is at the broker`,
    ],
  ];
}
