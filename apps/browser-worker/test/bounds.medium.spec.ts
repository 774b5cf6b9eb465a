import type { PlanOf } from '@decola/contracts';
import { freePort, longOnly } from '@decola/testing';
import { httpSite } from './support/http-site.js';
import { checkSession, followPlan, jobFor, listPlan, openReservation, paceOf, type TestSession } from './support/jobs.js';
import { Network, type NetworkPerson } from './support/network.js';
import { testsSideBySide } from './support/side-by-side.js';
import { withKit, workerSuite } from './support/worker-kit.js';

describe('a limit of a run', () => {
  const { network, kit } = workerSuite();
  let people: NetworkPerson[];
  beforeAll(async () => {
    people = await network.publicPeople(12, 29_000);
  });

  const follow = (targets: readonly NetworkPerson[], budget = 5) => followPlan(kit.slotOf(targets), { budget });
  /** Documents that the network served to an account. */
  const documents = async (me: TestSession) => (await network.ledger({ account: me.username, action: 'page_view' })).length;

  describe('by page views', () => {
    testsSideBySide([
      [
        'counts every document that was opened, and every message contains the number so far',
        async () => {
          const me = await network.customer();
          const job = jobFor(me, follow(people.slice(0, 2), 2));
          const end = await kit.run(job);
          expect(end).toMatchObject({ outcome: 'done', confirmed: 2 });
          // `/`, our own profile, and for each person the visit and the reload that proves the outcome.
          expect(end.pageViews).toBe(6);
          expect(await documents(me)).toBe(6);
          const reported = [
            kit.automations.startedRuns.find(({ runId }) => runId === job.runId)!.pageViews,
            ...kit.automations.questions.filter(({ runId }) => runId === job.runId).map(({ pageViews }) => pageViews),
            ...kit.actionsOf(job.runId).map(({ pageViews }) => pageViews),
          ];
          expect(reported).toEqual([0, 2, 4, 4, 6]);
          expect(kit.automations.tries.filter(({ runId }) => runId === job.runId).map(({ pageViews }) => pageViews)).toEqual([3, 5]);
        },
      ],
      [
        'begins with another person only when a visit and its proof are left',
        async () => {
          const me = await network.customer();
          const end = await kit.runPlan(me, follow(people.slice(2, 5)), { mostPageViews: 5 });
          expect(end).toMatchObject({ outcome: 'partial', stop: null, targetProblem: 'page_views', tried: 1, confirmed: 1, pageViews: 4 });
          expect(await documents(me)).toBe(4);
          expect(kit.automations.reservations.filter(({ runId }) => runId === end.runId)).toHaveLength(1);
        },
      ],
      [
        'opens nothing when none are left, and leaves open reservations to another run',
        async () => {
          const me = await network.customer();
          const none = await kit.runPlan(me, follow(people.slice(5, 6)), { mostPageViews: 0 });
          expect(none).toMatchObject({ outcome: 'partial', targetProblem: 'page_views', pageViews: 0 });
          expect(await network.ledger({ account: me.username })).toEqual([]);
          const shop = await network.account({ followers: 30 });
          const unsettled = [openReservation('follow', people[5]!)];
          const list = await kit.runPlan(me, listPlan(shop.username), { mostPageViews: 1, unsettled });
          expect(list).toMatchObject({ outcome: 'partial', targetProblem: 'page_views', pages: 0, list: null });
          expect(kit.actionsOf(list.runId)).toEqual([]);
          expect(await documents(me)).toBe(1);
        },
      ],
      ...longOnly([
        [
          'is not spent on people who are private according to their row',
          async () => {
            const me = await network.customer();
            const shop = await network.account({ followers: 40 });
            const end = await kit.runPlan(me, followPlan({ kind: 'list', username: shop.username }, { budget: 2 }));
            expect(end).toMatchObject({ outcome: 'done', tried: 2, confirmed: 2 });
            const followers = await network.list(shop.username, 'followers');
            const privateOnes = followers.filter(({ isPrivate }) => isPrivate);
            const names = new Set(privateOnes.map(({ username }) => username));
            const visited = (await network.ledger({ account: me.username, action: 'page_view' })).map(({ target }) => target!);
            expect(names.size).toBeGreaterThan(0);
            expect(visited.filter((name) => names.has(name))).toEqual([]);
            const proposed = kit.automations.proposedBy(end.runId);
            expect(privateOnes.filter(({ pk }) => proposed.includes(pk))).toEqual([]);
          },
        ],
      ] as const),
    ]);
  });

  describe('by quiet hours', () => {
    const inTenMinutes = () => new Date(Date.now() + 600_000).toISOString();
    const longPause = paceOf(600_000);
    afterEach(() => (kit.clock.aheadMs = 0));

    it('ends the pause after an action; the action under way is finished', async () => {
      const me = await network.customer();
      // They begin while the first person is being followed.
      kit.automations.beforeTrying = () => {
        kit.clock.aheadMs = 600_000;
        return Promise.resolve();
      };
      const end = await kit.runPlan(me, follow(people.slice(6, 8)), { pace: longPause, endsAt: inTenMinutes() });
      expect(end).toMatchObject({ outcome: 'partial', stop: null, targetProblem: null, tried: 1, confirmed: 1 });
      expect(await network.actions(me.username)).toHaveLength(1);
    });

    it('ends a list between two pages, and lets no run begin', async () => {
      const me = await network.customer();
      const shop = await network.account({ followers: 120 });
      kit.automations.beforePage = () => {
        if (kit.automations.pages.filter(({ accountKey }) => accountKey.endsWith(me.networkUserId)).length === 1)
          kit.clock.aheadMs = 600_000;
        return Promise.resolve();
      };
      const end = await kit.runPlan(me, listPlan(shop.username), { endsAt: inTenMinutes() });
      expect(end).toMatchObject({ outcome: 'partial', stop: null, list: { state: 'more', nextPage: end.pages } });
      expect(end.pages).toBeGreaterThan(0);
      const before = await documents(me);
      const late = await kit.runPlan(me, listPlan(shop.username), { endsAt: new Date().toISOString() });
      expect(late).toMatchObject({ outcome: 'partial', stop: null, pages: 0 });
      expect(await documents(me)).toBe(before);
    });

    it('cuts short a pause that reaches into them', async () => {
      const me = await network.customer();
      kit.automations.beforeTrying = () => {
        kit.clock.aheadMs = 595_000; // five seconds are left, and the pause is ten minutes
        return Promise.resolve();
      };
      const end = await kit.runPlan(me, follow(people.slice(6, 8)), { pace: longPause, endsAt: inTenMinutes() });
      expect(end).toMatchObject({ outcome: 'partial', stop: null, tried: 1, confirmed: 1 });
    });
  });

  describe('by the language', () => {
    it('that is neither Portuguese nor English ends the run before anything is done', async () => {
      const { username } = await network.account({ followers: 20, following: 20 });
      const me = await network.session(username, 'es');
      const end = await kit.runPlan(me, follow(people.slice(8, 9), 1));
      expect(end).toMatchObject({
        outcome: 'stopped',
        stop: { class: 'unknown_language', row: null, action: null, evidence: { language: 'es' } },
        tried: 0,
        skipped: 0,
        username,
      });
      expect(await documents(me)).toBe(1);
      expect(kit.actionsOf(end.runId)).toEqual([]);
    });

    it("is never the server's: language and time zone of the browser are the customer's", async () => {
      const asked: Record<string, string | undefined>[] = [];
      const site = await httpSite((request, response) => {
        const { pathname, searchParams } = new URL(request.url!, 'http://x');
        if (pathname === '/api/v1/zone/') asked.push({ zone: searchParams.get('zone')!, header: request.headers['accept-language'] });
        response.writeHead(200, { 'content-type': pathname === '/' ? 'text/html' : 'application/json' });
        const script = `fetch('/api/v1/zone/?zone=' + Intl.DateTimeFormat().resolvedOptions().timeZone + ' ' + navigator.language)
          .then(() => { document.body.innerHTML = '<form><input name="password"></form>'; })`;
        response.end(pathname === '/' ? `<!doctype html><body><script>${script}</script>` : '{"status":"ok"}');
      });
      try {
        await withKit(site.url, {}, async (other) => {
          const me = await network.customer();
          await other.runPlan(me, checkSession);
          await other.runPlan(me, checkSession, { browser: { locale: 'en-GB', timeZone: 'Europe/London' } });
        });
        expect(asked).toEqual([
          { zone: 'America/Sao_Paulo pt-BR', header: expect.stringMatching(/^pt-BR/) as string },
          { zone: 'Europe/London en-GB', header: expect.stringMatching(/^en-GB/) as string },
        ]);
      } finally {
        await site.dispose();
      }
    });
  });

  describe('by our own outage', () => {
    const noConnection = { outcome: 'stopped', stop: { class: 'no_connection', row: null } };
    const withMortalNetwork = async (work: (mortal: Network) => Promise<void>) => {
      const mortal = await new Network().start();
      try {
        await work(mortal);
      } finally {
        await mortal.stop();
      }
    };

    testsSideBySide([
      [
        'when nobody answers blames nobody',
        async () => {
          const me = await network.customer();
          await withKit(`http://127.0.0.1:${await freePort()}`, {}, async (other) => {
            expect(await other.runPlan(me, checkSession)).toMatchObject(noConnection);
          });
        },
      ],
      [
        'when the very first document is refused with 429 does not count as a rate limit',
        async () => {
          const me = await network.customer();
          await network.object({ username: me.username, kind: 'rate_limit', call: 'page', times: 1 });
          expect(await kit.runPlan(me, checkSession)).toMatchObject(noConnection);
        },
      ],
      [
        'while a list is read keeps the list open',
        () =>
          withMortalNetwork((mortal) =>
            withKit(mortal.url, {}, async (other) => {
              const me = await mortal.customer();
              const shop = await mortal.account({ followers: 300 });
              other.automations.beforePage = () => (other.automations.pages.length === 2 ? mortal.stop() : Promise.resolve());
              expect(await other.runPlan(me, listPlan(shop.username))).toMatchObject({ ...noConnection, list: { state: 'more' } });
            }),
          ),
      ],
      ...longOnly([
        [
          'between two people skips the second one',
          () =>
            withMortalNetwork((mortal) =>
              withKit(mortal.url, {}, async (other) => {
                const me = await mortal.customer();
                other.automations.afterReserve = () => (other.automations.reservations.length === 2 ? mortal.stop() : Promise.resolve());
                const source = other.slotOf(await mortal.publicPeople(2, 1_000));
                const end = await other.runPlan(me, followPlan(source, { budget: 2 }));
                expect(end).toMatchObject({ ...noConnection, tried: 1, confirmed: 1, skipped: 1 });
              }),
            ),
        ],
      ] as const),
    ]);
  });

  for (const name of longOnly(['by a source without anybody is reported']))
    it(name, async () => {
      const me = await network.customer();
      const shop = await network.account({ followers: 0 });
      const closed = await network.privatePeople(3, 29_000);
      const from = (source: PlanOf<'follow'>['source']) => kit.runPlan(me, followPlan(source));
      const empty = { outcome: 'done', stop: null, tried: 0, targetProblem: 'source_empty' };
      expect(await from({ kind: 'list', username: shop.username })).toMatchObject(empty);
      expect(await from(kit.slotOf([]))).toMatchObject(empty);
      expect(await from({ kind: 'hashtag', hashtag: 'zznobody' })).toMatchObject(empty);
      // A source of people who are all skipped is not empty.
      expect((await from(kit.slotOf(closed))).targetProblem).toBeNull();
    });
});
