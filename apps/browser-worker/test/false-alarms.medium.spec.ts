import { casesOf } from '@decola/testing';
import { type ActingKind, actingKinds, callOf, storiesOf, type Work, workOf, type WorkTarget } from './support/acting-work.js';
import type { TestSession } from './support/jobs.js';
import { sideBySide } from './support/side-by-side.js';
import { workerSuite } from './support/worker-kit.js';

describe('what looks like an objection of the network and is none', () => {
  const { network, kit } = workerSuite();

  interface Case {
    readonly kind: ActingKind;
    /** What happens, in words that end the test's name. */
    readonly what: string;
    /** How many of the first targets it concerns; they are skipped. */
    readonly concerned: number;
    readonly reason: string | null;
    happens(me: TestSession, targets: readonly WorkTarget[]): Promise<unknown>;
  }

  const all = (targets: readonly WorkTarget[], change: (target: WorkTarget) => Promise<unknown>) => Promise.all(targets.map(change));
  const slow = (kind: ActingKind): Case => ({
    kind,
    what: 'a slow network',
    concerned: 0,
    reason: null,
    happens: (me) => network.object({ username: me.username, kind: 'latency', call: 'any', delayMs: 500, times: null }),
  });
  /** One more than the failures of different targets in a row that would mean a changed site. */
  const many = 4;
  const blocked = (kind: ActingKind, reason: string): Case => ({
    kind,
    what: 'people who blocked us',
    concerned: many,
    reason,
    happens: (me, targets) => all(targets, ({ username }) => network.tie(username, me.username, 'blocking')),
  });
  const gone = (kind: ActingKind, reason: string): Case => ({
    kind,
    what: 'people who are gone',
    concerned: many,
    reason,
    happens: (_me, targets) => all(targets, ({ username }) => network.call('POST', '/accounts', { username, presence: 'gone_404' })),
  });
  const deletedPosts = (kind: 'like' | 'comment'): Case => ({
    kind,
    what: 'posts that were deleted between the grid and the visit',
    // Queries that fail for three different posts in a row mean a changed site (row 13).
    concerned: 2,
    reason: 'target_gone',
    happens: (_me, targets) => all(targets, ({ post }) => network.changePost(post!.code, { presence: 'deleted' })),
  });
  const stories = (what: string, concerned: number, reason: string, items: Record<string, unknown>[]): Case => ({
    kind: 'view-story',
    what,
    concerned,
    reason,
    happens: (_me, targets) => all(targets, ({ username }) => storiesOf(network, username, items)),
  });
  const messages = (what: string, newRequests: string): Case => ({
    kind: 'send-dm',
    what,
    concerned: many,
    reason: 'messages_closed',
    happens: (_me, targets) => all(targets, ({ username }) => network.call('PUT', `/accounts/${username}/direct`, { newRequests })),
  });

  const cases = casesOf<Case>(
    [
      // First, because each of them takes eight seconds.
      stories('videos that do not play', 2, 'story_unplayable', [{ type: 'video', plays: false }]),
      ...actingKinds.map(slow),
      blocked('follow', 'target_gone'),
      gone('follow', 'target_gone'),
      gone('unfollow', 'target_gone'),
      deletedPosts('like'),
      deletedPosts('comment'),
      blocked('view-story', 'no_story'),
      gone('view-story', 'no_story'),
      stories('stories that are over', many, 'no_story', []),
      blocked('send-dm', 'target_gone'),
      messages('people who take no messages', 'not_allowed'),
      messages('people who take no messages, said only after the first', 'not_allowed_after_sending'),
    ],
    ({ kind }) => kind,
  );

  const run = sideBySide(cases, async ({ kind, concerned, reason, happens }) => {
    const me = await network.customer('pt', { following: 0 });
    const work: Work = await workOf[kind](network, kit.automations, me, concerned + 1);
    await happens(me, work.targets.slice(0, concerned));
    const last = work.targets.at(-1)!;
    const end = await kit.runPlan(me, work.plan(work.targets, concerned + 1));
    expect(end).toMatchObject({ outcome: 'done', stop: null, targetProblem: null });
    const outcomes = kit.outcomesOf(end.runId);
    expect(outcomes.slice(0, concerned)).toEqual(Array(concerned).fill(reason));
    expect(outcomes.slice(concerned)).toEqual(Object.keys(last.ids).map(() => 'confirmed'));
    const done = (await network.actions(me.username)).filter(({ result }) => result === 'done');
    expect(done.map(({ action }) => action)).toEqual(Object.keys(last.ids).map((action) => callOf[action as keyof typeof callOf]));
    const verdicts = await network.verdicts(me.username);
    // The account of this test follows by a tie, not by an action.
    expect(verdicts.filter((verdict) => kind !== 'unfollow' || !verdict.startsWith('unfollow_of_stranger '))).toEqual([]);
  });
  it.each(cases.map(({ kind, what }, index) => [kind, what, index] as const))('(%s) %s: the run goes on', (_kind, _what, index) =>
    run(index),
  );
});
