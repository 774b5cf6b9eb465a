import { randomUUID } from 'node:crypto';
import type { RunPlan } from '@decola/contracts';
import { jobFor, type TestSession } from './support/jobs.js';
import { Network } from './support/network.js';
import { workerKit, type WorkerKit } from './support/worker-kit.js';

type ListPlan = Extract<RunPlan, { kind: 'extract-list' }>;

describe('reading a list in a real browser', () => {
  let network: Network;
  let kit: WorkerKit;
  beforeAll(async () => {
    network = await Network.start();
    kit = await workerKit(network.url, { answerTimeoutMs: 4_000 });
  });
  afterAll(async () => {
    await kit?.dispose();
    await network?.stop();
  });

  const planFor = (username: string, over: Partial<ListPlan> = {}): ListPlan => ({
    kind: 'extract-list',
    list: 'followers',
    username,
    extractedDataId: randomUUID(),
    cursor: null,
    pass: 1,
    nextPage: 0,
    maxPages: 200,
    ...over,
  });
  const read = (me: TestSession, plan: ListPlan) => kit.run(jobFor(me, plan));
  const pagesOf = (runId: string) => kit.automations.pages.filter((page) => page.runId === runId);

  it('reads a pass over some hundred followers to its end mark, page by page', async () => {
    const me = await network.customer();
    const shop = await network.account({ followers: 300 });
    await network.call('PUT', `/accounts/${shop.username}/lists`, { lossRate: 0 });
    const end = await read(me, planFor(shop.username));
    expect(end).toMatchObject({
      outcome: 'done',
      targetProblem: null,
      list: { state: 'pass_ended', cursor: null, pass: 1, profileTotal: 300, nextPage: end.pages },
    });
    const pages = pagesOf(end.runId);
    expect(pages.map(({ page }) => page)).toEqual(pages.map((_, index) => index));
    expect(pages.at(-1)!.cursor).toBeNull();
    const rows = pages.flatMap((page) => page.rows);
    const truth = await network.list(shop.username, 'followers');
    expect(new Set(rows.map(({ userId }) => userId))).toEqual(new Set(truth.map(({ pk }) => pk)));
    expect(rows).toHaveLength(300);
    expect(await network.verdicts(me.username)).toEqual([]);
  });

  it.each(['main', 'drift'])('goes on in the middle at the cursor of the run before, in build %s', async (name) => {
    await network.call('POST', '/build', { name });
    try {
      const me = await network.customer('en');
      const shop = await network.account({ following: 150 });
      await network.call('PUT', `/accounts/${shop.username}/lists`, { lossRate: 0 });
      let plan = planFor(shop.username, { list: 'following', maxPages: 4 });
      const rows: string[] = [];
      const numbers: number[] = [];
      for (let run = 0; run < 10; run += 1) {
        const end = await read(me, plan);
        for (const page of pagesOf(end.runId)) {
          rows.push(...page.rows.map(({ userId }) => userId));
          numbers.push(page.page);
        }
        if (end.list!.state !== 'more') break;
        expect(end.outcome).toBe('partial');
        plan = { ...plan, cursor: end.list!.cursor, nextPage: end.list!.nextPage };
      }
      const truth = await network.list(shop.username, 'following');
      expect(rows).toHaveLength(150);
      expect(new Set(rows)).toEqual(new Set(truth.map(({ pk }) => pk)));
      expect(numbers).toEqual(numbers.map((_, index) => index)); // every page once
      // One pass in the network's eyes, and no cursor that it never gave.
      const passes = (await network.ledger({ account: me.username, action: 'list_page' })).map(({ detail }) => detail['pass']);
      expect(new Set(passes).size).toBe(1);
      expect(await network.verdicts(me.username)).toEqual([]);
    } finally {
      await network.call('POST', '/build', { name: 'main' });
    }
  });

  it('goes on at the long cursor of our own followers', async () => {
    const me = await network.customer('pt', { followers: 80 });
    await network.call('PUT', `/accounts/${me.username}/lists`, { lossRate: 0 });
    const first = await read(me, planFor(me.username, { maxPages: 3 }));
    expect(first.list!.cursor!.length).toBeGreaterThan(100);
    const second = await read(me, planFor(me.username, { cursor: first.list!.cursor, nextPage: first.list!.nextPage }));
    expect(second.list).toMatchObject({ state: 'pass_ended' });
    const rows = [...pagesOf(first.runId), ...pagesOf(second.runId)].flatMap((page) => page.rows);
    expect(new Set(rows.map(({ userId }) => userId)).size).toBe(80);
    expect(await network.verdicts(me.username)).toEqual([]);
  });

  it('asks for no further page before the last one is kept', async () => {
    const me = await network.customer();
    const shop = await network.account({ followers: 60 });
    const readWhileHeld: number[] = [];
    kit.automations.beforePage = async () => {
      const before = (await network.ledger({ account: me.username, action: 'list_page' })).length;
      await new Promise((resolve) => setTimeout(resolve, 300));
      readWhileHeld.push((await network.ledger({ account: me.username, action: 'list_page' })).length - before);
    };
    const end = await read(me, planFor(shop.username)).finally(() => (kit.automations.beforePage = () => Promise.resolve()));
    expect(end.list!.state).toBe('pass_ended');
    expect(readWhileHeld.every((pages) => pages === 0)).toBe(true);
  });

  it('opens no session for a run that nobody wants any more, and reads no further when its owner goes', async () => {
    const impatient = await workerKit(network.url, { answerTimeoutMs: 4_000, wantedForMs: 0 });
    try {
      const me = await network.customer();
      const shop = await network.account({ followers: 300 });
      impatient.automations.beforePage = () => {
        impatient.automations.isWanted = impatient.automations.pages.length < 2;
        return Promise.resolve();
      };
      const end = await impatient.run(jobFor(me, planFor(shop.username)));
      expect(end).toMatchObject({ outcome: 'partial', stop: null, list: { state: 'more', nextPage: 3 } });
      expect(impatient.automations.pages).toHaveLength(3);

      const before = (await network.ledger({ account: me.username })).length;
      const never = await impatient.run(jobFor(me, planFor(shop.username)));
      expect(never).toMatchObject({ outcome: 'partial', pages: 0 });
      expect(await network.ledger({ account: me.username })).toHaveLength(before);
    } finally {
      await impatient.dispose();
    }
  });

  it('says how a list ended: private, gone, cut by the network, or nobody there', async () => {
    const me = await network.customer();
    const closed = await network.account({ followers: 40, isPrivate: true });
    expect(await read(me, planFor(closed.username))).toMatchObject({
      outcome: 'done',
      targetProblem: 'target_private',
      pages: 0,
      list: { state: 'private', profileTotal: 40 },
    });
    await network.tie(me.username, closed.username, 'following');
    expect(await read(me, planFor(closed.username))).toMatchObject({ outcome: 'done', list: { state: 'pass_ended' } });

    const gone = await network.account({ presence: 'gone_200' });
    expect(await read(me, planFor(gone.username))).toMatchObject({ outcome: 'done', targetProblem: 'target_gone', pages: 0 });

    const cut = await network.account({ followers: 200 });
    await network.call('PUT', `/accounts/${cut.username}/lists`, { limited: true });
    const limited = await read(me, planFor(cut.username));
    expect(limited).toMatchObject({ outcome: 'done', list: { state: 'limited_by_network', profileTotal: 200 } });
    expect(pagesOf(limited.runId).flatMap(({ rows }) => rows).length).toBeGreaterThan(40);

    const lonely = await network.account({ followers: 0, following: 0 });
    expect(await read(me, planFor(lonely.username))).toMatchObject({
      outcome: 'done',
      pages: 0,
      list: { state: 'pass_ended', profileTotal: 0 },
    });
    expect(await network.verdicts(me.username)).toEqual([]);
  });

  it('reads on after a page that had to be loaded again', async () => {
    const me = await network.customer();
    const shop = await network.account({ followers: 100 });
    await network.call('PUT', `/accounts/${shop.username}/lists`, { lossRate: 0, stableOrder: true });
    await network.object({ username: me.username, kind: 'html_instead_of_json', call: 'followers', afterCalls: 3, times: 1 });
    const end = await read(me, planFor(shop.username));
    expect(end).toMatchObject({ outcome: 'done', list: { state: 'pass_ended' } });
    const rows = pagesOf(end.runId).flatMap((page) => page.rows.map(({ userId }) => userId));
    expect(rows).toHaveLength(100);
    expect(new Set(rows).size).toBe(100);
  });

  it('stops at its bound of pages and begins nothing with a bound of none', async () => {
    const me = await network.customer();
    const shop = await network.account({ followers: 100 });
    expect(await read(me, planFor(shop.username, { maxPages: 2 }))).toMatchObject({
      outcome: 'partial',
      pages: 2,
      list: { state: 'more', nextPage: 2 },
    });
    expect(await read(me, planFor(shop.username, { maxPages: 0, cursor: '24', nextPage: 2 }))).toMatchObject({
      outcome: 'partial',
      pages: 0,
      list: { state: 'more', cursor: '24', nextPage: 2 },
    });
  });
});
