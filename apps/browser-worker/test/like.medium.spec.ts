import type { PlanOf, UnsettledReservation } from '@decola/contracts';
import { longOnly } from '@decola/testing';
import { authorOf, likePlan, openPostReservation, openReservation, type TestSession } from './support/jobs.js';
import { Network } from './support/network.js';
import { sideBySide, testsSideBySide } from './support/side-by-side.js';
import { withKit, workerSuite } from './support/worker-kit.js';

const hashtag = (name = 'doces') => ({ kind: 'hashtag' as const, hashtag: name });
const proofOf = (root: string) => ({ root, answer: 'liked', heart: 'liked', heartAfterReload: 'liked', status: 200 });

// A journey in the gate likes the posts of a hashtag (apps/e2e/tests/tools.spec.ts).
for (const [build, root] of longOnly([
  ['main', 'xig_media_like'],
  ['drift', 'xdt_mark_media_like'],
  ['relay', 'xig_media_like'],
  ['preloading', 'xig_media_like'],
] as const))
  describe(`liking on the pages of the build ${build}`, () => {
    const network = new Network();
    beforeAll(() => network.start(build));
    afterAll(() => network.stop());

    const sources = ['hashtag', 'feed', 'slot'] as const;
    const cases = sources.flatMap((source) => (['pt', 'en'] as const).map((language) => [source, language] as const));
    const run = sideBySide(cases, ([kind, language]) =>
      withKit(network.url, {}, async (kit) => {
        const me = await network.customer(language);
        const posts = await network.posts(2);
        if (kind === 'feed') for (const { username } of posts) await network.tie(me.username, username, 'following');
        const source: PlanOf<'like'>['source'] =
          kind === 'hashtag' ? hashtag() : kind === 'feed' ? { kind } : kit.slotOf(posts.map(authorOf));
        const end = await kit.runPlan(me, likePlan(source, { budget: 2 }));
        expect(end).toMatchObject({ outcome: 'done', stop: null, tried: 2, confirmed: 2 });
        expect(kit.actionsOf(end.runId).map(({ outcome, proof }) => [outcome, proof])).toEqual(Array(2).fill(['confirmed', proofOf(root)]));
        const liked = (await network.actions(me.username)).map(({ action, result, targetId }) => [action, result, targetId]);
        const targets = kit.actionsOf(end.runId).map(({ target }) => target);
        expect(liked).toEqual(targets.map(({ targetId }) => ['like', 'done', targetId]));
        for (const { postCode } of targets) expect(await network.likers(postCode!)).toContain(me.username);
        if (kind === 'slot') expect(targets.map(({ targetId }) => targetId)).toEqual(posts.map(({ pk }) => pk));
        // Start page, the page with the posts (for a slot one for each person), each post and its proof.
        expect(end.pageViews).toBe(kind === 'slot' ? 1 + 3 * 2 : 2 + 2 * 2);
        expect(await network.verdicts(me.username)).toEqual([]);
      }),
    );
    it.each(cases)('likes posts of a %s, in %s', (source, language) =>
      run(cases.findIndex((one) => one[0] === source && one[1] === language)),
    );

    it('likes nothing on a page in Spanish', () =>
      withKit(network.url, {}, async (kit) => {
        const { username } = await network.account();
        const me = await network.session(username, 'es');
        const end = await kit.runPlan(me, likePlan(hashtag()));
        expect(end).toMatchObject({ outcome: 'stopped', stop: { class: 'unknown_language' }, tried: 0, pageViews: 1 });
        expect(await network.actions(username)).toEqual([]);
      }));

    it('settles an earlier like by the heart', () =>
      withKit(network.url, {}, async (kit) => {
        const me = await network.customer();
        const [liked, unliked] = await network.posts(2);
        await network.call('POST', '/likes', { username: me.username, post: liked.code });
        const unsettled = [liked, unliked].map((post) => openPostReservation('like', post));
        const end = await kit.runPlan(me, likePlan(kit.slotOf([]), { budget: 0 }), { unsettled });
        expect(kit.actionsOf(end.runId).map(({ settled, outcome }) => [settled, outcome])).toEqual([
          [true, 'confirmed'],
          [true, 'not_confirmed'],
        ]);
        expect(end.pageViews).toBe(3);
        expect(await network.actions(me.username)).toEqual([]);
      }));
  });

describe('a post', () => {
  const { network, kit } = workerSuite();
  const like = (me: TestSession, people: Parameters<typeof kit.slotOf>[0], budget = 5) =>
    kit.runPlan(me, likePlan(kit.slotOf(people), { budget }));

  testsSideBySide([
    [
      'that nobody may open, or that we like already, is not proposed',
      async () => {
        const me = await network.customer();
        const [liked, open] = await network.posts(2);
        const closed = await network.post({}, { isPrivate: true });
        const followed = await network.post({}, { isPrivate: true });
        const empty = await network.account({ posts: 0 });
        const gone = await network.account({ presence: 'gone_404' });
        await network.call('POST', '/likes', { username: me.username, post: liked.code });
        await network.tie(me.username, followed.username, 'following');
        const mine = { pk: me.networkUserId, username: me.username };
        const people = [mine, authorOf(liked), authorOf(closed), empty, gone, authorOf(followed), authorOf(open)];
        const end = await like(me, people);
        expect(end).toMatchObject({ outcome: 'done', stop: null, tried: 2, confirmed: 2, skipped: 4 });
        expect(kit.automations.proposedBy(end.runId)).toEqual([followed.pk, open.pk]);
        expect(await network.likers(liked.code)).toEqual([me.username]);
      },
    ],
    [
      'in an advertisement, of a suggestion or of our own is not liked from the feed',
      async () => {
        const me = await network.customer('pt', { following: 30 });
        const end = await kit.runPlan(me, likePlan({ kind: 'feed' }, { budget: 5 }));
        expect(end).toMatchObject({ outcome: 'done', stop: null, confirmed: 5 });
        const following = new Set((await network.list(me.username, 'following')).map(({ pk }) => pk));
        expect(kit.actionsOf(end.runId).filter(({ target }) => !following.has(target.authorId!))).toEqual([]);
        expect(await network.verdicts(me.username)).toEqual([]);
      },
    ],
    ...longOnly([
      [
        'is the newest one of its author',
        async () => {
          const me = await network.customer();
          const newest = await network.post();
          await network.call('POST', '/posts', { username: newest.username, at: '2020-01-01T00:00:00Z' });
          const end = await like(me, [authorOf(newest)]);
          expect(kit.automations.proposedBy(end.runId)).toEqual([newest.pk]);
        },
      ],
      [
        'that we publish together with its author is skipped',
        async () => {
          const me = await network.customer();
          const shared = await network.post({ coauthors: [me.username] });
          const end = await like(me, [authorOf(shared)]);
          expect(end).toMatchObject({ outcome: 'done', tried: 0 });
          expect(kit.outcomesOf(end.runId)).toEqual(['own']);
          expect(await network.actions(me.username)).toEqual([]);
        },
      ],
      [
        'whose query fails once is left for another run, and the third in a row means that the site has changed',
        async () => {
          const me = await network.customer();
          const posts = await network.posts(4);
          await network.object({ username: me.username, kind: 'null_root_with_fail', call: 'post', target: posts[0].code, times: null });
          const once = await like(me, posts.map(authorOf));
          expect(once).toMatchObject({ outcome: 'done', stop: null, confirmed: 3 });
          expect(kit.outcomesOf(once.runId)).toEqual(['unsettled', 'confirmed', 'confirmed', 'confirmed']);
          const other = await network.customer();
          await network.object({ username: other.username, kind: 'graphql_error', call: 'post', times: null });
          const always = await like(other, posts.map(authorOf));
          expect(always).toMatchObject({ outcome: 'stopped', stop: { class: 'site_changed', row: 13 }, tried: 0 });
          expect(kit.outcomesOf(always.runId)).toEqual(['target_gone', 'target_gone', 'limit_of_network']);
        },
      ],
      [
        'of a reservation without its code, or that was deleted, cannot be settled',
        async () => {
          const me = await network.customer();
          const [deleted] = await network.posts(1);
          await network.changePost(deleted.code, { presence: 'deleted' });
          const unsettled: UnsettledReservation[] = [
            openReservation('like', { pk: '1', username: 'ana' }),
            openPostReservation('like', deleted),
          ];
          const end = await kit.runPlan(me, likePlan(kit.slotOf([]), { budget: 0 }), { unsettled });
          expect(kit.actionsOf(end.runId).map(({ outcome, proof }) => [outcome, proof['settled']])).toEqual([
            ['unknown', 'no_code'],
            ['unknown', 'target_gone'],
          ]);
        },
      ],
      [
        'is opened only when page views for it and its proof are left',
        async () => {
          const me = await network.customer();
          const posts = await network.posts(2);
          const source = kit.slotOf(posts.map(authorOf));
          const end = await kit.runPlan(me, likePlan(source, { budget: 2 }), { mostPageViews: 6 });
          expect(end).toMatchObject({ outcome: 'partial', targetProblem: 'page_views', tried: 1, confirmed: 1, pageViews: 4 });
        },
      ],
    ] as const),
  ]);

  it('that somebody liked or deleted after the reservation is skipped, and no like is undone', async () => {
    const me = await network.customer();
    const [liked, deleted, free] = await network.posts(3);
    kit.automations.afterReserve = async () => {
      await network.call('POST', '/likes', { username: me.username, post: liked.code });
      await network.changePost(deleted.code, { presence: 'deleted' });
    };
    const people = [liked, deleted, free].map(authorOf);
    const end = await like(me, people);
    expect(end).toMatchObject({ outcome: 'done', stop: null, tried: 1, confirmed: 1, skipped: 2 });
    expect(kit.outcomesOf(end.runId)).toEqual(['already_so', 'target_gone', 'confirmed']);
    expect((await network.actions(me.username)).map(({ action, targetId }) => [action, targetId])).toEqual([['like', free.pk]]);
    expect(await network.likers(liked.code)).toEqual([me.username]);
  });

  it('is announced before the click, with its author and its code, and is liked', async () => {
    const me = await network.customer();
    const [post] = await network.posts(1);
    const before: number[] = [];
    kit.automations.beforeTrying = async () => void before.push((await network.actions(me.username)).length);
    const end = await like(me, [authorOf(post)]);
    expect(before).toEqual([0]);
    const target = { targetId: post.pk, username: post.username, authorId: post.authorId, postCode: post.code };
    expect(kit.automations.tries.filter(({ runId }) => runId === end.runId)).toMatchObject([{ action: 'like', target }]);
    expect(kit.actionsOf(end.runId)).toMatchObject([{ target, outcome: 'confirmed' }]);
    expect(await network.likers(post.code)).toEqual([me.username]);
    expect(kit.automations.questions.find(({ runId }) => runId === end.runId)?.candidates).toEqual([target]);
  });
});
