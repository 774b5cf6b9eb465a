import { setTimeout as sleep } from 'node:timers/promises';
import { longOnly } from '@decola/testing';
import { extractList } from '../src/tools/followers-following-extractor.js';
import { drawTwoFrames } from '../src/driver/page-scripts.js';
import { ChannelSilentError } from '../src/runs/run.errors.js';
import { listPlan } from './support/jobs.js';
import { testsSideBySide } from './support/side-by-side.js';
import { withKit, workerSuite } from './support/worker-kit.js';

/** In which nothing may happen. */
const quietMs = 300;

describe('the extraction of a list in a real browser', () => {
  const { network, kit } = workerSuite();

  const continuesInTheMiddle = async () => {
    const me = await network.customer('en');
    const shop = await network.account({ following: 100 });
    await network.shapeLists(shop.username, { lossRate: 0 });
    const plan = listPlan(shop.username, { list: 'following', maxPages: 4 });
    const rows: string[] = [];
    const numbers: number[] = [];
    for (let run = 0; run < 10; run += 1) {
      const end = await kit.runPlan(me, plan);
      for (const page of kit.pagesOf(end.runId)) {
        rows.push(...page.rows.map(({ userId }) => userId));
        numbers.push(page.page);
      }
      if (end.list!.state !== 'more') break;
      expect(end.outcome).toBe('partial');
    }
    const truth = await network.list(shop.username, 'following');
    expect(rows).toHaveLength(100);
    expect(new Set(rows)).toEqual(new Set(truth.map(({ pk }) => pk)));
    expect(numbers).toEqual(numbers.map((_, index) => index)); // every page once
    // To the network it is one pass, without a cursor that it did not give out.
    const passes = (await network.ledger({ account: me.username, action: 'list_page' })).map(({ detail }) => detail['pass']);
    expect(new Set(passes).size).toBe(1);
    expect(await network.verdicts(me.username)).toEqual([]);
  };

  testsSideBySide([
    [
      'reads some hundred followers page by page to the end of the list',
      async () => {
        const me = await network.customer();
        const shop = await network.account({ followers: 200 });
        await network.shapeLists(shop.username, { lossRate: 0 });
        const end = await kit.runPlan(me, listPlan(shop.username));
        expect(end).toMatchObject({
          outcome: 'done',
          targetProblem: null,
          list: { state: 'pass_ended', cursor: null, pass: 1, profileTotal: 200, nextPage: end.pages },
        });
        const pages = kit.pagesOf(end.runId);
        expect(pages.map(({ page }) => page)).toEqual(pages.map((_, index) => index));
        expect(pages.at(-1)).toMatchObject({ cursor: null, end: 'pass_ended' });
        expect(new Set(pages.slice(0, -1).map(({ end }) => end))).toEqual(new Set([null]));
        const rows = kit.rowsOf(end.runId);
        const truth = await network.list(shop.username, 'followers');
        expect(new Set(rows.map(({ userId }) => userId))).toEqual(new Set(truth.map(({ pk }) => pk)));
        expect(rows).toHaveLength(200);
        expect(await network.verdicts(me.username)).toEqual([]);
      },
    ],
    ['continues in the middle, at the cursor of the run before', continuesInTheMiddle],
    [
      'opens no session for a run that is not wanted any more, and stops reading when it is not',
      () =>
        withKit(network.url, { confirmWantedEveryMs: 0 }, async (impatient) => {
          const me = await network.customer();
          const shop = await network.account({ followers: 300 });
          impatient.automations.beforePage = () => {
            impatient.automations.isWanted = impatient.automations.pages.length < 2;
            return Promise.resolve();
          };
          const end = await impatient.runPlan(me, listPlan(shop.username));
          expect(end).toMatchObject({ outcome: 'partial', stop: null, list: { state: 'more', nextPage: 3 } });
          expect(impatient.automations.pages).toHaveLength(3);

          const before = (await network.ledger({ account: me.username })).length;
          const never = await impatient.runPlan(me, listPlan(shop.username));
          expect(never).toMatchObject({ outcome: 'partial', pages: 0 });
          expect(await network.ledger({ account: me.username })).toHaveLength(before);
        }),
    ],
    [
      'reports how a list ended: private, gone, cut by the network, or empty',
      async () => {
        const me = await network.customer();
        const closed = await network.account({ followers: 40, isPrivate: true });
        expect(await kit.runPlan(me, listPlan(closed.username))).toMatchObject({
          outcome: 'done',
          targetProblem: 'target_private',
          pages: 0,
          list: { state: 'private', profileTotal: 40 },
        });
        await network.tie(me.username, closed.username, 'following');
        expect(await kit.runPlan(me, listPlan(closed.username))).toMatchObject({ outcome: 'done', list: { state: 'pass_ended' } });

        const gone = await network.account({ presence: 'gone_200' });
        expect(await kit.runPlan(me, listPlan(gone.username))).toMatchObject({
          outcome: 'done',
          targetProblem: 'target_gone',
          pages: 0,
          list: { state: 'more' },
        });

        const cut = await network.account({ followers: 200 });
        await network.shapeLists(cut.username, { limited: true });
        const limited = await kit.runPlan(me, listPlan(cut.username));
        expect(limited).toMatchObject({ outcome: 'done', list: { state: 'limited_by_network', profileTotal: 200 } });
        expect(kit.rowsOf(limited.runId).length).toBeGreaterThan(40);
        expect(kit.pagesOf(limited.runId).at(-1)).toMatchObject({ cursor: null, end: 'limited_by_network' });

        const lonely = await network.account({ followers: 0, following: 0 });
        expect(await kit.runPlan(me, listPlan(lonely.username))).toMatchObject({
          outcome: 'done',
          pages: 0,
          list: { state: 'pass_ended', profileTotal: 0 },
        });
        expect(await network.verdicts(me.username)).toEqual([]);
      },
    ],
    [
      'continues after a page that had to be reloaded',
      async () => {
        const me = await network.customer();
        const shop = await network.account({ followers: 100 });
        await network.shapeLists(shop.username, { lossRate: 0, stableOrder: true });
        await network.object({ username: me.username, kind: 'html_instead_of_json', call: 'followers', afterCalls: 3, times: 1 });
        const end = await kit.runPlan(me, listPlan(shop.username));
        expect(end).toMatchObject({ outcome: 'done', list: { state: 'pass_ended' } });
        const rows = kit.rowsOf(end.runId).map(({ userId }) => userId);
        expect(rows).toHaveLength(100);
        expect(new Set(rows).size).toBe(100);
      },
    ],
    [
      'stops at its limit of pages, and opens nothing with a limit of zero',
      async () => {
        const me = await network.customer();
        const shop = await network.account({ followers: 100 });
        const plan = listPlan(shop.username, { maxPages: 2 });
        const first = await kit.runPlan(me, plan);
        expect(first).toMatchObject({ outcome: 'partial', pages: 2, list: { state: 'more', nextPage: 2 } });
        expect(first.list!.cursor).not.toBeNull();
        expect(await kit.runPlan(me, { ...plan, maxPages: 0 })).toMatchObject({
          outcome: 'partial',
          pages: 0,
          list: { state: 'more', cursor: first.list!.cursor, nextPage: 2 },
        });
      },
    ],
    [
      'opens no list that is over or deleted, as extraction answers',
      async () => {
        const me = await network.customer();
        const shop = await network.account({ followers: 20 });
        for (const state of ['over', 'gone'] as const) {
          const plan = listPlan(shop.username);
          kit.automations.places.set(plan.extractedDataId, { state });
          expect(await kit.runPlan(me, plan)).toMatchObject({ outcome: 'done', stop: null, targetProblem: null, pages: 0, list: null });
        }
        expect(await network.ledger({ account: me.username, action: 'list_page' })).toEqual([]);
      },
    ],
    ...longOnly([
      [
        'continues at the long cursor of our own followers',
        async () => {
          const me = await network.customer('pt', { followers: 80 });
          await network.shapeLists(me.username, { lossRate: 0 });
          const plan = listPlan(me.username);
          const first = await kit.runPlan(me, { ...plan, maxPages: 3 });
          expect(first.list!.cursor!.length).toBeGreaterThan(100);
          const second = await kit.runPlan(me, plan);
          expect(second.list).toMatchObject({ state: 'pass_ended' });
          expect(new Set(kit.rowsOf(first.runId, second.runId).map(({ userId }) => userId)).size).toBe(80);
          expect(await network.verdicts(me.username)).toEqual([]);
        },
      ],
      [
        'names a new reading in each run, in its pages and its end',
        async () => {
          const me = await network.customer();
          const shop = await network.account({ followers: 60 });
          const plan = listPlan(shop.username, { maxPages: 2 });
          const ends = [await kit.runPlan(me, plan), await kit.runPlan(me, plan)];
          for (const end of ends) {
            expect(end.list!.reading).toEqual(expect.any(String));
            expect(kit.pagesOf(end.runId).map(({ reading }) => reading)).toEqual([end.list!.reading, end.list!.reading]);
          }
          expect(ends[0]!.list!.reading).not.toBe(ends[1]!.list!.reading);
        },
      ],
    ] as const),
  ]);

  it('requests no further page before the last one is stored', async () => {
    const me = await network.customer();
    const shop = await network.account({ followers: 60 });
    const listPages = async () => (await network.ledger({ account: me.username, action: 'list_page' })).length;
    const readWhileHeld: number[] = [];
    kit.automations.beforePage = async () => {
      const before = await listPages();
      // The site itself asks for the second page: the first one does not fill its box.
      if (before < 2) return;
      await sleep(quietMs);
      readWhileHeld.push((await listPages()) - before);
    };
    const end = await kit.runPlan(me, listPlan(shop.username));
    expect(end.list!.state).toBe('pass_ended');
    expect(readWhileHeld.length).toBeGreaterThanOrEqual(4);
    expect(readWhileHeld.every((pages) => pages === 0)).toBe(true);
  });

  it('names no list when nobody answers before its first page is stored, and the list after it', () =>
    withKit(network.url, {}, async (interrupted) => {
      const me = await network.customer();
      const shop = await network.account({ followers: 300 });
      let storedPages = 0;
      interrupted.automations.beforePage = () =>
        interrupted.automations.pages.length < storedPages
          ? Promise.resolve()
          : Promise.reject(new ChannelSilentError('run.page', new Error('the broker is away')));
      expect(await interrupted.runPlan(me, listPlan(shop.username))).toMatchObject({
        outcome: 'partial',
        stop: null,
        pages: 0,
        list: null,
      });
      storedPages = 2;
      expect(await interrupted.runPlan(me, listPlan(shop.username))).toMatchObject({
        outcome: 'partial',
        stop: null,
        pages: 2,
        list: { state: 'more', nextPage: 2 },
      });
    }));

  for (const [name, test] of longOnly([
    [
      'scrolls once for each page, also where the page reacts late to scrolling',
      async () => {
        /** Counts turns of the wheel, and keeps the page busy after each scroll for longer than the driver waits for a call. */
        const reactLate = () => {
          const counted = window as unknown as { turns: number };
          counted.turns = 0;
          addEventListener('wheel', () => (counted.turns += 1), { capture: true, passive: true });
          const keepBusy = () => {
            for (const end = performance.now() + 500; performance.now() < end;);
          };
          addEventListener('scroll', keepBusy, { capture: true });
        };
        let countTurns: () => Promise<number> = () => Promise.resolve(0);
        const onSlowPage: typeof extractList = {
          ...extractList,
          async read(plan, parts) {
            const { page } = parts.tab;
            await page.addInitScript(reactLate);
            countTurns = async () => {
              await page.evaluate(drawTwoFrames); // what was turned before has arrived
              return page.evaluate(() => (window as unknown as { turns: number }).turns);
            };
            return extractList.read(plan, parts);
          },
        };
        await withKit(network.url, { modules: { 'extract-list': onSlowPage } }, async (slow) => {
          // Sizes of pages follow from both names; with these no page is so short that the site asks for the next one without being scrolled.
          const me = await network.customer('pt', { username: 'slow.reader' });
          const shop = await network.account({ username: 'slow.shop', followers: 48 });
          await network.shapeLists(shop.username, { lossRate: 0 });
          const turns: number[] = [];
          slow.automations.beforePage = async () => void turns.push(await countTurns());
          const end = await slow.runPlan(me, listPlan(shop.username));
          expect(end.list!.state).toBe('pass_ended');
          expect(turns).toEqual(slow.pagesOf(end.runId).map((_, index) => index));
          expect(turns.length).toBeGreaterThanOrEqual(4);
        });
      },
    ],
    [
      'continues in the middle also in a build of the site with another structure',
      async () => {
        await network.call('POST', '/build', { name: 'drift' });
        await continuesInTheMiddle();
      },
    ],
  ] as const))
    it(name, test);
});
