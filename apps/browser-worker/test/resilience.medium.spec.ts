import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { RetryLaterError } from '@decola/service-kit';
import { eventually } from '@decola/testing';
import { createClient } from 'redis';
import { jobFor } from './support/jobs.js';
import { Network } from './support/network.js';
import { workerKit, type WorkerKit } from './support/worker-kit.js';

/** Processes below this one, with their share of memory in MB: what they hold, not the pages of the program, which other browsers share. */
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
/** Collects garbage, so that what is left is what is held. */
const collect = runInNewContext('gc') as () => void;

describe('a worker when things break', () => {
  let network: Network;
  let kit: WorkerKit;
  beforeAll(async () => {
    network = await Network.start();
    kit = await workerKit(network.url, { answerTimeoutMs: 5_000, leaseTtlMs: 1_500, contextsPerBrowser: 20 });
  });
  afterAll(async () => {
    await kit?.dispose();
    await network?.stop();
  });
  afterEach(() => (kit.automations.afterReserve = () => Promise.resolve()));

  const hashtag = (budget: number) => ({
    kind: 'follow' as const,
    source: { kind: 'hashtag' as const, hashtag: 'doces' },
    budget,
    requestPrivate: true,
  });

  it('whose browser crashes closes the run and serves the next one with a new browser', async () => {
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
    kit.automations.afterReserve = () => Promise.resolve();
    const open = kit.automations.reservations.filter(({ runId }) => runId === job.runId);
    expect(open).toMatchObject([{ outcome: null }]); // nobody knows; the next run looks
    expect(await kit.run(jobFor(me, hashtag(1)))).toMatchObject({ outcome: 'done', confirmed: 1 });
  });

  it('that loses the lease stops at once and clicks nothing more', async () => {
    const me = await network.customer();
    const job = jobFor(me, hashtag(3));
    const redis = await createClient({ url: kit.redis.url }).connect();
    kit.automations.afterReserve = async () => {
      if (kit.automations.reservations.filter(({ runId }) => runId === job.runId).length < 2) return;
      const key = `${kit.redis.prefix}lease:${job.accountKey}`;
      await redis.set(key, `${randomUUID()}:thief:1`);
      await new Promise((resolve) => setTimeout(resolve, 1_600));
    };
    const end = await kit.run(job);
    expect(end).toMatchObject({ outcome: 'stopped', stop: { class: 'lease_lost' }, tried: 1 });
    expect(await network.actions(me.username)).toHaveLength(1);
    expect(await redis.get(`${kit.redis.prefix}lease:${job.accountKey}`)).toContain('thief'); // it did not take what is not its own
    redis.destroy();
  });

  it('puts the job of a taken account back, and begins nothing', async () => {
    const me = await network.customer();
    const job = jobFor(me, hashtag(1));
    const lease = (await kit.leases.acquire(job.accountKey, randomUUID(), 'other'))!;
    await expect(kit.worker.handle(job, { redelivered: false })).rejects.toBeInstanceOf(RetryLaterError);
    expect(kit.automations.startedRuns.filter(({ runId }) => runId === job.runId)).toEqual([]);
    expect(await kit.leases.markOf(job.runId)).toBeNull();
    await lease.release();
    expect(await kit.run(job)).toMatchObject({ outcome: 'done' });
  });

  it('that meets a job again closes it, once it is sure that the first one is dead', async () => {
    const me = await network.customer();
    const job = jobFor(me, hashtag(1));
    const dead = (await kit.leases.acquire(job.accountKey, job.runId, 'dead'))!;
    await kit.leases.markBegun(job.runId);
    const again = kit.run(job, true);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(kit.automations.endOf(job.runId)).toBeUndefined();
    await dead.release();
    expect(await again).toMatchObject({ outcome: 'stopped', stop: { class: 'worker_stopped' }, tried: 0 });
    expect(await network.ledger({ account: me.username })).toEqual([]);
    // A third delivery finds nothing left to say.
    await kit.worker.handle(job, { redelivered: true });
    expect(kit.automations.endOf(job.runId)).toBeDefined();
  });

  it('whose network is away calls it trouble of the site', async () => {
    const me = await network.customer();
    const away = await workerKit('http://127.0.0.1:9', { answerTimeoutMs: 2_000 });
    try {
      expect(await away.run(jobFor(me, { kind: 'check-session' }))).toMatchObject({
        outcome: 'stopped',
        stop: { class: 'site_trouble', row: 9 },
      });
    } finally {
      await away.dispose();
    }
  });

  it('stays as small after many runs as after a few', async () => {
    const total = 200;
    const [me, other] = [await network.customer(), await network.customer()];
    const shop = await network.account({ followers: 24 });
    const sizes: number[] = [];
    const extraction = () => ({
      kind: 'extract-list' as const,
      list: 'followers' as const,
      username: shop.username,
      extractedDataId: randomUUID(),
      cursor: null,
      pass: 1,
      nextPage: 0,
      maxPages: 1,
    });
    for (let run = 2; run <= total; run += 2) {
      const ends = await Promise.all([kit.run(jobFor(me, { kind: 'check-session' })), kit.run(jobFor(other, extraction()))]);
      expect(ends.map(({ outcome }) => outcome)).not.toContain('stopped');
      if (run % 20 !== 0) continue;
      collect();
      // The browser of the next runs is a new one by now; the old one is gone.
      await eventually(() => expect(kit.browsers.browsers).toBeLessThanOrEqual(1));
      const browser = chromiumProcesses().reduce((sum, { megabytes }) => sum + megabytes, 0);
      sizes.push(Math.round(browser + process.memoryUsage().heapUsed / 1024 / 1024));
    }
    process.stdout.write(`memory after every 20 runs (browser and heap, MB): ${sizes.join(' ')}\n`);
    expect(Math.max(...sizes)).toBeLessThan(sizes[0]! * 1.25 + 40);
  }, 600_000);
});
