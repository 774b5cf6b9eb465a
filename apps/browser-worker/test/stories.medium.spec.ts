import type { PlanOf } from '@decola/contracts';
import { longOnly } from '@decola/testing';
import { storiesOf, teller } from './support/acting-work.js';
import { openReservation, viewStoryPlan } from './support/jobs.js';
import { Network, type NetworkPerson } from './support/network.js';
import { sideBySide, testsSideBySide } from './support/side-by-side.js';
import { withKit, workerSuite } from './support/worker-kit.js';

// A journey in the gate watches the stories of the feed (apps/e2e/tests/tools.spec.ts).
for (const [build, root] of longOnly([
  ['main', 'xdt_mark_story_reel_seen'],
  ['drift', 'stories/reel/seen'],
  ['relay', 'xdt_mark_story_reel_seen'],
  ['preloading', 'xdt_mark_story_reel_seen'],
] as const))
  describe(`watching stories on the pages of the build ${build}`, () => {
    const network = new Network();
    beforeAll(() => network.start(build));
    afterAll(() => network.stop());

    const sources = ['feed', 'hashtag', 'slot'] as const;
    const cases = sources.flatMap((source) => (['pt', 'en'] as const).map((language) => [source, language] as const));
    const run = sideBySide(cases, ([kind, language]) =>
      withKit(network.url, {}, async (kit) => {
        const me = await network.customer(language, { following: 0 });
        const people = [await teller(network), await teller(network)];
        if (kind === 'feed') for (const { username } of people) await network.tie(me.username, username, 'following');
        const tag = `zz${build}${language}`;
        if (kind === 'hashtag')
          for (const { username } of people) await network.call('POST', '/posts', { username, caption: `hoje #${tag}` });
        const source: PlanOf<'view-story'>['source'] =
          kind === 'feed' ? { kind } : kind === 'hashtag' ? { kind, hashtag: tag } : kit.slotOf(people);
        const end = await kit.runPlan(me, viewStoryPlan(source, { budget: 2 }));
        expect(end).toMatchObject({ outcome: 'done', stop: null, tried: 2, confirmed: 2 });
        expect(kit.actionsOf(end.runId).map(({ outcome, proof }) => [outcome, proof['root']])).toEqual(Array(2).fill(['confirmed', root]));
        // One story of each person, the oldest that was not seen, and nothing else in the viewer.
        const seen = (await network.actions(me.username)).map(({ action, target, targetId }) => [action, target, targetId]);
        const first = people.map(({ username, items }) => ['view_story', username, items[0]!.pk]);
        expect(seen.sort()).toEqual(first.sort());
        // Start page, the page with the people (none for a slot), a page for each story.
        expect(end.pageViews).toBe(kind === 'slot' ? 1 + 2 : 2 + 2);
        expect(await network.verdicts(me.username)).toEqual([]);
      }),
    );
    it.each(cases)('watches one story of each person of a %s, in %s', (source, language) =>
      run(cases.findIndex((one) => one[0] === source && one[1] === language)),
    );

    it('watches nothing on a page in Spanish', () =>
      withKit(network.url, {}, async (kit) => {
        const { username } = await network.account();
        const me = await network.session(username, 'es');
        const end = await kit.runPlan(me, viewStoryPlan({ kind: 'feed' }));
        expect(end).toMatchObject({ outcome: 'stopped', stop: { class: 'unknown_language' }, tried: 0, pageViews: 1 });
        expect(await network.actions(username)).toEqual([]);
      }));
  });

describe('a story', () => {
  const { network, kit } = workerSuite();
  const watch = (me: Awaited<ReturnType<Network['customer']>>, people: readonly NetworkPerson[], budget = 5) =>
    kit.runPlan(me, viewStoryPlan(kit.slotOf(people), { budget }));

  testsSideBySide([
    [
      'that is our own, for close friends, seen already, or not there is not watched',
      async () => {
        const me = await network.customer('pt', { following: 0 });
        await storiesOf(network, me.username, [{}]);
        const closed = await network.account();
        await network.tie(me.username, closed.username, 'following');
        await storiesOf(network, closed.username, [{ closeFriends: true }]);
        const silent = await network.account({ posts: 1 });
        await storiesOf(network, silent.username, []);
        const gone = await network.account({ presence: 'gone_404' });
        const known = await network.account();
        await storiesOf(network, known.username, [{}]);
        const mine = { pk: me.networkUserId, username: me.username } as NetworkPerson;
        const people = [mine, closed, silent, gone, known];
        const end = await watch(me, people);
        expect(end).toMatchObject({ outcome: 'done', stop: null, tried: 1, confirmed: 1 });
        expect(kit.outcomesOf(end.runId)).toEqual(['story_closed', 'no_story', 'no_story', 'confirmed']);
        // Another ledger does not know that the story was watched; the page does.
        await withKit(network.url, {}, async (other) => {
          const again = await other.runPlan(me, viewStoryPlan(other.slotOf([known])));
          expect(other.outcomesOf(again.runId)).toEqual(['already_so']);
        });
        expect((await network.actions(me.username)).map(({ target }) => target)).toEqual([known.username]);
        expect(await network.verdicts(me.username)).toEqual([]);
      },
    ],
    [
      'whose seen call is refused stops the account',
      async () => {
        const me = await network.customer('pt', { following: 0 });
        const people = [await teller(network), await teller(network)];
        await network.object({ username: me.username, kind: 'feedback_required', call: 'view_story', times: null });
        const end = await watch(me, people);
        expect(end).toMatchObject({ outcome: 'stopped', stop: { class: 'action_blocked', action: 'view-story' }, tried: 1, confirmed: 0 });
        expect(kit.outcomesOf(end.runId)).toEqual(['refused']);
        expect(await network.verdicts(me.username)).toEqual([]);
      },
    ],
    ...longOnly([
      [
        'whose video does not play does not count',
        async () => {
          const me = await network.customer('pt', { following: 0 });
          const broken = await network.account();
          await storiesOf(network, broken.username, [{ type: 'video', plays: false }, {}]);
          const playing = await network.account();
          await storiesOf(network, playing.username, [{ type: 'video' }]);
          const end = await watch(me, [broken, playing]);
          expect(kit.outcomesOf(end.runId)).toEqual(['story_unplayable', 'confirmed']);
          expect((await network.actions(me.username)).map(({ target }) => target)).toEqual([playing.username]);
        },
      ],
      [
        'of somebody who was muted, or who is live, is not taken from the tray',
        async () => {
          const me = await network.customer('pt', { following: 0 });
          const [muted, live, open] = [await teller(network), await network.account(), await teller(network)];
          for (const { username } of [muted, live, open]) await network.tie(me.username, username, 'following');
          await network.call('PUT', `/accounts/${live.username}/stories`, { items: [], live: true });
          await network.call('PUT', `/accounts/${me.username}/muted-stories`, { usernames: [muted.username] });
          await storiesOf(network, me.username, [{}]);
          const end = await kit.runPlan(me, viewStoryPlan({ kind: 'feed' }, { budget: 5 }));
          expect(end).toMatchObject({ outcome: 'done', stop: null, confirmed: 1 });
          expect((await network.actions(me.username)).map(({ target }) => target)).toEqual([open.username]);
          expect(await network.verdicts(me.username)).toEqual([]);
        },
      ],
      [
        'whose seen call is not answered is reported without proof',
        async () => {
          const me = await network.customer('pt', { following: 0 });
          const person = await teller(network);
          await network.object({ username: me.username, kind: 'spinner_for_ever', call: 'view_story' });
          const end = await watch(me, [person], 1);
          expect(end).toMatchObject({ tried: 1, confirmed: 0 });
          expect(kit.outcomesOf(end.runId)).toEqual(['not_confirmed']);
        },
      ],
      [
        'of an earlier run cannot be looked up',
        async () => {
          const me = await network.customer('pt', { following: 0 });
          const person = await teller(network);
          const unsettled = [openReservation('view-story', person)];
          const end = await kit.runPlan(me, viewStoryPlan(kit.slotOf([]), { budget: 0 }), { unsettled });
          expect(kit.actionsOf(end.runId)).toMatchObject([{ settled: true, outcome: 'unknown' }]);
          expect(end.pageViews).toBe(1);
        },
      ],
    ] as const),
  ]);

  it('is announced before it is shown, and is watched', async () => {
    const me = await network.customer('pt', { following: 0 });
    const person = await teller(network);
    const before: number[] = [];
    kit.automations.beforeTrying = async () => void before.push((await network.actions(me.username)).length);
    const end = await watch(me, [person], 1);
    expect(before).toEqual([0]);
    const target = { targetId: person.pk, username: person.username };
    expect(kit.automations.tries.filter(({ runId }) => runId === end.runId)).toMatchObject([{ action: 'view-story', target }]);
    expect(kit.actionsOf(end.runId)).toMatchObject([{ target, outcome: 'confirmed' }]);
    expect(await network.actions(me.username)).toHaveLength(1);
  });
});
