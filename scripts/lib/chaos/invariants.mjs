/**
 * Invariants that must hold whatever was killed. Each check returns sentences about violations; an empty list means that the invariant
 * holds.
 */
import { publicClient } from '../customer.mjs';

async function rows(url, sql, values = []) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}

/** What customers' automations wait for and how their last runs ended, for the message when work does not end. */
export async function whatIsWaitedFor({ system, customers }) {
  const url = system.databaseUrls.automations;
  const owners = [customers.map(({ userId }) => userId)];
  const automations = await rows(
    url,
    `select t.type, t.is_active, t.next_run_at, t.hold_code, t.pause_cause, t.interruptions, t.completed_at, p.pass, p.next_page, p.awaits_verdict
     from automations t left join extraction_progress p on p.automation_id = t.id where t.user_id = any($1)`,
    owners,
  );
  const runs = await rows(
    url,
    `select r.kind, r.state, r.outcome, r.reason, r.queued_at, r.started_at, r.finished_at from runs r
     where r.user_id = any($1) order by r.queued_at desc limit 12`,
    owners,
  );
  return [...automations, ...runs].map((row) => JSON.stringify(row)).join('\n');
}

export async function actionsHappenOnce({ witness, customers }) {
  const broken = [];
  for (const { account } of customers) {
    const entries = await witness.ledger(`account=${account}`);
    for (const { verdicts = [], action, target } of entries) {
      for (const verdict of verdicts) broken.push(`the network raised ${verdict} against ${account}: ${action} ${target ?? ''}`);
    }
    const follows = entries.filter(({ action, result }) => action === 'follow' && result === 'done').map(({ target }) => target);
    for (const twice of new Set(follows.filter((target, index) => follows.indexOf(target) !== index)))
      broken.push(`${account} followed ${twice} more than once`);
  }
  return broken;
}

/** Every follow that the network saw is in the ledger, and the ledger confirms none that the network did not see. */
export async function noFollowIsForgotten({ system, witness, customers }) {
  const broken = [];
  for (const { account, follow } of customers) {
    const seen = (await witness.ledger(`account=${account}&action=follow`))
      .filter(({ result }) => result === 'done')
      .map(({ target }) => target);
    const known = await rows(
      system.databaseUrls.automations,
      `select l.target_username, l.state, concat_ws(', ', 'reserved ' || l.reserved_at, 'tried ' || l.tried_at, 'settled ' || l.settled_at,
         l.looks || ' looks', 'next look ' || l.next_look_at, 'first negative ' || l.first_negative_at, l.proof::text) as facts
       from account_actions l join automations t on t.account_key = l.account_key
       where t.id = $1 and l.action = 'follow' and l.state <> 'skipped'`,
      [follow.id],
    );
    const states = new Map(known.map(({ target_username, state }) => [target_username, state]));
    const factsOf = new Map(known.map(({ target_username, facts }) => [target_username, facts]));
    for (const target of seen) {
      if (!states.has(target)) broken.push(`${account} followed ${target}, and the ledger does not know it`);
      else if (!['confirmed', 'requested'].includes(states.get(target)))
        broken.push(`the follow of ${target} by ${account} is ${states.get(target)} (${factsOf.get(target)})`);
    }
    for (const [target, state] of states) {
      if ((state === 'confirmed' || state === 'requested') && !seen.includes(target))
        broken.push(`the ledger calls ${target} followed by ${account}, and the network never saw it`);
    }
  }
  return broken;
}

export async function listsAreWhole({ witness, customers }) {
  const broken = [];
  for (const customer of customers) {
    const [list, truth] = [await customer.latestList(), await witness.followersOf(customer.listOf)];
    if (!['complete', 'ended_short'].includes(list?.state)) broken.push(`the list of ${customer.listOf} is not over: ${list?.state}`);
    else if (list.total_records !== truth) broken.push(`the list of ${customer.listOf} has ${list.total_records} of ${truth} people`);
  }
  return broken;
}

export async function answeredWritesAreThere({ customers }) {
  const broken = [];
  for (const { client, name, userId, acknowledged } of customers) {
    // Customers continue to write while the rows are read, so take a copy first.
    const answered = [...acknowledged];
    const kept = new Set();
    for (let from = 0; ; from += 1_000) {
      const { data, error } = await client
        .from('user_keywords')
        .select('keyword')
        .eq('user_id', userId)
        .order('id')
        .range(from, from + 999);
      if (error) return [`the keywords of ${name} cannot be read: ${error.message}`];
      for (const { keyword } of data) kept.add(keyword);
      if (data.length < 1_000) break;
    }
    const lost = answered.filter((keyword) => !kept.has(keyword));
    if (lost.length > 0) broken.push(`${lost.length} of ${answered.length} answered writes of ${name} are gone, the first is ${lost[0]}`);
  }
  return broken;
}

/** The payment provider, billing and the copy of automations have the same subscription. */
export async function subscriptionsAreEqual({ system, customers }) {
  const broken = [];
  const state = await (await fetch(`${system.url('stripe')}/_emulator/api/state`)).json();
  for (const { client, name, userId } of customers) {
    const customerIds = state.objects
      .filter(({ object, metadata }) => object === 'customer' && metadata?.user_id === userId)
      .map(({ id }) => id);
    const live = state.objects.filter(
      ({ object, customer, status }) =>
        object === 'subscription' && customerIds.includes(customer) && ['active', 'trialing'].includes(status),
    );
    if (live.length !== 1) broken.push(`${name} has ${live.length} live subscriptions at the provider`);
    const { data, error } = await client.functions.invoke('check-subscription');
    if (error || !data.subscribed) broken.push(`${name} paid, and check-subscription answers ${error?.message ?? JSON.stringify(data)}`);
    const [copy] = await rows(system.databaseUrls.automations, 'select max_slots from entitlements where user_id = $1', [userId]);
    if (data && copy?.max_slots !== data.max_slots)
      broken.push(`${name} has ${data.max_slots} slots in billing and ${copy?.max_slots} in automations`);
  }
  return broken;
}

/** There are no dead letters: they are messages that no retry could process. */
export async function nothingIsGivenUp({ system, parts }) {
  const { origin, username, password } = new URL(parts.infrastructure.rabbitmq.managementUrl);
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const answer = await fetch(`${origin}/api/queues/${encodeURIComponent(system.vhost)}`, { headers: { authorization } });
  const queues = await answer.json();
  return queues
    .filter(({ name, messages }) => name.endsWith('.dead') && messages > 0)
    .map(({ name, messages }) => `${messages} dead letters in ${name}`);
}

/** Sessions that began before the kills still work, and so does log-in. */
export async function nobodyIsLoggedOut({ customers }) {
  const broken = [];
  for (const { client, name, email, endpoints } of customers) {
    const { error } = await client.auth.refreshSession();
    if (error) broken.push(`the session of ${name} is over: ${error.message}`);
    const again = await publicClient(endpoints).auth.signInWithPassword({ email, password: 'Segredo!123' });
    if (again.error) broken.push(`${name} cannot log in: ${again.error.message}`);
  }
  return broken;
}

/** No run is open without a sign of life for 20 minutes. */
export async function noRunHangs({ system }) {
  const hanging = await rows(
    system.databaseUrls.automations,
    `select id, kind, state from runs where state in ('queued', 'running') and coalesce(seen_at, queued_at) < now() - interval '20 minutes'`,
  );
  return hanging.map(({ id, kind, state }) => `run ${id} (${kind}) is ${state} for more than 20 minutes`);
}

const settled = { listsAreWhole, noFollowIsForgotten, nothingIsGivenUp, noRunHangs };
const always = { actionsHappenOnce, answeredWritesAreThere, subscriptionsAreEqual, nobodyIsLoggedOut };

async function violationsOf(checks, world) {
  const found = [];
  for (const [name, check] of Object.entries(checks)) {
    for (const sentence of await check(world)) found.push({ check: name, sentence });
  }
  return found;
}

/** Violations of the invariants that hold at any moment: no repeated action, no lost write, equal subscriptions, valid sessions. */
export const violationsNow = (world) => violationsOf(always, world);

/** Violations of all invariants; to be called when all work is done. */
export const violationsAtRest = (world) => violationsOf({ ...always, ...settled }, world);
