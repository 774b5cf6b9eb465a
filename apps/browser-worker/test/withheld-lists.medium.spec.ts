import { casesOf } from '@decola/testing';
import { followPlan, listPlan, type TestSession, unfollowPlan } from './support/jobs.js';
import { sideBySide, testsSideBySide } from './support/side-by-side.js';
import { workerSuite } from './support/worker-kit.js';

const { network, kit } = workerSuite();
const useBuild = (name: string) => network.call('POST', '/build', { name });

describe('a list that the network withholds', () => {
  const listCalls = async (me: TestSession) => (await network.ledger({ account: me.username, action: 'list_page' })).length;
  const withhold = (me: TestSession, form: string, afterPages: number) =>
    network.call('PUT', `/accounts/${me.username}/withheld-lists`, { form, afterPages });
  const followersOf = (username: string) => ({ kind: 'list' as const, username });
  const forms = ['redirect', 'empty'] as const;

  const stopsInTheMiddle = async (form: string) => {
    const me = await network.customer();
    const shop = await network.account({ followers: 120 });
    await network.shapeLists(shop.username, { lossRate: 0, stableOrder: true });
    await withhold(me, form, 3);
    const plan = listPlan(shop.username);
    const end = await kit.runPlan(me, plan);
    expect(end).toMatchObject({
      outcome: 'stopped',
      stop: { class: 'list_withheld', row: 18, action: null },
      pages: 3,
      targetProblem: null,
      list: { state: 'more', pass: 1, nextPage: 3 },
    });
    const pages = kit.pagesOf(end.runId);
    expect(pages).toHaveLength(3);
    expect(pages.every(({ rows }) => rows.length > 0)).toBe(true);
    expect(end.list!.cursor).toBe(pages.at(-1)!.cursor);
    expect(await listCalls(me)).toBe(4); // three pages and one that was withheld: the list was not opened again

    // The next run continues there, and it is still withheld: no new pass begins at the top.
    const again = await kit.runPlan(me, plan);
    expect(again).toMatchObject({
      stop: { class: 'list_withheld', row: 18 },
      pages: 0,
      list: { state: 'more', cursor: end.list!.cursor },
    });

    // No other account is affected, and this account can still follow people.
    const other = await network.customer();
    expect(await kit.runPlan(other, listPlan(shop.username, { maxPages: 2 }))).toMatchObject({ outcome: 'partial', pages: 2 });
    const follow = await kit.runPlan(me, followPlan(kit.slotOf(await network.publicPeople(1, 27_000))));
    expect(follow).toMatchObject({ outcome: 'done', confirmed: 1 });

    await network.call('DELETE', `/accounts/${me.username}/withheld-lists`);
    const rest = await kit.runPlan(me, plan);
    expect(rest).toMatchObject({ outcome: 'done', list: { state: 'pass_ended' } });
    const rows = kit.rowsOf(end.runId, rest.runId).map(({ userId }) => userId);
    expect(rows).toHaveLength(120);
    expect(new Set(rows).size).toBe(120);
  };

  const stopsAtItsFirstPage = async (form: string) => {
    const me = await network.customer('en');
    const shop = await network.account({ followers: 60 });
    await withhold(me, form, 0);
    const stop = { class: 'list_withheld', row: 18, action: null };
    const end = await kit.runPlan(me, listPlan(shop.username));
    expect(end).toMatchObject({ outcome: 'stopped', stop, pages: 0, list: { state: 'more', cursor: null, nextPage: 0 } });
    expect(kit.pagesOf(end.runId)).toEqual([]);
    const follow = await kit.runPlan(me, followPlan(followersOf(shop.username), { budget: 2, requestPrivate: true }));
    expect(follow).toMatchObject({ outcome: 'stopped', stop, tried: 0, targetProblem: null });
  };

  describe.each(casesOf(['main', 'relay'], () => 'any build'))('from this account, in build %s', (build) => {
    beforeAll(() => useBuild(build));
    afterAll(() => useBuild('main'));
    const inTheMiddle = sideBySide(forms, stopsInTheMiddle, 2);
    it.each(forms)('in the middle (%s) stops at row 18 with the last good cursor, and nothing else is affected', (form) =>
      inTheMiddle(forms.indexOf(form)),
    );
    const atItsFirstPage = sideBySide(forms, stopsAtItsFirstPage, 2);
    it.each(forms)('from its first page on (%s) stops an extraction, and a run that looks for people to follow', (form) =>
      atItsFirstPage(forms.indexOf(form)),
    );
  });

  it('because its owner became private is explained by their profile, and not blamed on the account', async () => {
    const me = await network.customer();
    const shop = await network.account({ followers: 120 });
    kit.automations.pages.length = 0;
    kit.automations.beforePage = async () => {
      if (kit.automations.pages.at(-1)?.page === 1)
        await network.call('POST', '/accounts', { username: shop.username, followers: 120, isPrivate: true });
    };
    const end = await kit.runPlan(me, listPlan(shop.username));
    expect(end).toMatchObject({ outcome: 'done', stop: null, targetProblem: 'target_private', list: { state: 'private' } });
    expect(kit.pagesOf(end.runId).every(({ rows }) => rows.length > 0)).toBe(true);
  });

  const endsAloneAfter = async (kind: string) => {
    const me = await network.customer();
    const shop = await network.account({ followers: 60 });
    await network.object({ username: me.username, kind, call: 'followers', target: shop.username, times: null });
    const end = await kit.runPlan(me, listPlan(shop.username));
    expect(end).toMatchObject({ outcome: 'done', stop: null, targetProblem: 'list_refused', pages: 0, list: { state: 'more' } });
    expect(await kit.runPlan(me, followPlan(followersOf(shop.username), { requestPrivate: true }))).toMatchObject({
      outcome: 'done',
      stop: null,
      tried: 0,
      targetProblem: 'list_refused',
    });
  };
  testsSideBySide([
    ...['target_problem', 'spinner_for_ever'].map(
      (kind) => [`for one profile alone (${kind}) ends, and nothing stops`, () => endsAloneAfter(kind)] as const,
    ),
    [
      'is not judged when the profile of its owner cannot be read, and the next run tries again',
      async () => {
        const me = await network.customer();
        const shop = await network.account({ followers: 30 });
        await network.object({ username: me.username, kind: 'execution_error', call: 'profile', target: shop.username, times: 1 });
        const plan = listPlan(shop.username);
        expect(await kit.runPlan(me, plan)).toMatchObject({
          outcome: 'partial',
          stop: null,
          targetProblem: null,
          pages: 0,
          list: { state: 'more' },
        });
        expect(await kit.runPlan(me, plan)).toMatchObject({ outcome: 'done', list: { state: 'pass_ended' } });
        await network.object({ username: me.username, kind: 'target_problem', call: 'profile', target: shop.username, times: 1 });
        expect(await kit.runPlan(me, plan)).toMatchObject({ outcome: 'done', stop: null, targetProblem: 'list_refused', pages: 0 });
      },
    ],
  ]);
});

describe('other builds of the site', () => {
  afterEach(() => useBuild('main'));

  it('with lists by GraphQL: both lists are read and continued, and their people are followed', async () => {
    await useBuild('relay');
    const me = await network.customer();
    const shop = await network.account({ followers: 90, following: 90 });
    await network.shapeLists(shop.username, { lossRate: 0 });
    for (const list of ['followers', 'following'] as const) {
      const plan = listPlan(shop.username, { list, maxPages: 3 });
      const first = await kit.runPlan(me, plan);
      expect(first).toMatchObject({ outcome: 'partial', pages: 3, list: { state: 'more', nextPage: 3 } });
      const second = await kit.runPlan(me, { ...plan, maxPages: 200 });
      expect(second).toMatchObject({ outcome: 'done', list: { state: 'pass_ended' } });
      const rows = kit.rowsOf(first.runId, second.runId).map(({ userId }) => userId);
      expect(rows).toHaveLength(90);
      expect(new Set(rows)).toEqual(new Set((await network.list(shop.username, list)).map(({ pk }) => pk)));
    }
    const source = { kind: 'list' as const, username: shop.username };
    const follow = await kit.runPlan(me, followPlan(source, { budget: 2, requestPrivate: true }));
    expect(follow).toMatchObject({ outcome: 'done', tried: 2, confirmed: 2 });
    expect(await network.verdicts(me.username)).toEqual([]);
  });

  it('with the profile inside its document, where the page does not request it: people are followed, unfollowed and listed all the same', async () => {
    await useBuild('preloading');
    const me = await network.customer('pt', { followers: 30 });
    const shop = await network.account({ followers: 40 });
    const source = { kind: 'list' as const, username: shop.username };
    const follow = await kit.runPlan(me, followPlan(source, { budget: 2, requestPrivate: true }));
    expect(follow).toMatchObject({ outcome: 'done', tried: 2, confirmed: 2 });
    const followed = (await network.actions(me.username)).map(({ targetId, target }) => ({ pk: targetId!, username: target! }));
    expect(await kit.runPlan(me, unfollowPlan(followed))).toMatchObject({ outcome: 'done', tried: 2, confirmed: 2 });
    // The document is the only place where our own profile is.
    expect(await kit.runPlan(me, listPlan(me.username))).toMatchObject({
      outcome: 'done',
      list: { state: 'pass_ended', profileTotal: 30 },
    });
    expect(await network.verdicts(me.username)).toEqual([]);
  });
});
