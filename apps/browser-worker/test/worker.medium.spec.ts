import { randomUUID } from 'node:crypto';
import { type BrowserRun, interactiveRunsQueue, type RunPlan, scheduledRunsQueue } from '@decola/contracts';
import { eventually as waitUntil, testBroker, type TestBroker, testRedis } from '@decola/testing';
import { type BrokerAutomations, brokerAutomations } from './support/broker-automations.js';
import { jobFor } from './support/jobs.js';
import { Network } from './support/network.js';
import { type RunningProcess, startWorker } from './support/processes.js';

/** A browser on a busy machine takes its time. */
const eventually = <Result>(assertion: () => Result | Promise<Result>) => waitUntil(assertion, { timeoutMs: 90_000 });

describe('workers as processes', () => {
  let network: Network;
  let broker: TestBroker;
  let side: BrokerAutomations;
  const redis = testRedis();
  const workers: RunningProcess[] = [];
  beforeAll(async () => {
    [network, broker] = await Promise.all([Network.start(), testBroker()]);
    side = await brokerAutomations(broker.url);
  });
  afterEach(async () => {
    for (const worker of workers.splice(0)) {
      worker.kill('SIGKILL');
      await worker.ended;
    }
  });
  afterAll(async () => {
    await side?.dispose();
    await network?.stop();
    await broker?.dispose();
    await redis.dispose();
  });

  const start = async (over: NodeJS.ProcessEnv = {}) => {
    const worker = await startWorker(
      { brokerUrl: broker.url, redisUrl: redis.url, redisPrefix: redis.prefix, networkUrl: network.url },
      over,
    );
    workers.push(worker);
    return worker;
  };
  const ended = (runId: string) =>
    eventually(() => {
      const end = side.automations.endOf(runId);
      if (!end) throw new Error(`run ${runId} has not ended: ${side.automations.log.slice(-20).join(' ')}`);
      return end;
    });
  const hashtag = (budget: number): RunPlan => ({
    kind: 'follow',
    source: { kind: 'hashtag', hashtag: 'doces' },
    budget,
    requestPrivate: true,
  });
  const listOf = (username: string, over: object = {}): RunPlan => ({
    kind: 'extract-list',
    list: 'followers',
    username,
    extractedDataId: randomUUID(),
    cursor: null,
    pass: 1,
    nextPage: 0,
    maxPages: 500,
    ...over,
  });

  it('carry out a job, tell its story in order, and never write a cookie', async () => {
    const worker = await start({ LOG_LEVEL: 'trace' });
    const me = await network.customer();
    const job = jobFor(me, hashtag(2));
    await side.send(job, scheduledRunsQueue);
    expect(await ended(job.runId)).toMatchObject({ outcome: 'done', tried: 2, confirmed: 2, username: me.username });
    expect(side.automations.log.slice(-4)).toEqual(
      ['started', 'action:follow:confirmed', 'action:follow:confirmed', 'finished:done'].map((one) =>
        expect.stringMatching(one.replace('confirmed', '(confirmed|requested)')),
      ),
    );
    // The log of a process arrives behind its messages.
    await eventually(() => expect(worker.output()).toContain(job.runId));
    const written = worker.output();
    for (const { value } of me.cookies) expect(written).not.toContain(decodeURIComponent(value));
    expect(written).not.toContain(job.session.envelope);
    const figures = await (await fetch(`${worker.url}/metrics`)).text();
    expect(figures).toMatch(/browser_runs_total\{[^}]*plan="follow",outcome="done",stop="none"[^}]*\} 1/);
  });

  it('take what somebody waits for before what is due by schedule', async () => {
    const [waiting, due] = [await network.customer(), await network.customer()];
    const first = jobFor(due, { kind: 'check-session' });
    const second = jobFor(waiting, { kind: 'check-session' });
    await side.send(first, scheduledRunsQueue);
    await side.send(second, interactiveRunsQueue);
    await start({ WORKER_CONTEXTS: '1' });
    await ended(first.runId);
    const order = side.automations.ends.map(({ runId }) => runId);
    expect(order.indexOf(second.runId)).toBeLessThan(order.indexOf(first.runId));
  });

  it('killed in the middle of following: the run is closed, nobody is followed twice, and the next run settles what was open', async () => {
    const me = await network.customer();
    const victim = await start();
    const job = jobFor(me, hashtag(5), { pace: { actionGapMs: { min: 300, max: 300 }, pageGapMs: { min: 0, max: 0 } } });
    // Killed between the reservation of the third and its outcome.
    side.automations.afterReserve = async () => {
      if (side.automations.reservations.filter(({ runId }) => runId === job.runId).length === 3) victim.kill('SIGKILL');
      await Promise.resolve();
    };
    await side.send(job, scheduledRunsQueue);
    await victim.ended;
    side.automations.afterReserve = () => Promise.resolve();
    await start();
    const end = await ended(job.runId);
    expect(end).toMatchObject({ outcome: 'stopped', stop: { class: 'worker_stopped' } });
    const tokens = side.automations.startedRuns.filter(({ runId }) => runId === job.runId).map(({ fencingToken }) => fencingToken);
    expect(tokens).toHaveLength(2);
    expect(tokens[1]).toBeGreaterThan(tokens[0]!);

    const open = side.automations.reservations.filter(({ runId, outcome }) => runId === job.runId && outcome === null);
    expect(open).toHaveLength(1);
    const unsettled = open.map(({ reservationId, targetId, username }) => ({
      reservationId,
      targetId,
      username,
      action: 'follow' as const,
    }));
    const next = jobFor(me, hashtag(2), { unsettled });
    await side.send(next, scheduledRunsQueue);
    expect(await ended(next.runId)).toMatchObject({ outcome: 'done', tried: 2 });
    expect(side.automations.actions.filter(({ settled }) => settled)).toMatchObject([{ reservationId: open[0]!.reservationId }]);
    const done = await network.actions(me.username);
    expect(new Set(done.map(({ targetId }) => targetId)).size).toBe(done.length);
    expect(await network.verdicts(me.username)).toEqual([]);
  });

  it('killed in the middle of a list: the next run goes on at the last page that was kept, and every page is kept once', async () => {
    const me = await network.customer();
    const shop = await network.account({ followers: 240 });
    await network.call('PUT', `/accounts/${shop.username}/lists`, { lossRate: 0 });
    const victim = await start();
    const plan = listOf(shop.username);
    const job = jobFor(me, plan, { pace: { actionGapMs: { min: 0, max: 0 }, pageGapMs: { min: 50, max: 50 } } });
    side.automations.beforePage = async () => {
      if (side.automations.pages.filter(({ runId }) => runId === job.runId).length === 7) victim.kill('SIGKILL');
      await Promise.resolve();
    };
    await side.send(job, interactiveRunsQueue);
    await victim.ended;
    side.automations.beforePage = () => Promise.resolve();
    await start();
    expect(await ended(job.runId)).toMatchObject({ outcome: 'stopped', stop: { class: 'worker_stopped' } });
    const kept = side.automations.pages.filter(({ runId }) => runId === job.runId);
    const last = kept.at(-1)!;
    const next = jobFor(me, { ...plan, cursor: last.cursor, nextPage: last.page + 1 } as RunPlan);
    await side.send(next, interactiveRunsQueue);
    expect(await ended(next.runId)).toMatchObject({ outcome: 'done', list: { state: 'pass_ended' } });
    const pages = side.automations.pages.filter(({ extractedDataId }) => extractedDataId === last.extractedDataId);
    expect(pages.map(({ page }) => page)).toEqual(pages.map((_, index) => index));
    expect(new Set(pages.flatMap(({ rows }) => rows.map(({ userId }) => userId))).size).toBe(240);
    expect(await network.verdicts(me.username)).toEqual([]);
  });

  it('asked to stop: the action under way finishes, the run ends as partial, and the process ends', async () => {
    const me = await network.customer();
    const worker = await start();
    const job = jobFor(me, hashtag(5), { pace: { actionGapMs: { min: 60_000, max: 60_000 }, pageGapMs: { min: 0, max: 0 } } });
    side.automations.afterReserve = async () => {
      if (side.automations.reservations.some(({ runId }) => runId === job.runId)) worker.kill('SIGTERM');
      await Promise.resolve();
    };
    await side.send(job, scheduledRunsQueue);
    expect(await worker.ended).toBe('SIGTERM'); // it ends itself by the signal, after everything is closed
    side.automations.afterReserve = () => Promise.resolve();
    const end = await ended(job.runId);
    expect(end).toMatchObject({ outcome: 'partial', stop: null, tried: 1, confirmed: 1 });
    expect(side.automations.reservations.filter(({ runId, outcome }) => runId === job.runId && outcome === null)).toEqual([]);
    // It was acknowledged: nobody finds it again.
    const other = await start();
    const probe = jobFor(await network.customer(), { kind: 'check-session' });
    await side.send(probe, scheduledRunsQueue);
    await ended(probe.runId);
    expect(side.automations.startedRuns.filter(({ runId }) => runId === job.runId)).toHaveLength(1);
    other.kill('SIGTERM');
    expect(await other.ended).toBe('SIGTERM');
  });

  it('two of them never run one account at the same time, and both work', async () => {
    const [one, other] = await Promise.all([
      start({ WORKER_ID: 'one', WORKER_CONTEXTS: '3' }),
      start({ WORKER_ID: 'other', WORKER_CONTEXTS: '3' }),
    ]);
    const customers = await Promise.all(Array.from({ length: 5 }, () => network.customer()));
    const jobs = customers.flatMap((me) => [1, 2, 3].map(() => jobFor(me, hashtag(1))));
    const before = side.automations.log.length;
    for (const job of jobs) await side.send(job, scheduledRunsQueue);
    for (const job of jobs) expect(await ended(job.runId)).toMatchObject({ outcome: 'done', tried: 1 });
    expect(side.automations.log.length).toBeGreaterThan(before);
    for (const me of customers) {
      // The network sees two browsers that take turns, two actions at once, and doubles.
      expect(await network.verdicts(me.username)).toEqual([]);
      expect(await network.actions(me.username)).toHaveLength(3);
      const runs = jobs.filter(({ session }) => session.networkUserId === me.networkUserId).map(({ runId }) => runId);
      const spans = runs
        .map((runId) => ({
          from: Date.parse(side.automations.startedRuns.find((event) => event.runId === runId)!.startedAt),
          to: Date.parse(side.automations.endOf(runId)!.finishedAt),
        }))
        .sort((a, b) => a.from - b.from);
      for (let index = 1; index < spans.length; index += 1) expect(spans[index]!.from).toBeGreaterThanOrEqual(spans[index - 1]!.to);
    }
    const names = new Set(
      side.automations.startedRuns.filter(({ runId }) => jobs.some((job) => job.runId === runId)).map(({ workerId }) => workerId),
    );
    expect([...names].sort()).toEqual(['one', 'other']);
    for (const worker of [one, other]) worker.kill('SIGKILL');
  });

  it('killed again and again at any moment: nobody is followed twice, and the work is done in the end', async () => {
    const kills = Number(process.env['WORKER_KILLS'] ?? 4); // 20 for the full measure
    const me = await network.customer();
    let left = 6;
    let unsettled: BrowserRun['unsettled'] = [];
    for (let attempt = 0; left > 0 && attempt < kills + 4; attempt += 1) {
      const worker = await start();
      const job = jobFor(me, hashtag(Math.min(5, left)), { unsettled });
      await side.send(job, scheduledRunsQueue);
      if (attempt < kills) {
        await eventually(() => expect(side.automations.startedRuns.some(({ runId }) => runId === job.runId)).toBe(true));
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 2_500));
        worker.kill('SIGKILL');
        await worker.ended;
        await start();
      }
      await ended(job.runId);
      for (const one of workers.splice(0)) {
        one.kill('SIGKILL');
        await one.ended;
      }
      const mine = side.automations.reservations.filter(({ accountKey }) => accountKey === job.accountKey);
      left = 6 - mine.filter(({ outcome }) => outcome !== null && outcome !== 'skipped').length;
      unsettled = mine
        .filter(({ outcome }) => outcome === null)
        .map(({ reservationId, targetId, username }) => ({ reservationId, targetId, username, action: 'follow' as const }));
    }
    expect(left).toBeLessThanOrEqual(0);
    expect(unsettled).toEqual([]);
    const done = await network.actions(me.username);
    expect(new Set(done.map(({ targetId }) => targetId)).size).toBe(done.length);
    // What the ledger holds as done is what the network holds as done.
    const confirmed = side.automations.reservations.filter(
      ({ accountKey, outcome }) => accountKey.endsWith(me.networkUserId) && (outcome === 'confirmed' || outcome === 'requested'),
    );
    expect(new Set(confirmed.map(({ targetId }) => targetId))).toEqual(new Set(done.map(({ targetId }) => targetId)));
    expect(await network.verdicts(me.username)).toEqual([]);
  }, 400_000);

  it('loses the broker in the middle of a list: the run goes on, and its job ends once', async () => {
    const me = await network.customer();
    const shop = await network.account({ followers: 120 });
    const worker = await start({ WORKER_ID: 'disconnected' });
    const plan = listOf(shop.username);
    const job = jobFor(me, plan, { pace: { actionGapMs: { min: 0, max: 0 }, pageGapMs: { min: 100, max: 100 } } });
    let cut = 0;
    const cutOff = async () => {
      const connections = await broker.api<{ name: string; user_provided_name?: string }[]>('GET', '/vhosts/{vhost}/connections');
      for (const { name, user_provided_name } of connections) {
        if (user_provided_name !== 'browser-worker') continue;
        cut += 1;
        await broker.api('DELETE', `/connections/${encodeURIComponent(name)}`);
      }
    };
    await side.send(job, interactiveRunsQueue);
    await eventually(() => expect(side.automations.pages.filter(({ runId }) => runId === job.runId).length).toBeGreaterThan(2));
    await eventually(async () => {
      await cutOff(); // the management interface learns of a connection some seconds after it began
      expect(cut).toBeGreaterThan(0);
    });
    expect(await ended(job.runId)).toMatchObject({ outcome: 'done', list: { state: 'pass_ended' } });
    // The second delivery of the job was closed without a word: exactly one start, one end, every page once.
    const probe = jobFor(await network.customer(), { kind: 'check-session' });
    await side.send(probe, interactiveRunsQueue);
    await ended(probe.runId);
    await eventually(async () => {
      const queue = await broker.api<{ messages?: number }>('GET', `/queues/{vhost}/${interactiveRunsQueue}`);
      expect(queue.messages ?? 0).toBe(0);
    });
    expect(side.automations.startedRuns.filter(({ runId }) => runId === job.runId)).toHaveLength(1);
    const pages = side.automations.pages.filter(({ runId }) => runId === job.runId).map(({ page }) => page);
    expect([...pages].sort((one, other) => one - other)).toEqual(pages.map((_, index) => index));
    expect(await network.verdicts(me.username)).toEqual([]);
    worker.kill('SIGKILL');
  });

  it('closes a job whose time has passed without beginning it', async () => {
    const me = await network.customer();
    await start();
    const job = jobFor(me, hashtag(3), { expiresAt: new Date(Date.now() - 1_000).toISOString() });
    await side.send(job, scheduledRunsQueue);
    expect(await ended(job.runId)).toMatchObject({ outcome: 'partial', tried: 0 });
    expect(await network.ledger({ account: me.username })).toEqual([]);
  });
});
