import { setTimeout as sleep } from 'node:timers/promises';
import { scheduledRunsQueue } from '@decola/contracts';
import { checkSession, followPlan, jobFor } from './support/jobs.js';
import { eventually, processSuite } from './support/process-suite.js';
import { commandOf, processesBelow, running } from './support/process-tree.js';
import { type QueueingSite, queueingSite } from './support/queueing-site.js';

/** In which nothing may happen. */
const quietMs = 1_000;

/**
 * Long enough for a worker on a busy machine to renew it in time, and short enough for the broker, which takes back the job of a worker that has
 * been frozen for about 20 s.
 */
const leaseMs = 6_000;

describe('a worker that is frozen or killed', () => {
  const suite = processSuite();
  const { network } = suite;
  const sites: QueueingSite[] = [];
  const stopped = new Set<number>();
  afterEach(async () => {
    for (const pid of stopped) {
      try {
        process.kill(pid, 'SIGCONT');
      } catch {
        // it has ended
      }
    }
    stopped.clear();
    for (const site of sites.splice(0)) await site.dispose();
  });

  const start = (networkUrl: string) =>
    suite.startWorker({
      NETWORK_URL: networkUrl,
      LEASE_TTL_MS: String(leaseMs),
      WORKER_CONTEXTS: '1',
      ANSWER_TIMEOUT_MS: '20000',
    });
  const site = async (holdMs: number) => {
    const made = await queueingSite(network.url, holdMs);
    sites.push(made);
    return made;
  };
  const freeze = (pid: number) => {
    stopped.add(pid);
    process.kill(pid, 'SIGSTOP');
  };
  const thaw = (pid: number) => {
    stopped.delete(pid);
    process.kill(pid, 'SIGCONT');
  };
  const follow = followPlan({ kind: 'hashtag', hashtag: 'doces' }, { requestPrivate: true });

  it('right after a click: its browser is killed when the lease expires, and the next worker has the account to itself', async () => {
    const page = await site(leaseMs * 2);
    const frozen = await start(page.url);
    const me = await network.customer();
    const first = jobFor(me, follow);
    await suite.send(first, scheduledRunsQueue);
    await page.queued;
    const clickedAt = Date.now();
    const below = processesBelow(frozen.child.pid!);
    freeze(frozen.child.pid!);
    const frozenAt = Date.now();
    expect(below.filter((pid) => commandOf(pid).includes('chrom')).length).toBeGreaterThan(3);
    // Its page goes on sending until the browser is killed.
    await eventually(() => expect(page.sockets.lastMessageAt).toBeGreaterThan(frozenAt));

    const second = jobFor(me, follow, { accountKey: first.accountKey });
    const other = await start(network.url);
    await suite.send(second, scheduledRunsQueue);
    expect(await suite.ended(second.runId)).toMatchObject({ outcome: 'done', tried: 1, confirmed: 1 });
    // The worker did not end its browser: it is still frozen.
    expect(running([frozen.child.pid!])).toHaveLength(1);
    expect(running(below)).toEqual([]);
    await eventually(() => expect(page.sockets.open).toBe(0));
    const takenAt = Date.parse(suite.automations.startedRuns.find(({ runId }) => runId === second.runId)!.startedAt);
    expect(page.sockets.lastMessageAt).toBeLessThan(takenAt);

    // Until after the moment at which the page would have sent its call.
    await sleep(Math.max(0, clickedAt + leaseMs * 2 + 500 - Date.now()));
    thaw(frozen.child.pid!);
    // On a machine so busy that the broker has taken the job back, the other worker has ended it.
    const redelivered = { class: 'worker_stopped', evidence: { redelivered: true } };
    const { outcome, stop } = await suite.ended(first.runId);
    expect({ outcome, stop }).toMatchObject({
      outcome: 'stopped',
      stop: stop?.class === 'worker_stopped' ? redelivered : { class: 'lease_lost' },
    });
    expect(page.calls.filter(({ at }) => at >= takenAt)).toEqual([]);
    expect(await network.verdicts(me.username)).toEqual([]);
    expect(await network.actions(me.username)).toHaveLength(1);

    // It continues with a new browser, and does not carry out the job from before the freeze.
    other.kill('SIGKILL');
    await other.ended;
    const next = jobFor(await network.customer(), checkSession);
    await suite.send(next, scheduledRunsQueue);
    expect(await suite.ended(next.runId)).toMatchObject({ outcome: 'done' });
  });

  it('together with its browser, as on a suspended machine: what the page sends afterwards is refused', async () => {
    // Longer than it takes to freeze all processes after the click.
    const page = await site(10_000);
    const worker = await start(page.url);
    const me = await network.customer();
    const job = jobFor(me, follow);
    await suite.send(job, scheduledRunsQueue);
    await page.queued;
    const below = processesBelow(worker.child.pid!);
    for (const pid of [worker.child.pid!, ...below]) freeze(pid);
    const before = page.calls.length;
    await sleep(leaseMs * 1.5);
    // The watchdog stays frozen: only the gate can hold the call back.
    const watchdog = below.find((pid) => commandOf(pid).includes('browser-watchdog'))!;
    for (const pid of below) if (pid !== watchdog) thaw(pid);
    await page.sending; // and its call waits for the gate
    await sleep(quietMs);
    expect(page.calls).toHaveLength(before);
    thaw(worker.child.pid!);
    expect(await suite.ended(job.runId)).toMatchObject({ outcome: 'stopped', stop: { class: 'lease_lost' } });
    expect(page.calls).toHaveLength(before);
    expect(await network.actions(me.username)).toEqual([]);
    thaw(watchdog);
    await eventually(() => expect(running(below)).toEqual([]));
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)('by %s leaves no process of its browser behind', async (signal) => {
    const page = await site(60_000);
    const worker = await start(page.url);
    const job = jobFor(await network.customer(), follow);
    if (signal === 'SIGKILL') {
      await suite.send(job, scheduledRunsQueue);
      await page.queued;
    } else {
      const check = jobFor(await network.customer(), checkSession);
      await suite.send(check, scheduledRunsQueue);
      await suite.ended(check.runId);
    }
    const below = processesBelow(worker.child.pid!);
    expect(below.length).toBeGreaterThan(3);
    worker.kill(signal);
    await worker.ended;
    await eventually(() => expect(running(below)).toEqual([]));
  });
});
