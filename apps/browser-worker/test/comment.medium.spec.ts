import type { PlanOf } from '@decola/contracts';
import { casesOf } from '@decola/testing';
import { authorOf, commentPlan, likePlan, openPostReservation, type TestSession } from './support/jobs.js';
import { Network } from './support/network.js';
import { sideBySide, testsSideBySide } from './support/side-by-side.js';
import { withKit, type WorkerKit, workerSuite } from './support/worker-kit.js';

const texts = ['Que capricho! 😍', 'Ficou lindo #doces', 'Amei, parabéns\npela loja'];
const hashtag = (name = 'doces') => ({ kind: 'hashtag' as const, hashtag: name });

describe.each(
  casesOf(
    [
      ['main', 'xig_comment_create'],
      ['drift', 'xdt_web__comments__media_id__add_queryable'],
      ['relay', 'xig_comment_create'],
      ['preloading', 'xig_comment_create'],
    ],
    () => 'any build',
  ),
)('commenting on the pages of the build %s', (build, root) => {
  const network = new Network();
  beforeAll(() => network.start(build));
  afterAll(() => network.stop());

  const sources = ['hashtag', 'slot'] as const;
  // In the gate each source and each language once.
  const cases = casesOf(
    sources.flatMap((source, index) =>
      (index % 2 ? (['en', 'pt'] as const) : (['pt', 'en'] as const)).map((language) => [source, language] as const),
    ),
    ([source]) => source,
  );
  const run = sideBySide(cases, ([kind, language]) =>
    withKit(network.url, {}, async (kit) => {
      const me = await network.customer(language);
      const posts = await network.posts(2, { comments: 20 });
      const source: PlanOf<'comment'>['source'] = kind === 'hashtag' ? hashtag() : kit.slotOf(posts.map(authorOf));
      const end = await kit.runPlan(me, commentPlan(source, { budget: 2, texts, textsUsed: 4 }));
      expect(end).toMatchObject({ outcome: 'done', stop: null, tried: 2, confirmed: 2 });
      const actions = kit.actionsOf(end.runId).filter(({ outcome }) => outcome === 'confirmed');
      expect(actions.map(({ proof }) => proof)).toMatchObject([
        { root, box: 'sent', commentAfterReload: 'shown', text: texts[1] },
        { root, box: 'sent', commentAfterReload: 'shown', text: texts[2] },
      ]);
      for (const { proof, target } of actions) {
        const written = (await network.comments(target.postCode!)).filter(({ username }) => username === me.username);
        expect(written).toEqual([expect.objectContaining({ pk: proof['answer'], text: proof['text'], parent: null })]);
        expect(proof['comment']).toBe(proof['answer']);
      }
      if (kind === 'slot') {
        expect(actions.map(({ target }) => target.targetId)).toEqual(posts.map(({ pk }) => pk));
        // Start page, and for each person the profile, the post and its proof.
        expect(end.pageViews).toBe(1 + 3 * 2);
      }
      expect(await network.verdicts(me.username)).toEqual([]);
    }),
  );
  it.each(cases)('comments on posts of a %s, in %s', (source, language) =>
    run(cases.findIndex((one) => one[0] === source && one[1] === language)),
  );

  it('comments on nothing on a page in Spanish', () =>
    withKit(network.url, {}, async (kit) => {
      const { username } = await network.account();
      const me = await network.session(username, 'es');
      const end = await kit.runPlan(me, commentPlan(hashtag()));
      expect(end).toMatchObject({ outcome: 'stopped', stop: { class: 'unknown_language' }, tried: 0, pageViews: 1 });
      expect(await network.actions(username)).toEqual([]);
    }));

  it('skips a post that is closed to comments, or whose comments are hidden', () =>
    withKit(network.url, {}, async (kit) => {
      const me = await network.customer('en');
      const [off, limited, hidden, open] = await network.posts(4, { comments: 7 });
      await network.changePost(hidden.code, { commentsHidden: true });
      kit.automations.afterReserve = async () => {
        const { targetId } = kit.automations.reservations.at(-1)!;
        if (targetId === off.pk) await network.changePost(off.code, { commentsDisabled: true });
        if (targetId === limited.pk) await network.changePost(limited.code, { commentsLimited: true });
      };
      const end = await kit.runPlan(me, commentPlan(kit.slotOf([off, limited, hidden, open].map(authorOf))));
      expect(kit.outcomesOf(end.runId)).toEqual(['comments_off', 'comments_off', 'comments_off', 'confirmed']);
      // A skipped post uses no text.
      expect(kit.actionsOf(end.runId).at(-1)!.proof).toMatchObject({ text: commentPlan(hashtag()).texts[0] });
      expect((await network.actions(me.username)).map(({ targetId }) => targetId)).toEqual([open.pk]);
    }));

  it('settles an earlier comment by its text', () =>
    withKit(network.url, {}, async (kit) => {
      const me = await network.customer();
      const [written, other, hidden] = await network.posts(3, { comments: 30 });
      const comment = (code: string, text: string) => network.call('POST', '/comments', { post: code, username: me.username, text });
      await comment(written.code, texts[0]!);
      await comment(other.code, texts[1]!);
      await comment(hidden.code, texts[0]!);
      await network.changePost(hidden.code, { commentsHidden: true });
      const unsettled = [
        ...[written, other, hidden].map((post) => openPostReservation('comment', post, texts[0])),
        openPostReservation('comment', written),
      ];
      const end = await kit.runPlan(me, commentPlan(kit.slotOf([]), { budget: 0 }), { unsettled });
      expect(kit.actionsOf(end.runId).map(({ outcome, proof }) => [outcome, proof['settled'] ?? null])).toEqual([
        ['confirmed', null],
        ['not_confirmed', null],
        ['unknown', 'comments_hidden'],
        ['not_confirmed', 'never_announced'],
      ]);
      expect(await network.actions(me.username)).toEqual([]);
    }));
});

describe('a comment', () => {
  const { network, kit } = workerSuite();
  const comment = (me: TestSession, people: Parameters<WorkerKit['slotOf']>[0], over: Partial<PlanOf<'comment'>> = {}) =>
    kit.runPlan(me, commentPlan(kit.slotOf(people), { budget: 5, texts, ...over }));

  testsSideBySide([
    [
      'is not written where one of ours is already, nor on a post of our own',
      async () => {
        const me = await network.customer();
        const [done, free] = await network.posts(2);
        const shared = await network.post({ coauthors: [me.username] });
        await network.call('POST', '/comments', { post: done.code, username: me.username, text: 'Adorei' });
        const end = await comment(me, [done, shared, free].map(authorOf));
        expect(kit.outcomesOf(end.runId)).toEqual(['already_so', 'own', 'confirmed']);
        expect(await network.comments(done.code)).toHaveLength(1);
      },
    ],
    [
      'on a post that does not take comments is not proposed',
      async () => {
        const me = await network.customer();
        const [off, limited, open] = await network.posts(3);
        await network.changePost(off.code, { commentsDisabled: true });
        await network.changePost(limited.code, { commentsLimited: true });
        const end = await comment(me, [off, limited, open].map(authorOf));
        expect(end).toMatchObject({ confirmed: 1, skipped: 2 });
        expect(kit.automations.proposedBy(end.runId)).toEqual([open.pk]);
      },
    ],
    [
      'takes the next text each time, and the run after goes on with the one that follows',
      async () => {
        const me = await network.customer();
        const posts = await network.posts(5);
        const first = await comment(me, posts.slice(0, 2).map(authorOf));
        const second = await comment(me, posts.slice(2).map(authorOf), { textsUsed: 2 });
        const used = [...kit.actionsOf(first.runId), ...kit.actionsOf(second.runId)].map(({ proof }) => proof['text']);
        expect(used).toEqual([texts[0], texts[1], texts[2], texts[0], texts[1]]);
        expect(await network.verdicts(me.username)).toEqual([]);
      },
    ],
    [
      'that only its author sees is confirmed, because this account sees it',
      async () => {
        const me = await network.customer();
        const [post] = await network.posts(1);
        await network.object({ username: me.username, kind: 'hidden_from_others', call: 'comment', times: null });
        expect(await comment(me, [authorOf(post)])).toMatchObject({ outcome: 'done', confirmed: 1 });
      },
    ],
    [
      'is left for another run when the comments are not answered, because it could not be proved',
      async () => {
        const me = await network.customer();
        const [late, post] = await network.posts(2);
        await network.object({ username: me.username, kind: 'latency', call: 'comments', target: late.code, delayMs: 60_000, times: null });
        const end = await comment(me, [late, post].map(authorOf));
        expect(end).toMatchObject({ outcome: 'done', stop: null, confirmed: 1 });
        expect(kit.actionsOf(end.runId).map(({ skipReason, proof }) => [skipReason, proof['reason'] ?? null])).toEqual([
          ['unsettled', 'comments_silent'],
          [null, null],
        ]);
      },
    ],
    [
      'that is not answered and not in the list after the reload is not confirmed',
      async () => {
        const me = await network.customer('en');
        const [post] = await network.posts(1, { comments: 40 });
        await network.object({ username: me.username, kind: 'latency', call: 'comment', delayMs: 60_000, times: null });
        const end = await comment(me, [authorOf(post)]);
        const { outcome, proof } = kit.actionsOf(end.runId)[0]!;
        expect([outcome, proof['answer']]).toEqual(['not_confirmed', null]);
      },
    ],
    [
      'is written beside a like of the same post: each is its own action',
      async () => {
        const me = await network.customer();
        const [post] = await network.posts(1);
        const liked = await kit.runPlan(me, likePlan(kit.slotOf([authorOf(post)])));
        const written = await comment(me, [authorOf(post)]);
        expect([liked.confirmed, written.confirmed]).toEqual([1, 1]);
        expect(await network.verdicts(me.username)).toEqual([]);
      },
    ],
  ]);

  it('is announced with its text before it is sent', async () => {
    const me = await network.customer();
    const [post] = await network.posts(1);
    const before: number[] = [];
    kit.automations.beforeTrying = async () => void before.push((await network.actions(me.username)).length);
    const end = await comment(me, [authorOf(post)], { textsUsed: 1 });
    expect(before).toEqual([0]);
    const target = { targetId: post.pk, username: post.username, authorId: post.authorId, postCode: post.code };
    expect(kit.automations.tries.filter(({ runId }) => runId === end.runId)).toMatchObject([{ action: 'comment', target, text: texts[1] }]);
  });
});
