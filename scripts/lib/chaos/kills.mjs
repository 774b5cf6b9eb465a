/** Ways to kill the parts of a running system, and how long it takes until it serves again. */
import { setTimeout as wait } from 'node:timers/promises';
import { until } from '../customer.mjs';
import { servicesWithDatabase } from '../provision.mjs';
import { partNames } from './own-parts.mjs';

export const serviceNames = ['gateway', ...servicesWithDatabase];

async function isReady(system, name) {
  const answer = await fetch(`http://127.0.0.1:${system.ports[name]}/health/ready`, { signal: AbortSignal.timeout(2_000) });
  return answer.ok;
}

/** Whether all services are ready and a customer can read a row. */
export async function serves({ system, customers }) {
  for (const name of [...serviceNames, 'browser-worker']) if (!(await isReady(system, name))) throw new Error(`${name} is not ready`);
  const { client, userId } = customers[0];
  const { data, error } = await client.from('profiles').select('user_id').eq('user_id', userId);
  if (error || data.length !== 1) throw new Error(error?.message ?? 'the profile is gone');
  return true;
}

export async function recovered(world, timeoutMs = 120_000) {
  const began = performance.now();
  await until('recovery', () => serves(world), { timeoutMs, everyMs: 100 });
  return Math.round(performance.now() - began);
}

/** Waits for the next entry of the network's ledger that matches. */
async function nextEntry({ witness, customers }, matches, timeoutMs) {
  const accounts = new Set(customers.map(({ account }) => account));
  const count = async () => (await witness.ledger('')).filter((entry) => accounts.has(entry.account) && matches(entry)).length;
  const before = await count();
  await until('something on the network', async () => (await count()) > before, { timeoutMs, everyMs: 20 });
}

const makeDue = async ({ system, customers }) => {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: system.databaseUrls.automations });
  await client.connect();
  try {
    await client.query('update automations set next_run_at = now() where id = any($1) and is_active', [
      customers.map(({ follow }) => follow.id),
    ]);
  } finally {
    await client.end();
  }
};

async function nextFollow(world) {
  // A run that is under way sets a later due time when it ends, which would undo a single request.
  const due = setInterval(() => void makeDue(world).catch(() => undefined), 1_000);
  try {
    await nextEntry(world, ({ action }) => action === 'follow', 60_000);
  } finally {
    clearInterval(due);
  }
}

const freezeWorker = async ({ system }) => {
  const pid = system.pids()['browser-worker'];
  process.kill(pid, 'SIGSTOP');
  await wait(6_000);
  process.kill(pid, 'SIGCONT');
};

const killWorker = async ({ system }) => {
  await system.kill('browser-worker');
  await system.startWorker(0);
};

/** Every kill starts again what it killed. The kill matrix of the tests runs them in this order. */
export const kills = {
  ...Object.fromEntries(
    serviceNames.map((name) => [
      `${name} at any moment`,
      async ({ system }) => {
        await system.kill(name);
        await system.startProcess(name);
      },
    ]),
  ),
  'browser-worker at any moment': killWorker,
  'browser-worker right after the network saw a follow': async (world) => {
    await nextFollow(world);
    await killWorker(world);
  },
  'browser-worker right after a page of a list': async (world) => {
    await nextEntry(world, ({ action }) => action === 'list_page', 60_000).catch(() => undefined); // all lists may be complete already
    await killWorker(world);
  },
  'browser-worker frozen longer than its leases': freezeWorker,
  // It finds its lease lost before it has seen what came of its click.
  'browser-worker frozen right after the network saw a follow': async (world) => {
    await nextFollow(world);
    await freezeWorker(world);
  },
  ...Object.fromEntries(
    partNames.map((name) => [
      `${name} at any moment`,
      async ({ parts }) => {
        parts.kill(name);
        await parts.revive(name);
      },
    ]),
  ),
  'postgres away for ten seconds': async ({ parts }) => {
    parts.kill('postgres');
    await wait(10_000);
    await parts.revive('postgres');
  },
  'rabbitmq away for ten seconds': async ({ parts }) => {
    parts.kill('rabbitmq');
    await wait(10_000);
    await parts.revive('rabbitmq');
  },
  'redis frozen for five seconds': async ({ parts }) => {
    parts.signal('redis', 'SIGSTOP');
    await wait(5_000);
    parts.signal('redis', 'SIGCONT');
  },
};

/** Makes follows due so that there is always work on the network. */
export const keepBusy = makeDue;
