import { objectionAnswer, refusedYetDone } from '../src/calls/objection-answers.js';
import { objectionKinds } from '../src/state/objection-kinds.js';
import { buildNames } from '../src/build/traits.js';
import type { LedgerEntry } from '../src/state/ledger.js';
import { inBuild } from './support/builds.js';
import { sendMessage } from './support/direct-socket.js';

/** Kinds that answer with a refusal and leave the call undone. */
const refusals = objectionKinds.filter(
  (kind) =>
    !refusedYetDone.has(kind) && objectionAnswer(kind, { name: 'like', language: 'en', root: 'root', now: 0, blockMs: null }) !== null,
);

it('many kinds refuse', () => expect(refusals.length).toBeGreaterThan(35));

describe.each(buildNames)('in the build `%s`', (build) => {
  const { network, post, person, client, lines } = inBuild(build, () => {
    throw new Error('no browser is needed');
  });
  const roots =
    build === 'drift'
      ? { like: 'xdt_mark_media_like', comment: 'xdt_web__comments__media_id__add_queryable' }
      : { like: 'xig_media_like', comment: 'xig_comment_create' };

  it.each(refusals)('%s refuses a like, a comment and a reply, which are not done', async (kind) => {
    const { pk, code } = await post();
    const { username } = await person();
    const parent = await network().control<{ pk: string }>('POST', '/comments', { post: code, username, text: 'Eu quero' });
    for (const action of ['like', 'comment', 'reply'] as const) {
      const mine = await client();
      await network().control('POST', '/objections', { username: mine.session.username, kind, call: action });
      const { status, body } =
        action === 'like' ? await mine.like(pk) : await mine.comment(pk, 'Adorei', action === 'reply' ? parent.pk : undefined);
      if (kind.startsWith('null_root')) expect(body.data).toEqual({ [roots[action === 'like' ? 'like' : 'comment']]: null });
      else expect([status === 200 ? (body?.data ?? null) : null]).toEqual([null]);
      const entries = await network().ledger(`account=${mine.session.username}&action=${action}`);
      expect(entries).toMatchObject([{ result: 'objected', objection: kind, target: code, verdicts: [] } satisfies Partial<LedgerEntry>]);
    }
    expect(await network().control('GET', `/posts/${code}`)).toMatchObject({ likes: 0, comments: 1 });
    expect((await lines<{ pk: string }>(`/posts/${code}/comments`)).map((each) => each.pk)).toEqual([parent.pk]);
  });

  it.each(refusals)('%s refuses a seen call and a message, which are not done', async (kind) => {
    const mine = await client();
    const { username } = mine.session;
    const owner = await person();
    const [item] = (
      await network().control<{ items: { pk: string; takenAt: string }[] }>('PUT', `/accounts/${owner.username}/stories`, { items: [{}] })
    ).items;
    await network().control('POST', '/objections', { username, kind, call: 'view_story' });
    const seen = {
      reelId: owner.pk,
      reelMediaId: item!.pk,
      reelMediaOwnerId: owner.pk,
      reelMediaTakenAt: Date.parse(item!.takenAt) / 1_000,
      viewSeenAt: 1,
    };
    const { status, body } =
      build === 'drift'
        ? await mine.send('POST', '/api/v1/stories/reel/seen', {
            form: Object.fromEntries(Object.entries(seen).map(([name, value]) => [name, String(value)])),
          })
        : await mine.graphql('PolarisStoriesV3SeenMutation', seen);
    if (kind.startsWith('null_root')) expect(body.data).toEqual(build === 'drift' ? {} : { xdt_mark_story_reel_seen: null });
    else expect([status === 200 ? (body?.data ?? null) : null]).toEqual([null]);

    const other = await client();
    const { thread } = await network().control<{ thread: string }>('POST', '/messages', {
      from: owner.username,
      to: other.session.username,
      text: 'Eu quero',
    });
    await network().control('POST', '/objections', { username: other.session.username, kind, call: 'message' });
    expect(await sendMessage(network(), other, thread, 'Aqui está')).toMatchObject({ type: 'refused' });
    for (const [account, action] of [
      [username, 'view_story'],
      [other.session.username, 'message'],
    ])
      expect(await network().ledger(`account=${account}&action=${action}`)).toMatchObject([
        { result: 'objected', objection: kind, target: owner.username, verdicts: [] } satisfies Partial<LedgerEntry>,
      ]);
    expect(await network().control('GET', `/messages?from=${other.session.username}`)).toEqual({ messages: [] });
  });

  it('an answer of status 500 or with an error below its root is a success', async () => {
    const mine = await client();
    await network().control('PUT', '/ceilings', { sameMomentMs: 0 });
    const { username } = mine.session;
    for (const [kind, expected] of [
      ['done_with_status_500', 500],
      ['partial_answer', 200],
    ] as const) {
      const { pk, code } = await post();
      await network().control('POST', '/objections', { username, kind, call: 'action', times: 2 });
      const [like, comment] = [await mine.like(pk), await mine.comment(pk, `Texto ${kind}`)];
      expect([like.status, comment.status]).toEqual([expected, expected]);
      expect([like.body.data, comment.body.data]).toMatchObject([{ [roots.like]: {} }, { [roots.comment]: {} }]);
      expect(await network().control('GET', `/posts/${code}`)).toMatchObject({ likes: 1, comments: 1 });
    }
  });

  it('two refusals that do not say what they are about make a third action a verdict, whatever the actions are', async () => {
    const mine = await client();
    await network().control('PUT', '/ceilings', { sameMomentMs: 0 });
    await network().control('POST', '/objections', { username: mine.session.username, kind: 'spam', call: 'action', times: 2 });
    await mine.like((await post()).pk);
    await mine.comment((await post()).pk, 'Adorei');
    await mine.like((await post()).pk);
    const entries = await network().ledger(`account=${mine.session.username}&action=like,comment`);
    expect(entries.map(({ verdicts }) => verdicts)).toEqual([[], [], ['after_objection']]);
  });
});
