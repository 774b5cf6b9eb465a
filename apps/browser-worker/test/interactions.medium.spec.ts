import { casesOf } from '@decola/testing';
import { interactionsPlan, type TestSession } from './support/jobs.js';
import type { NetworkPost } from './support/network.js';
import { testsSideBySide } from './support/side-by-side.js';
import { workerSuite } from './support/worker-kit.js';

const { network, kit } = workerSuite({ answerTimeoutMs: 10_000 });
const commentsPlan = (code: string, over: Parameters<typeof interactionsPlan>[1] = {}) =>
  interactionsPlan(code, { list: 'comments', ...over });
const readBy = (me: TestSession, action: string) => network.ledger({ account: me.username, action });

/** What every comment says that the network shows to others, as the files have it. */
const shownComments = async ({ code }: NetworkPost) =>
  (await network.comments(code))
    .filter(({ hiddenBy }) => hiddenBy === null)
    .map(({ pk, text, parent, username, at }) => ({
      commentId: pk,
      text,
      replyTo: parent,
      username,
      commentedAt: new Date(Math.floor(Date.parse(at) / 1_000) * 1_000).toISOString(),
    }))
    .sort((one, other) => one.commentId.localeCompare(other.commentId));
const collectedBy = (...runIds: string[]) =>
  [...new Map(kit.commentsOf(...runIds).map((comment) => [comment.commentId, comment])).values()]
    .map(({ commentId, text, replyTo, username, commentedAt }) => ({ commentId, text, replyTo, username, commentedAt }))
    .sort((one, other) => one.commentId.localeCompare(other.commentId));

describe.each(
  casesOf(
    [
      ['main', 'pt'],
      ['drift', 'en'],
      ['relay', 'pt'],
      ['preloading', 'en'],
    ],
    () => 'any build',
  ),
)('in build %s, in %s', (build, language) => {
  beforeAll(() => network.call('POST', '/build', { name: build }));
  afterAll(() => network.call('POST', '/build', { name: 'main' }));

  testsSideBySide([
    [
      'comments are read with their replies, each once, page by page',
      async () => {
        const me = await network.customer(language);
        const post = await network.post({ comments: 45 });
        const end = await kit.runPlan(me, commentsPlan(post.code));
        expect(end).toMatchObject({
          outcome: 'done',
          stop: null,
          targetProblem: null,
          list: { state: 'pass_ended', cursor: null, pass: 1 },
        });
        expect(end.list!.profileTotal).toBe(45);
        const truth = await shownComments(post);
        expect(truth.some(({ replyTo }) => replyTo !== null)).toBe(true);
        expect(collectedBy(end.runId)).toEqual(truth);
        expect(kit.commentsOf(end.runId)).toHaveLength(truth.length);
        const pages = kit.pagesOf(end.runId);
        expect(pages.map(({ page }) => page)).toEqual(pages.map((_, index) => index));
        expect(pages.at(-1)).toMatchObject({ cursor: null, end: 'pass_ended' });
        expect(end.pageViews).toBe(2);
        expect(await network.verdicts(me.username)).toEqual([]);
      },
    ],
    [
      'a run that may read no more is continued where it stopped, and every comment is there in the end',
      async () => {
        const me = await network.customer(language);
        const post = await network.post({ comments: 60 });
        const plan = commentsPlan(post.code, { maxPages: 10 });
        const ends = [await kit.runPlan(me, plan)];
        while (ends.at(-1)!.list!.state === 'more' && ends.length < 12) ends.push(await kit.runPlan(me, plan));
        expect(ends.length).toBeGreaterThan(1);
        expect(ends.at(-1)).toMatchObject({ outcome: 'done', list: { state: 'pass_ended' } });
        // What the page receives without another scroll is stored too.
        for (const { pages } of ends) expect(pages).toBeLessThanOrEqual(12);
        expect(collectedBy(...ends.map(({ runId }) => runId))).toEqual(await shownComments(post));
        expect(await network.verdicts(me.username)).toEqual([]);
      },
    ],
    [
      'likers are the sample that the network shows, with the number of likes',
      async () => {
        const me = await network.customer(language);
        const post = await network.post({ likes: 400 });
        const end = await kit.runPlan(me, interactionsPlan(post.code));
        expect(end).toMatchObject({ outcome: 'done', stop: null, pages: 1, list: { state: 'limited_by_network', profileTotal: 400 } });
        expect(kit.pagesOf(end.runId)).toMatchObject([{ cursor: null, end: 'limited_by_network', profileTotal: 400 }]);
        const rows = kit.rowsOf(end.runId);
        expect(rows.length).toBeGreaterThan(50);
        expect(new Set(rows.map(({ userId }) => userId)).size).toBe(rows.length);
        const likers = new Set(await network.likers(post.code));
        expect(rows.filter(({ username }) => !likers.has(username))).toEqual([]);
        expect(end.pageViews).toBe(2);
        expect(await network.verdicts(me.username)).toEqual([]);

        const few = await network.post({ likes: 0 });
        const [fan] = await network.publicPeople(1, 31_000);
        await network.call('POST', '/likes', { username: fan.username, post: few.code });
        const whole = await kit.runPlan(me, interactionsPlan(few.code));
        expect(whole).toMatchObject({ outcome: 'done', list: { state: 'pass_ended', profileTotal: 1 } });
        expect(kit.rowsOf(whole.runId).map(({ username }) => username)).toEqual([fan.username]);
      },
    ],
    [
      'posts of our own are read like others, also where their likes are hidden from others',
      async () => {
        const { username } = await network.account({ posts: 0, followers: 20, following: 20 });
        const me = await network.session(username, language);
        const own = await network.call<NetworkPost>('POST', '/posts', {
          username,
          likes: 30,
          comments: 12,
          likesHidden: true,
          commentsHidden: true,
        });
        const comments = await kit.runPlan(me, commentsPlan(own.code));
        expect(comments).toMatchObject({ outcome: 'done', list: { state: 'pass_ended' } });
        expect(collectedBy(comments.runId)).toEqual(await shownComments(own));
        const likes = await kit.runPlan(me, interactionsPlan(own.code));
        expect(likes).toMatchObject({ outcome: 'done', list: { profileTotal: 30 } });
        expect(kit.rowsOf(likes.runId).length).toBeGreaterThan(20);
        expect(await network.verdicts(me.username)).toEqual([]);
      },
    ],
    [
      'what nobody can read says why',
      async () => {
        const me = await network.customer(language);
        const hidden = await network.post({ likes: 90, likesHidden: true });
        expect(await kit.runPlan(me, interactionsPlan(hidden.code))).toMatchObject({
          outcome: 'done',
          pages: 0,
          list: { state: 'likes_hidden', profileTotal: null },
        });
        const off = await network.post({ comments: 9, commentsDisabled: true });
        expect(await kit.runPlan(me, commentsPlan(off.code))).toMatchObject({ outcome: 'done', pages: 0, list: { state: 'comments_off' } });
        const limited = await network.post({ comments: 9, commentsLimited: true });
        expect(await kit.runPlan(me, commentsPlan(limited.code))).toMatchObject({ outcome: 'done', list: { state: 'pass_ended' } });
        const byOwner = await network.post({ comments: 7, commentsHidden: true });
        expect(await kit.runPlan(me, commentsPlan(byOwner.code))).toMatchObject({
          outcome: 'done',
          pages: 0,
          list: { state: 'comments_hidden', profileTotal: 7 },
        });
        for (const list of ['likes', 'comments'] as const) {
          const quiet = await network.post({ likes: 0, comments: 0 });
          expect(await kit.runPlan(me, interactionsPlan(quiet.code, { list }))).toMatchObject({
            outcome: 'done',
            pages: 0,
            list: { state: 'pass_ended', profileTotal: 0 },
          });
          const gone = await network.post({ likes: 20, comments: 20, presence: 'deleted' });
          expect(await kit.runPlan(me, interactionsPlan(gone.code, { list }))).toMatchObject({
            outcome: 'done',
            stop: null,
            targetProblem: 'post_gone',
            list: { state: 'more' },
          });
          const closed = await network.post({ likes: 20, comments: 20 }, { isPrivate: true });
          expect(await kit.runPlan(me, interactionsPlan(closed.code, { list, author: closed.username }))).toMatchObject({
            outcome: 'done',
            targetProblem: 'target_private',
            list: { state: 'private' },
          });
          await network.tie(me.username, closed.username, 'following');
          expect(await kit.runPlan(me, interactionsPlan(closed.code, { list }))).toMatchObject({ outcome: 'done', targetProblem: null });
        }
        expect(await network.verdicts(me.username)).toEqual([]);
      },
    ],
  ]);
});

describe('comments that change while they are read', () => {
  testsSideBySide([
    [
      'by deletion do not end the reading, and those that are hidden from others are not in it',
      async () => {
        const me = await network.customer();
        const post = await network.post({ comments: 50 });
        const [first, second] = (await network.comments(post.code)).filter(({ parent }) => parent === null);
        await network.call('PUT', `/posts/${post.code}/comments/${first!.pk}`, { hidden: true });
        const before = await shownComments(post);
        let deleted = false;
        kit.automations.beforePage = async () => {
          if (deleted) return;
          deleted = true;
          await network.call('DELETE', `/posts/${post.code}/comments/${second!.pk}`);
        };
        const end = await kit.runPlan(me, commentsPlan(post.code));
        expect(end).toMatchObject({ outcome: 'done', list: { state: 'pass_ended' } });
        const ids = new Set(collectedBy(end.runId).map(({ commentId }) => commentId));
        expect(ids.has(first!.pk)).toBe(false);
        // A row that moved to a page that was read already is found by the next pass.
        const missing = (await shownComments(post)).filter(({ commentId }) => !ids.has(commentId));
        expect(missing.length).toBeLessThan(before.length / 10);
        expect(await network.verdicts(me.username)).toEqual([]);
      },
    ],
  ]);

  it('together with their post end the run, with what was read', async () => {
    const me = await network.customer();
    const post = await network.post({ comments: 80 });
    kit.automations.pages.length = 0;
    kit.automations.beforePage = async () => {
      if (kit.automations.pages.length === 1) await network.changePost(post.code, { presence: 'deleted' });
    };
    const end = await kit.runPlan(me, commentsPlan(post.code));
    expect(end).toMatchObject({ outcome: 'done', stop: null, targetProblem: 'post_gone', list: { state: 'more' } });
    expect(kit.commentsOf(end.runId).length).toBeGreaterThan(0);
  });
});

describe('when the network objects to reading a post', () => {
  const objections = [
    ['feedback_required', 'action_blocked', 1],
    ['action_blocked', 'action_blocked_long', 2],
    ['checkpoint_required', 'challenge', 3],
    ['login_required', 'session_ended', null],
    ['please_wait', 'limited', 7],
    ['rate_limit', 'rate_limited', 8],
    ['http_560', 'site_trouble', 9],
    ['html_instead_of_json', 'site_changed', 10],
    ['sentry_block', 'limited', 11],
    ['masked_not_found', 'challenge', 12],
    ['incorrect_query', 'site_changed', 13],
  ] as const;
  const calls = [
    ['likes', 'likers'],
    ['comments', 'comments'],
    ['comments', 'replies'],
  ] as const;
  testsSideBySide(
    objections.flatMap(([kind, stopClass, row]) =>
      calls.map(
        ([list, call]) =>
          [
            `with ${kind} at its ${call}, it is ${stopClass}, and nothing is read afterwards`,
            async () => {
              const me = await network.customer();
              const post = await network.post({ likes: 60, comments: 40 });
              await network.object({ username: me.username, kind, call, times: null });
              const end = await kit.runPlan(me, interactionsPlan(post.code, { list }));
              expect(end).toMatchObject({
                outcome: 'stopped',
                stop: { class: stopClass, row: row ?? expect.any(Number), action: null },
                list: { state: 'more' },
              });
              expect(await network.verdicts(me.username)).toEqual([]);
            },
          ] as const,
      ),
    ),
  );

  testsSideBySide([
    ...calls.slice(0, 2).flatMap(([list, call]) =>
      ['target_problem', 'graphql_error', 'spinner_for_ever'].map(
        (kind) =>
          [
            `about this post alone (${kind} at its ${call}), nothing is stopped`,
            async () => {
              const me = await network.customer('en');
              const [post, other] = await network.posts(2, { likes: 60, comments: 20 });
              await network.object({ username: me.username, kind, call, target: post.code, times: null });
              expect(await kit.runPlan(me, interactionsPlan(post.code, { list }))).toMatchObject({
                outcome: 'done',
                stop: null,
                targetProblem: 'list_refused',
                pages: 0,
              });
              expect(await kit.runPlan(me, interactionsPlan(other.code, { list }))).toMatchObject({ outcome: 'done', targetProblem: null });
            },
          ] as const,
      ),
    ),
    ...calls.slice(0, 2).map(
      ([list, call]) =>
        [
          `once (${call}), the post is opened again and read`,
          async () => {
            const me = await network.customer();
            const post = await network.post({ likes: 60, comments: 20 });
            await network.object({ username: me.username, kind: 'execution_error', call, times: 1 });
            const end = await kit.runPlan(me, interactionsPlan(post.code, { list }));
            expect(end).toMatchObject({ outcome: 'done', targetProblem: null, pageViews: 3 });
            expect(kit.rowsOf(end.runId).length + kit.commentsOf(end.runId).length).toBeGreaterThan(10);
          },
        ] as const,
    ),
    [
      'and shows no replies, the rest of the comments is read all the same',
      async () => {
        const me = await network.customer();
        const post = await network.post({ comments: 40 });
        await network.object({ username: me.username, kind: 'target_problem', call: 'replies', times: null });
        const end = await kit.runPlan(me, commentsPlan(post.code));
        expect(end).toMatchObject({ outcome: 'done', stop: null, targetProblem: null, list: { state: 'pass_ended' } });
        expect(collectedBy(end.runId)).toEqual((await shownComments(post)).filter(({ replyTo }) => replyTo === null));
      },
    ],
    [
      'by sending a list of likes to the start page, lists are withheld (row 18)',
      async () => {
        const me = await network.customer();
        const post = await network.post({ likes: 60 });
        await network.object({ username: me.username, kind: 'home_redirect', call: 'likers', times: null });
        expect(await kit.runPlan(me, interactionsPlan(post.code))).toMatchObject({
          outcome: 'stopped',
          stop: { class: 'list_withheld', row: 18, action: null },
        });
        expect(await readBy(me, 'likers')).toHaveLength(1);
      },
    ],
    [
      'in a language that we do not read, nothing is opened',
      async () => {
        const { username } = await network.account({ followers: 5, following: 5 });
        const me = await network.session(username, 'es');
        const post = await network.post({ likes: 60, comments: 20 });
        for (const list of ['likes', 'comments'] as const)
          expect(await kit.runPlan(me, interactionsPlan(post.code, { list }))).toMatchObject({
            outcome: 'stopped',
            stop: { class: 'unknown_language' },
            pages: 0,
          });
        expect(await readBy(me, 'comments,likers')).toEqual([]);
      },
    ],
    [
      'no page is opened for a run without room for pages',
      async () => {
        const me = await network.customer();
        const post = await network.post({ likes: 60 });
        expect(await kit.runPlan(me, interactionsPlan(post.code, { maxPages: 0 }))).toMatchObject({
          outcome: 'partial',
          pages: 0,
          pageViews: 1,
        });
      },
    ],
  ]);
});
