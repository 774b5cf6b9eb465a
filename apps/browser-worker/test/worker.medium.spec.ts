import { type BrowserRun, interactiveRunsQueue, type RunPlan, scheduledRunsQueue } from '@decola/contracts';
import { checkSession, followPlan, interactionsPlan, jobFor, listPlan, openReservation, paceOf } from './support/jobs.js';
import { eventually, processSuite } from './support/process-suite.js';

describe('workers as processes', () => {
  const suite = processSuite();
  const { network } = suite;
  const hashtag = (budget: number): RunPlan => followPlan({ kind: 'hashtag', hashtag: 'doces' }, { budget, requestPrivate: true });
  /** Reservations without an outcome, as the next job contains them. */
  const unsettledOf = (open: readonly { reservationId: string; targetId: string; username: string }[]): BrowserRun['unsettled'] =>
    open.map(({ reservationId, targetId, username }) => ({ ...openReservation('follow', { pk: targetId, username }), reservationId }));

  it('carry out a job and publish its events in order, without a cookie in the log', async () => {
    const worker = await suite.startWorker({ LOG_LEVEL: 'trace' });
    const me = await network.customer();
    const job = jobFor(me, hashtag(2));
    await suite.send(job, scheduledRunsQueue);
    expect(await suite.ended(job.runId)).toMatchObject({ outcome: 'done', tried: 2, confirmed: 2, username: me.username });
    const outcome = 'action:follow:(confirmed|requested)';
    expect(suite.automations.log.slice(-6)).toEqual(
      ['started', 'trying:follow', outcome, 'trying:follow', outcome, 'finished:done'].map((one) => expect.stringMatching(one)),
    );
    // The log of a process may arrive after its messages.
    await eventually(() => expect(worker.output()).toContain(job.runId));
    const written = worker.output();
    for (const { value } of me.cookies) expect(written).not.toContain(decodeURIComponent(value));
    expect(written).not.toContain(job.session.envelope);
    const figures = await (await fetch(`${worker.url}/metrics`)).text();
    expect(figures).toMatch(/browser_runs_total\{[^}]*plan="follow",outcome="done",stop="none"[^}]*\} 1/);
  });

  it('take jobs that somebody waits for before scheduled ones', async () => {
    const [waiting, due] = [await network.customer(), await network.customer()];
    const first = jobFor(due, checkSession);
    const second = jobFor(waiting, checkSession);
    await suite.send(first, scheduledRunsQueue);
    await suite.send(second, interactiveRunsQueue);
    await suite.startWorker({ WORKER_CONTEXTS: '1' });
    await suite.ended(first.runId);
    const order = suite.automations.ends.map(({ runId }) => runId);
    expect(order.indexOf(second.runId)).toBeLessThan(order.indexOf(first.runId));
  });

  it('that are killed in the middle of following: the run is closed, nobody is followed twice, and the next run settles what was open', async () => {
    const me = await network.customer();
    const victim = await suite.startWorker();
    const job = jobFor(me, hashtag(5), { pace: paceOf(300) });
    // Killed between the reservation of the third person and its outcome.
    suite.automations.afterReserve = async () => {
      if (suite.automations.reservations.filter(({ runId }) => runId === job.runId).length === 3) victim.kill('SIGKILL');
      await Promise.resolve();
    };
    await suite.send(job, scheduledRunsQueue);
    await victim.ended;
    suite.automations.resetHooks();
    await suite.startWorker();
    const end = await suite.ended(job.runId);
    expect(end).toMatchObject({ outcome: 'stopped', stop: { class: 'worker_stopped' } });
    const tokens = suite.automations.startedRuns.filter(({ runId }) => runId === job.runId).map(({ fencingToken }) => fencingToken);
    expect(tokens).toHaveLength(2);
    expect(tokens[1]).toBeGreaterThan(tokens[0]!);

    const open = suite.automations.openOf(job.runId);
    expect(open).toHaveLength(1);
    const next = jobFor(me, hashtag(2), { unsettled: unsettledOf(open) });
    await suite.send(next, scheduledRunsQueue);
    expect(await suite.ended(next.runId)).toMatchObject({ outcome: 'done', tried: 2 });
    expect(suite.automations.actions.filter(({ settled }) => settled)).toMatchObject([{ reservationId: open[0]!.reservationId }]);
    const done = await network.actions(me.username);
    expect(new Set(done.map(({ targetId }) => targetId)).size).toBe(done.length);
    expect(await network.verdicts(me.username)).toEqual([]);
  });

  it('that are killed in the middle of a list: the next run continues at the last stored page, and every page is stored once', async () => {
    const me = await network.customer();
    const shop = await network.account({ followers: 240 });
    await network.shapeLists(shop.username, { lossRate: 0 });
    const victim = await suite.startWorker();
    const plan = listPlan(shop.username, { maxPages: 500 });
    const job = jobFor(me, plan, { pace: paceOf(0, 50) });
    suite.automations.beforePage = async () => {
      if (suite.automations.pages.filter(({ runId }) => runId === job.runId).length === 7) victim.kill('SIGKILL');
      await Promise.resolve();
    };
    await suite.send(job, interactiveRunsQueue);
    await victim.ended;
    suite.automations.resetHooks();
    await suite.startWorker();
    expect(await suite.ended(job.runId)).toMatchObject({ outcome: 'stopped', stop: { class: 'worker_stopped' } });
    const kept = suite.automations.pages.filter(({ runId }) => runId === job.runId);
    const last = kept.at(-1)!;
    const next = jobFor(me, plan);
    await suite.send(next, interactiveRunsQueue);
    expect(await suite.ended(next.runId)).toMatchObject({ outcome: 'done', list: { state: 'pass_ended' } });
    const pages = suite.automations.pages.filter(({ extractedDataId }) => extractedDataId === last.extractedDataId);
    expect(pages.map(({ page }) => page)).toEqual(pages.map((_, index) => index));
    expect(new Set(pages.flatMap(({ rows }) => rows.map(({ userId }) => userId))).size).toBe(240);
    expect(await network.verdicts(me.username)).toEqual([]);
  });

  it('that are killed again and again in the middle of comments: every comment and reply is stored, and read on at the last stored page', async () => {
    const me = await network.customer();
    const post = await network.post({ comments: 70 });
    const plan = interactionsPlan(post.code, { list: 'comments' });
    const pagesOf = (runId: string) => suite.automations.pages.filter((page) => page.runId === runId);
    let worker = await suite.startWorker();
    for (const kills of [3, 4, 6]) {
      const job = jobFor(me, plan, { pace: paceOf(0, 50) });
      const victim = worker;
      suite.automations.beforePage = async () => {
        if (pagesOf(job.runId).length === kills) victim.kill('SIGKILL');
        await Promise.resolve();
      };
      await suite.send(job, interactiveRunsQueue);
      await victim.ended;
      suite.automations.resetHooks();
      worker = await suite.startWorker();
      expect(await suite.ended(job.runId)).toMatchObject({ outcome: 'stopped', stop: { class: 'worker_stopped' } });
    }
    const last = jobFor(me, plan);
    await suite.send(last, interactiveRunsQueue);
    expect(await suite.ended(last.runId)).toMatchObject({ outcome: 'done', list: { state: 'pass_ended' } });
    const pages = suite.automations.pages.filter(({ extractedDataId }) => extractedDataId === plan.extractedDataId);
    expect(pages.map(({ page }) => page)).toEqual(pages.map((_, index) => index));
    const truth = (await network.comments(post.code)).map(({ pk, parent }) => `${pk} ${parent}`);
    const stored = pages.flatMap(({ comments }) => (comments ?? []).map(({ commentId, replyTo }) => `${commentId} ${replyTo}`));
    expect([...new Set(stored)].sort()).toEqual(truth.sort());
    // Each run reads the first page of comments once more, and the page at which it goes on.
    expect(stored.length).toBeLessThan(truth.length + 3 * 2 * 14 + 1);
    expect(await network.verdicts(me.username)).toEqual([]);
  });

  it('that are asked to stop: the current action finishes, the run ends as partial, and the process ends', async () => {
    const me = await network.customer();
    const worker = await suite.startWorker();
    const job = jobFor(me, hashtag(5), { pace: paceOf(60_000) });
    suite.automations.afterReserve = async () => {
      if (suite.automations.reservations.some(({ runId }) => runId === job.runId)) worker.kill('SIGTERM');
      await Promise.resolve();
    };
    await suite.send(job, scheduledRunsQueue);
    expect(await worker.ended).toBe('SIGTERM'); // it kills itself with the signal after it has closed everything
    suite.automations.resetHooks();
    const end = await suite.ended(job.runId);
    expect(end).toMatchObject({ outcome: 'partial', stop: null, tried: 1, confirmed: 1 });
    expect(suite.automations.openOf(job.runId)).toEqual([]);
    // The job was acknowledged: nobody gets it again.
    const other = await suite.startWorker();
    const probe = jobFor(await network.customer(), checkSession);
    await suite.send(probe, scheduledRunsQueue);
    await suite.ended(probe.runId);
    expect(suite.automations.startedRuns.filter(({ runId }) => runId === job.runId)).toHaveLength(1);
    other.kill('SIGTERM');
    expect(await other.ended).toBe('SIGTERM');
  });

  it('that run side by side never run one account at the same time, and both work', async () => {
    await Promise.all([
      suite.startWorker({ WORKER_ID: 'one', WORKER_CONTEXTS: '3' }),
      suite.startWorker({ WORKER_ID: 'other', WORKER_CONTEXTS: '3' }),
    ]);
    const customers = await Promise.all(Array.from({ length: 5 }, () => network.customer()));
    const jobs = customers.flatMap((me) => [1, 2, 3].map(() => jobFor(me, hashtag(1))));
    const before = suite.automations.log.length;
    for (const job of jobs) await suite.send(job, scheduledRunsQueue);
    for (const job of jobs) expect(await suite.ended(job.runId)).toMatchObject({ outcome: 'done', stop: null, tried: 1 });
    expect(suite.automations.log.length).toBeGreaterThan(before);
    for (const me of customers) {
      // The network would notice two browsers of one account, simultaneous actions, and doubles.
      expect(await network.verdicts(me.username)).toEqual([]);
      expect(await network.actions(me.username)).toHaveLength(3);
      const runs = jobs.filter(({ session }) => session.networkUserId === me.networkUserId).map(({ runId }) => runId);
      const spans = runs
        .map((runId) => ({
          from: Date.parse(suite.automations.startedRuns.find((event) => event.runId === runId)!.startedAt),
          to: Date.parse(suite.automations.endOf(runId)!.finishedAt),
        }))
        .sort((a, b) => a.from - b.from);
      for (let index = 1; index < spans.length; index += 1) expect(spans[index]!.from).toBeGreaterThanOrEqual(spans[index - 1]!.to);
    }
    const names = new Set(
      suite.automations.startedRuns.filter(({ runId }) => jobs.some((job) => job.runId === runId)).map(({ workerId }) => workerId),
    );
    expect([...names].sort()).toEqual(['one', 'other']);
  });

  it('that lose the broker in the middle of a list: the run goes on, and its job ends once', async () => {
    const me = await network.customer();
    const shop = await network.account({ followers: 120 });
    await suite.startWorker({ WORKER_ID: 'disconnected' });
    const plan = listPlan(shop.username, { maxPages: 500 });
    const job = jobFor(me, plan, { pace: paceOf(0, 100) });
    let cut = 0;
    const cutOff = async () => {
      const connections = await suite.broker.api<{ name: string; user_provided_name?: string }[]>('GET', '/vhosts/{vhost}/connections');
      for (const { name, user_provided_name } of connections) {
        if (user_provided_name !== 'browser-worker') continue;
        cut += 1;
        await suite.broker.api('DELETE', `/connections/${encodeURIComponent(name)}`);
      }
    };
    await suite.send(job, interactiveRunsQueue);
    await eventually(() => expect(suite.automations.pages.filter(({ runId }) => runId === job.runId).length).toBeGreaterThan(2));
    await eventually(async () => {
      await cutOff(); // the management interface lists a connection some seconds after it was opened
      expect(cut).toBeGreaterThan(0);
    });
    expect(await suite.ended(job.runId)).toMatchObject({ outcome: 'done', list: { state: 'pass_ended' } });
    // The second delivery of the job was ignored: exactly one start, one end, every page once.
    const probe = jobFor(await network.customer(), checkSession);
    await suite.send(probe, interactiveRunsQueue);
    await suite.ended(probe.runId);
    await eventually(async () => {
      const queue = await suite.broker.api<{ messages?: number }>('GET', `/queues/{vhost}/${interactiveRunsQueue}`);
      expect(queue.messages ?? 0).toBe(0);
    });
    expect(suite.automations.startedRuns.filter(({ runId }) => runId === job.runId)).toHaveLength(1);
    const pages = suite.automations.pages.filter(({ runId }) => runId === job.runId).map(({ page }) => page);
    expect([...pages].sort((one, other) => one - other)).toEqual(pages.map((_, index) => index));
    expect(await network.verdicts(me.username)).toEqual([]);
  });

  it('close an expired job without beginning it', async () => {
    const me = await network.customer();
    await suite.startWorker();
    const job = jobFor(me, hashtag(3), { expiresAt: new Date(Date.now() - 1_000).toISOString() });
    await suite.send(job, scheduledRunsQueue);
    expect(await suite.ended(job.runId)).toMatchObject({ outcome: 'partial', tried: 0 });
    expect(await network.ledger({ account: me.username })).toEqual([]);
  });
});
