/**
 * How many reads of a table the gateway answers, how soon it answers them at an even rate, and what a read costs where: processor time of the gateway, of the
 * service, of PostgreSQL's sessions and of Redis, and trips to Redis. The rate depends on what else the machine does, the load generator included; the
 * processor time of a read hardly does.
 */
import autocannon from 'autocannon';
import pg from 'pg';
import { createClient } from '@redis/client';
import { signIn } from './customer.mjs';
import { processorTime, serverProcesses } from './processor.mjs';

/** Reads per second, by table; latency at an even rate. */
export const tableGoals = { list: 4_000, smallest: 6_000, p99Ms: 10, atPerSecond: 300 };

/** Automations in the dashboard's list. */
const listed = 25;

const connections = 32;
const seconds = { warmUp: 4, rate: 10, even: 20 };

/** The processes that a read of these tables needs. */
export const processesOfReads = ['identity', 'automations', 'gateway'];

/** Processor time that a process has used so far, in ms; 0 once it has ended. */
function processorMs(pid) {
  try {
    return processorTime(pid).own * 1_000;
  } catch {
    return 0;
  }
}

/** Gives the customer a list: most of its automations run every hour, one in eight is a draft. None is due. */
async function fillList(client, userId) {
  await client.query(
    `insert into automations (user_id, name, type, configuration, run_kind, frequency_ms, is_draft, is_active, next_run_at, last_run_at, created_at)
     select $1, 'Medida ' || n, 'auto-follow-unfollow',
       jsonb_build_object('action', 'follow', 'method', 'hashtag', 'targets', '#cafe' || n, 'rowsPerLaunch', 3, 'frequency', '1hour'),
       'follow', 3600000, n % 8 = 7, n % 8 <> 7, case when n % 8 <> 7 then now() + interval '1 day' end,
       now() - interval '1 hour', now() - n * interval '1 minute'
     from generate_series(1, $2::int) n`,
    [userId, listed],
  );
  await client.query('analyze automations');
}

/** Scripts that clients have sent to Redis so far: a trip each. */
async function redisTrips(redis) {
  const lines = (await redis.info('commandstats')).matchAll(/^cmdstat_(?:eval|evalsha):calls=(\d+)/gm);
  return [...lines].reduce((sum, [, calls]) => sum + Number(calls), 0);
}

async function redisMs(redis) {
  const text = await redis.info('cpu');
  return ['user', 'sys'].reduce((sum, kind) => sum + Number(new RegExp(`^used_cpu_${kind}:([\\d.]+)`, 'm').exec(text)[1]) * 1_000, 0);
}

/**
 * Measures both tables.
 * @param system with the processes of `processesOfReads`
 * @returns {Promise<{ what: string; goal: number; perSecond: number; p50: number; p99: number; failed: number; cost: Record<string, number> }[]>} with the
 *   cost of one read: processor milliseconds by process, and trips to Redis
 */
export async function measureTables(system) {
  const endpoints = { gateway: system.url('gateway'), publishableKey: system.secrets.publishableKey };
  const { client: customer, userId } = await signIn(endpoints, { email: 'tabelas@example.com', password: 'Segredo!123' });
  const { data } = await customer.auth.getSession();
  const headers = { apikey: endpoints.publishableKey, authorization: `Bearer ${data.session.access_token}` };
  const database = new pg.Client({ connectionString: system.databaseUrls.automations });
  const redis = createClient({ url: system.infrastructure.redis.url });
  await Promise.all([database.connect(), redis.connect()]);
  try {
    await fillList(database, userId);
    const measure = async ({ what, service, path, goal }) => {
      const read = (options) => autocannon({ url: endpoints.gateway + path, headers, ...options });
      await read({ connections, duration: seconds.warmUp });
      const pids = system.pids();
      const backends = await serverProcesses(database);
      const spent = async () => ({
        gateway: processorMs(pids.gateway),
        service: processorMs(pids[service]),
        postgresql: backends.map(processorMs),
        redis: await redisMs(redis),
        redisTrips: await redisTrips(redis),
      });
      const before = await spent();
      const full = await read({ connections, duration: seconds.rate });
      const after = await spent();
      const even = await read({ connections: 20, overallRate: tableGoals.atPerSecond, duration: seconds.even });
      const { latency } = even;
      // A session that ended meanwhile has no processor time any more.
      const difference = (now, then) =>
        Array.isArray(now) ? now.reduce((sum, ms, index) => sum + Math.max(0, ms - then[index]), 0) : now - then;
      const cost = Object.fromEntries(
        Object.entries(after).map(([part, now]) => [part, difference(now, before[part]) / full.requests.total]),
      );
      const failed = [full, even].reduce((sum, { errors, non2xx }) => sum + errors + non2xx, 0);
      return { what, goal, perSecond: full.requests.average, p50: latency.p50, p99: latency.p99, failed, cost };
    };
    return [
      await measure({
        what: `list of ${listed} automations`,
        service: 'automations',
        path: `/rest/v1/automations?select=*&user_id=eq.${userId}&order=created_at.desc`,
        goal: tableGoals.list,
      }),
      await measure({
        what: 'smallest table',
        service: 'identity',
        path: `/rest/v1/user_roles?select=role&user_id=eq.${userId}`,
        goal: tableGoals.smallest,
      }),
    ];
  } finally {
    await redis.close();
    await database.end();
  }
}

/** Rows of the table that `npm run bench` prints. */
export function tableRows(measured) {
  return measured.flatMap(({ what, goal, perSecond, p50, p99, failed, cost }) => [
    [
      `${what}, read through the gateway (goal ${goal.toLocaleString('en')}/s; p99 under ${tableGoals.p99Ms} ms at ${tableGoals.atPerSecond}/s)`,
      `${Math.round(perSecond).toLocaleString('en')}/s; p50 ${p50} ms, p99 ${p99} ms at ${tableGoals.atPerSecond}/s${failed > 0 ? `; ${failed} failed` : ''}`,
    ],
    [
      `${what}: what a read costs, processor time`,
      `gateway ${cost.gateway.toFixed(3)} ms, service ${cost.service.toFixed(3)} ms, PostgreSQL ${cost.postgresql.toFixed(3)} ms, ` +
        `Redis ${cost.redis.toFixed(3)} ms (${cost.redisTrips.toFixed(1)} trips)`,
    ],
  ]);
}
