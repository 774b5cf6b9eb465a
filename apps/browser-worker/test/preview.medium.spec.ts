import type { LedgerTarget, PlanOf, PreviewedList, RunKind, ToolPlan } from '@decola/contracts';
import { runKinds } from '@decola/contracts';
import { casesOf } from '@decola/testing';
import { actOn, namedCandidates } from '../src/runs/acting-run.js';
import type { ActingModule } from '../src/runs/run-module.js';
import { actingKinds, commenter, ownPost, workOf } from './support/acting-work.js';
import {
  commentPlan,
  followPlan,
  interactionsPlan,
  jobFor,
  likePlan,
  listPlan,
  sendDmPlan,
  type TestSession,
  viewStoryPlan,
} from './support/jobs.js';
import { Network } from './support/network.js';
import { sideBySide, testsSideBySide } from './support/side-by-side.js';
import { withKit, type WorkerKit, workerSuite } from './support/worker-kit.js';

const previewOf = (of: ToolPlan): PlanOf<'preview'> => ({ kind: 'preview', of });

/** Carries out the preview of a plan, and shows that nothing was done, reserved, reported or moved. */
async function previewed(kit: WorkerKit, network: Network, me: TestSession, plan: ToolPlan) {
  const { automations } = kit;
  const before = { places: automations.places.size, pages: automations.pages.length };
  const end = await kit.runPlan(me, previewOf(plan));
  expect(end).toMatchObject({ tried: 0, confirmed: 0, list: null, sourceOffset: null, givenBack: [] });
  expect(await network.actions(me.username)).toEqual([]);
  expect(await network.verdicts(me.username)).toEqual([]);
  for (const messages of [automations.questions, automations.tries, automations.actions])
    expect(messages.filter(({ runId }) => runId === end.runId)).toEqual([]);
  expect({ places: automations.places.size, pages: automations.pages.length }).toEqual(before);
  const told = automations.previewed.filter(({ runId }) => runId === end.runId);
  return {
    end,
    targets: told.flatMap(({ targets }) => targets),
    list: told.find(({ list }) => list)?.list ?? null,
  };
}
const ids = (targets: readonly { target: LedgerTarget; skipReason: string | null }[], skipReason: string | null = null) =>
  targets.filter((one) => one.skipReason === skipReason).map(({ target }) => target.targetId);

describe('a preview', () => {
  const { network, kit } = workerSuite();

  it.each(actingKinds)('of %s finds the targets and does nothing to them', async (kind) => {
    const me = await network.customer();
    const work = await workOf[kind](network, kit.automations, me, 3);
    const [action] = runKinds[kind].actions;
    const { end, targets } = await previewed(kit, network, me, work.plan(work.targets, 1) as ToolPlan);
    expect(end).toMatchObject({ outcome: 'done', stop: null, targetProblem: null });
    // More than the plan's budget of one: the next targets of all runs are shown.
    expect(targets.map(({ action, target, skipReason }) => [action, target.targetId, skipReason])).toEqual(
      work.targets.map((target) => [action, target.ids[action!], null]),
    );
  });

  it.each(['extract-list', 'extract-interactions'] as const satisfies RunKind[])(
    'of %s opens the page and reads nothing of the list',
    async (kind) => {
      const me = await network.customer();
      const post = await network.post();
      await network.call('POST', '/likes', { username: me.username, post: post.code });
      const owner = await network.account({ followers: 12 });
      const plan = kind === 'extract-list' ? listPlan(owner.username) : interactionsPlan(post.code, { list: 'comments' });
      const before = (await network.ledger({ account: me.username })).length;
      const { end, list, targets } = await previewed(kit, network, me, plan);
      expect(end).toMatchObject({ outcome: 'done', stop: null, pages: 0, pageViews: 2 });
      expect(targets).toEqual([]);
      expect(list).toMatchObject(
        kind === 'extract-list' ? { username: owner.username, total: 12, problem: null } : { username: post.username },
      );
      expect((await network.ledger({ account: me.username })).length).toBeGreaterThan(before);
    },
  );

  testsSideBySide([
    [
      'tells what speaks against a list',
      async () => {
        const me = await network.customer();
        const closed = await network.account({ isPrivate: true, followers: 5 });
        const gone = await network.account({ presence: 'gone_404' });
        const empty = await network.account({ followers: 0 });
        const hidden = await network.post({ likes: 90, likesHidden: true });
        const closedPost = await network.post({}, { isPrivate: true });
        const plans = [
          listPlan(closed.username),
          listPlan(gone.username),
          listPlan(empty.username),
          interactionsPlan(hidden.code),
          interactionsPlan('Cgone000001'),
          interactionsPlan(closedPost.code, { author: closedPost.username }),
        ];
        const problems: PreviewedList['problem'][] = [];
        for (const plan of plans) problems.push((await previewed(kit, network, me, plan)).list!.problem);
        expect(problems).toEqual(['target_private', 'target_gone', 'source_empty', 'likes_hidden', 'post_gone', 'target_private']);
      },
    ],
    [
      'shows whose message a comment would bring, with what they wrote',
      async () => {
        const me = await network.customer();
        const post = await ownPost(network, me);
        const wants = await commenter(network, post, 'Quero o cardápio!');
        await commenter(network, post, 'Que lindo');
        const { targets } = await previewed(kit, network, me, sendDmPlan(post.code, { reply: 'Enviamos!' }));
        expect(targets).toEqual([
          {
            action: 'message',
            target: expect.objectContaining({ targetId: wants.pk, username: wants.username, postCode: post.code }),
            skipReason: null,
            said: 'Quero o cardápio!',
          },
        ]);
      },
    ],
    [
      'says that the post whose comments are answered is gone, or another’s',
      async () => {
        const me = await network.customer();
        const post = await network.post();
        expect((await previewed(kit, network, me, sendDmPlan(post.code))).end).toMatchObject({ targetProblem: 'post_of_another' });
      },
    ],
    [
      'ends as it began when its worker died, and nothing of it is done again',
      async () => {
        const me = await network.customer();
        const job = jobFor(me, previewOf(followPlan({ kind: 'hashtag', hashtag: 'doces' })));
        expect(await kit.run(job, true)).toMatchObject({ outcome: 'stopped', stop: { class: 'worker_stopped' }, pageViews: 0 });
        expect(kit.automations.previewed.filter(({ runId }) => runId === job.runId)).toEqual([]);
      },
    ],
    [
      'is not begun when it is not wanted any more, and keeps to its page views',
      async () => {
        const me = await network.customer();
        const end = await kit.runPlan(me, previewOf(likePlan({ kind: 'hashtag', hashtag: 'doces' })), { mostPageViews: 1 });
        expect(end).toMatchObject({ outcome: 'partial', targetProblem: 'page_views', pageViews: 1 });
      },
    ],
  ]);

  it('cannot act, whatever its module clicks', () =>
    withKit(
      network.url,
      {
        answerTimeoutMs: 2_000,
        modules: {
          follow: {
            begin: async ({ source }, parts) => {
              const people = kit.automations.slots.get(source.kind === 'slot' ? source.extractedDataId : '')!;
              for (const person of people)
                await parts.screens.friendship.follow(person, { requestPrivate: true, announce: () => Promise.resolve() });
              return actOn(namedCandidates([]), () => []);
            },
          } satisfies ActingModule<PlanOf<'follow'>>,
        },
      },
      async (own) => {
        const me = await network.customer();
        const person = await network.account();
        await own.runPlan(me, previewOf(followPlan(kit.slotOf([person]))));
        expect(await network.actions(me.username)).toEqual([]);
        expect(await network.relation(me.username, person.username)).toBe('none');
      },
    ));
});

describe.each(casesOf(['main', 'drift', 'relay', 'preloading'], () => 'any build'))('a preview on the pages of the build %s', (build) => {
  const network = new Network();
  beforeAll(() => network.start(build));
  afterAll(() => network.stop());

  const hashtag = { kind: 'hashtag' as const, hashtag: 'doces' };
  const cases = [
    'follow by hashtag',
    'follow by list',
    'like by hashtag',
    'like by feed',
    'comment by hashtag',
    'stories by feed',
  ] as const;
  const run = sideBySide(cases, (name) =>
    withKit(network.url, {}, async (kit) => {
      const me = await network.customer();
      switch (name) {
        case 'follow by hashtag': {
          const { end, targets } = await previewed(kit, network, me, followPlan(hashtag));
          expect(end).toMatchObject({ outcome: 'done', targetProblem: null });
          expect(ids(targets)).toHaveLength(10);
          // Start page, own profile, the hashtag's page.
          expect(end.pageViews).toBe(3);
          return;
        }
        case 'follow by list': {
          const [open, closed] = [await network.account(), await network.account({ isPrivate: true })];
          const owner = await network.account({ followers: 0 });
          await network.shapeLists(owner.username, { lossRate: 0, stableOrder: true });
          for (const { username } of [open, closed]) await network.tie(username, owner.username, 'following');
          const { targets } = await previewed(kit, network, me, followPlan({ kind: 'list', username: owner.username }));
          expect([ids(targets), ids(targets, 'target_private')]).toEqual([[open.pk], [closed.pk]]);
          const asked = await previewed(kit, network, me, followPlan({ kind: 'list', username: owner.username }, { requestPrivate: true }));
          expect(ids(asked.targets).sort()).toEqual([open.pk, closed.pk].sort());
          return;
        }
        case 'like by hashtag': {
          const first = await previewed(kit, network, me, likePlan(hashtag));
          expect(ids(first.targets)).toHaveLength(10);
          const { target } = first.targets[0]!;
          await network.call('POST', '/likes', { username: me.username, post: target.postCode });
          const { targets } = await previewed(kit, network, me, likePlan(hashtag));
          expect(ids(targets, 'already_so')).toEqual([target.targetId]);
          expect(ids(targets)).not.toContain(target.targetId);
          return;
        }
        case 'like by feed': {
          const [liked, open] = await network.posts(2);
          for (const { username } of [liked, open]) await network.tie(me.username, username, 'following');
          await network.call('POST', '/likes', { username: me.username, post: liked.code });
          const { targets } = await previewed(kit, network, me, likePlan({ kind: 'feed' }));
          expect(ids(targets, 'already_so')).toContain(liked.pk);
          expect(ids(targets)).toContain(open.pk);
          return;
        }
        case 'comment by hashtag': {
          const { targets } = await previewed(kit, network, me, commentPlan(hashtag));
          expect(targets.every(({ action, target }) => action === 'comment' && target.postCode !== undefined)).toBe(true);
          expect(ids(targets)).toHaveLength(10);
          return;
        }
        case 'stories by feed': {
          const { end } = await previewed(kit, network, me, viewStoryPlan({ kind: 'feed' }));
          expect(end).toMatchObject({ outcome: 'done' });
          return;
        }
      }
    }),
  );
  it.each(cases)('shows who comes next and who is passed over: %s', (name) => run(cases.indexOf(name)));
});
