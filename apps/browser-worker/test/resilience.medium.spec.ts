import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { redisClient, RetryLaterError } from '@decola/service-kit';
import { eventually } from '@decola/testing';
import { jest } from '@jest/globals';
import type { AccountLease } from '../src/accounts/account-lease.js';
import { checkSession, followPlan, jobFor, listPlan } from './support/jobs.js';
import { withKit, workerSuite } from './support/worker-kit.js';

/** In which nothing may happen. */
const quietMs = 300;

/** Descendants of a process with their own memory in MB, without the pages of the program, which other browsers share. */
function below(pid: number): { pid: number; megabytes: number }[] {
  const children = new Map<number, number[]>();
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const parent = Number(/^\d+ \(.*\) \S (\d+)/s.exec(readFileSync(`/proc/${entry}/stat`, 'utf8'))?.[1]);
      children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
    } catch {
      // it ended meanwhile
    }
  }
  const found: { pid: number; megabytes: number }[] = [];
  for (const waiting = [...(children.get(pid) ?? [])]; waiting.length > 0;) {
    const next = waiting.pop()!;
    waiting.push(...(children.get(next) ?? []));
    try {
      const rollup = readFileSync(`/proc/${next}/smaps_rollup`, 'utf8');
      const kilobytes = [...rollup.matchAll(/^Pss_(?:Anon|Shmem):\s+(\d+)/gm)].reduce((sum, [, size]) => sum + Number(size), 0);
      found.push({ pid: next, megabytes: kilobytes / 1024 });
    } catch {
      // it ended meanwhile
    }
  }
  return found;
}

const chromiumProcesses = () =>
  below(process.pid).filter(({ pid }) => {
    try {
      return /chrom/i.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
    } catch {
      return false;
    }
  });

setFlagsFromString('--expose-gc');
/** Collects garbage, so that only referenced memory is left. */
const collect = runInNewContext('gc') as () => void;

describe('a worker', () => {
  const { network, kit } = workerSuite({ contextsPerBrowser: 20 });
  const hashtag = (budget: number) => followPlan({ kind: 'hashtag', hashtag: 'doces' }, { budget, requestPrivate: true });

  it('whose browser crashes closes the run and carries out the next one with a new browser', async () => {
    const me = await network.customer();
    const job = jobFor(me, hashtag(3));
    kit.automations.afterReserve = async () => {
      for (const { pid } of chromiumProcesses()) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // it went with the others
        }
      }
      await Promise.resolve();
    };
    expect(await kit.run(job)).toMatchObject({ outcome: 'stopped', stop: { class: 'worker_stopped' }, tried: 0 });
    kit.automations.resetHooks();
    const open = kit.automations.reservations.filter(({ runId }) => runId === job.runId);
    expect(open).toMatchObject([{ outcome: null }]); // unknown; the next run settles it
    expect(await kit.run(jobFor(me, hashtag(1)))).toMatchObject({ outcome: 'done', confirmed: 1 });
  });

  it('that loses the lease stops at once and clicks nothing more', () =>
    withKit(network.url, { leaseTtlMs: 9_000 }, async (robbed) => {
      const me = await network.customer();
      const job = jobFor(me, hashtag(3));
      const redis = await redisClient({ url: robbed.redis.url }).connect();
      const key = `${robbed.redis.prefix}lease:${job.accountKey}`;
      const acquired = jest.spyOn(robbed.leases, 'acquire');
      robbed.automations.afterReserve = async () => {
        if (robbed.automations.reservations.length < 2) return;
        await redis.set(key, `${randomUUID()}:thief:1`);
        const { lost } = (await acquired.mock.results[0]!.value) as AccountLease;
        if (!lost.aborted) await once(lost, 'abort');
      };
      const end = await robbed.run(job);
      expect(end).toMatchObject({ outcome: 'stopped', stop: { class: 'lease_lost' }, tried: 1 });
      expect(await network.actions(me.username)).toHaveLength(1);
      expect(await redis.get(key)).toContain('thief'); // it did not release the lease of another worker
      redis.destroy();
    }));

  it('returns the job of a busy account to the queue, and begins nothing', async () => {
    const me = await network.customer();
    const job = jobFor(me, hashtag(1));
    const lease = (await kit.leases.acquire(job.accountKey, randomUUID(), 'other'))!;
    await expect(kit.deliver(job)).rejects.toBeInstanceOf(RetryLaterError);
    expect(kit.automations.startedRuns.filter(({ runId }) => runId === job.runId)).toEqual([]);
    expect(await kit.leases.markOf(job.runId)).toBeNull();
    await lease.release();
    expect(await kit.run(job)).toMatchObject({ outcome: 'done' });
  });

  it('that gets a job a second time closes it, once the first worker is certainly dead', async () => {
    const me = await network.customer();
    const job = jobFor(me, hashtag(1));
    const dead = (await kit.leases.acquire(job.accountKey, job.runId, 'dead'))!;
    await kit.leases.markBegun(job.runId);
    const again = kit.run(job, true);
    await sleep(quietMs);
    expect(kit.automations.endOf(job.runId)).toBeUndefined();
    await dead.release();
    expect(await again).toMatchObject({ outcome: 'stopped', stop: { class: 'worker_stopped' }, tried: 0 });
    expect(await network.ledger({ account: me.username })).toEqual([]);
    // A third delivery publishes nothing.
    await kit.deliver(job, true);
    expect(kit.automations.endOf(job.runId)).toBeDefined();
  });

  it('that cannot even try to reach the network reports trouble of the site', async () => {
    const me = await network.customer();
    // Chromium refuses this port itself, which is not the error of a connection.
    await withKit('http://127.0.0.1:9', { answerTimeoutMs: 2_000 }, async (away) => {
      expect(await away.runPlan(me, checkSession)).toMatchObject({ outcome: 'stopped', stop: { class: 'site_trouble', row: 9 } });
    });
  });

  it('uses no more memory after many runs than after a few', async () => {
    const rounds = { count: 10, runsAtOnce: 4, runsEach: 20 };
    const customers = await Promise.all(Array.from({ length: rounds.runsAtOnce }, () => network.customer()));
    const shop = await network.account({ followers: 24 });
    const sizes: number[] = [];
    // A lease as long as in production: no run of this test may lose it on a busy machine.
    await withKit(network.url, { contextsPerBrowser: 20 }, async (steady) => {
      for (let round = 0; round < rounds.count; round += 1) {
        for (let runs = 0; runs < rounds.runsEach; runs += rounds.runsAtOnce) {
          const ends = await Promise.all(
            customers.map((me, index) => steady.runPlan(me, index % 2 === 0 ? checkSession : listPlan(shop.username, { maxPages: 1 }))),
          );
          expect(ends.map(({ outcome }) => outcome)).not.toContain('stopped');
        }
        collect();
        // The next runs get a new browser; the old one is gone.
        await eventually(() => expect(steady.browsers.browsers).toBeLessThanOrEqual(1));
        const browser = chromiumProcesses().reduce((sum, { megabytes }) => sum + megabytes, 0);
        sizes.push(Math.round(browser + process.memoryUsage().heapUsed / 1024 / 1024));
      }
    });
    process.stdout.write(`memory after every ${rounds.runsEach} runs (browser and heap, MB): ${sizes.join(' ')}\n`);
    expect(Math.max(...sizes)).toBeLessThan(sizes[0]! * 1.25 + 40);
  }, 1_800_000);
});
