import type { PlanOf } from '@decola/contracts';
import { casesOf } from '@decola/testing';
import { commenter, ownPost } from './support/acting-work.js';
import { openReservation, sendDmPlan } from './support/jobs.js';
import { Network, type NetworkPost } from './support/network.js';
import { sideBySide, testsSideBySide } from './support/side-by-side.js';
import { withKit, workerSuite } from './support/worker-kit.js';

const message = 'Oi! Aqui está o link:\nhttps://exemplo.com.br/curso 😍';
const reply = 'te mandei no direct!';

type Customer = Awaited<ReturnType<Network['customer']>>;

const messagesOf = (network: Network, from: string) =>
  network.call<{ messages: { to: string; text: string; folder: string }[] }>('GET', `/messages?from=${from}`);

describe.each(casesOf(['main', 'drift', 'relay', 'preloading'], () => 'any build'))(
  'direct messages on the pages of the build %s',
  (build) => {
    const network = new Network();
    beforeAll(() => network.start(build));
    afterAll(() => network.stop());

    const languages = ['pt', 'en'] as const;
    const run = sideBySide(languages, (language) =>
      withKit(network.url, {}, async (kit) => {
        const me = await network.customer(language);
        const post = await ownPost(network, me);
        const first = await commenter(network, post, 'QUERO muito 😍', { at: new Date(Date.now() - 7_200_000).toISOString() });
        await commenter(network, post, 'que lindo');
        const second = await commenter(network, post, 'eu quéro!', { at: new Date(Date.now() - 3_600_000).toISOString() });
        await network.tie(second.username, me.username, 'following');
        const end = await kit.runPlan(me, sendDmPlan(post.code, { message, reply, budget: 5 }));
        expect(end).toMatchObject({ outcome: 'done', stop: null, tried: 4, confirmed: 4 });
        expect(
          kit.actionsOf(end.runId).map(({ action, target, outcome, proof }) => [action, target.targetId, outcome, proof['folder']]),
        ).toEqual([
          ['message', first.pk, 'confirmed', 'requests'],
          ['reply', first.comment, 'confirmed', undefined],
          ['message', second.pk, 'confirmed', 'inbox'],
          ['reply', second.comment, 'confirmed', undefined],
        ]);
        const { messages } = await messagesOf(network, me.username);
        expect(messages.map(({ to, text }) => [to, text])).toEqual([first, second].map(({ username }) => [username, message]));
        const replies = (await network.comments(post.code)).filter(({ username }) => username === me.username).map(({ text }) => text);
        expect(replies.sort()).toEqual([first, second].map(({ username }) => `@${username} ${reply}`).sort());
        // Start page and post; for each person the profile and its proof, the post and its proof.
        expect(end.pageViews).toBe(2 + 2 * 4);
        expect(await network.verdicts(me.username)).toEqual([]);
      }),
    );
    it.each(languages)('go to everybody who commented the keyword, with a public answer, in %s', (language) =>
      run(languages.indexOf(language)),
    );

    it('are not sent on a page in Spanish', () =>
      withKit(network.url, {}, async (kit) => {
        const { username } = await network.account();
        const me = await network.session(username, 'es');
        const end = await kit.runPlan(me, sendDmPlan('Cabcdefgh12'));
        expect(end).toMatchObject({ outcome: 'stopped', stop: { class: 'unknown_language' }, tried: 0, pageViews: 1 });
      }));
  },
);

describe('a direct message', () => {
  const { network, kit } = workerSuite();
  const send = (me: Customer, post: Pick<NetworkPost, 'code'>, over: Partial<PlanOf<'send-dm'>> = {}) =>
    kit.runPlan(me, sendDmPlan(post.code, { budget: 5, ...over }));

  testsSideBySide([
    [
      'goes to nobody when the post is not our own, or is gone',
      async () => {
        const me = await network.customer();
        const other = await network.post();
        await commenter(network, other, 'quero');
        expect(await send(me, other)).toMatchObject({ outcome: 'done', targetProblem: 'post_of_another', tried: 0 });
        const deleted = await ownPost(network, me);
        await network.changePost(deleted.code, { presence: 'deleted' });
        expect(await send(me, deleted)).toMatchObject({ outcome: 'done', targetProblem: 'post_gone', tried: 0 });
        expect(await network.actions(me.username)).toEqual([]);
      },
    ],
    [
      'goes once to who comments twice, and never to ourselves or to an old comment',
      async () => {
        const me = await network.customer();
        const post = await ownPost(network, me);
        const person = await commenter(network, post, 'quero');
        await network.call('POST', '/comments', { post: post.code, username: person.username, text: 'quero mesmo' });
        await network.call('POST', '/comments', { post: post.code, username: me.username, text: 'comente quero' });
        await commenter(network, post, 'quero', { at: new Date(Date.now() - 8 * 86_400_000).toISOString() });
        const end = await send(me, post);
        expect(end).toMatchObject({ outcome: 'done', tried: 1, confirmed: 1 });
        expect((await messagesOf(network, me.username)).messages.map(({ to }) => to)).toEqual([person.username]);
        const again = await send(me, post);
        expect(again).toMatchObject({ tried: 0, confirmed: 0 });
        expect(await network.verdicts(me.username)).toEqual([]);
      },
    ],
    [
      'that the person does not take is skipped, without a public answer',
      async () => {
        const me = await network.customer();
        const post = await ownPost(network, me);
        const closed = await commenter(network, post, 'quero');
        await network.call('PUT', `/accounts/${closed.username}/direct`, { newRequests: 'not_allowed' });
        const late = await commenter(network, post, 'quero');
        await network.call('PUT', `/accounts/${late.username}/direct`, { newRequests: 'not_allowed_after_sending' });
        const end = await send(me, post, { reply });
        expect(end).toMatchObject({ outcome: 'done', stop: null, confirmed: 0 });
        expect(kit.outcomesOf(end.runId)).toEqual(['messages_closed', 'messages_closed']);
        expect((await network.comments(post.code)).filter(({ username }) => username === me.username)).toEqual([]);
      },
    ],
    [
      'that is lost or fails is not confirmed, and gets no public answer',
      async () => {
        const me = await network.customer();
        const post = await ownPost(network, me);
        const lost = await commenter(network, post, 'quero', { at: new Date(Date.now() - 3_600_000).toISOString() });
        await network.object({ username: me.username, kind: 'message_lost', call: 'message', target: lost.username });
        const end = await send(me, post, { reply, budget: 1 });
        expect(kit.outcomesOf(end.runId)).toEqual(['not_confirmed']);
        const other = await network.customer();
        const theirs = await ownPost(network, other);
        await commenter(network, theirs, 'quero');
        await network.object({ username: other.username, kind: 'message_failed', call: 'message' });
        const failed = await send(other, theirs, { reply, budget: 1 });
        expect(kit.outcomesOf(failed.runId)).toEqual(['refused']);
      },
    ],
    [
      'that an earlier run has sent is answered in public, and not sent again',
      async () => {
        const me = await network.customer();
        const post = await ownPost(network, me);
        const [answered, silent] = [await commenter(network, post, 'quero'), await commenter(network, post, 'quero')];
        const earlier = await send(me, post, { message });
        expect(earlier).toMatchObject({ confirmed: 2 });
        // The post with which the ledger finds out who is owed an answer.
        expect(kit.actionsOf(earlier.runId).map(({ target }) => target.postCode)).toEqual([post.code, post.code]);
        const end = await send(me, post, { message, reply, answersOwed: [answered.pk] });
        expect(kit.actionsOf(end.runId).map(({ action, target, outcome }) => [action, target.targetId, outcome])).toEqual([
          ['reply', answered.comment, 'confirmed'],
        ]);
        expect((await messagesOf(network, me.username)).messages.map(({ to }) => to).sort()).toEqual(
          [answered, silent].map(({ username }) => username).sort(),
        );
        expect(await network.verdicts(me.username)).toEqual([]);
      },
    ],
    [
      'that was blocked stops the account',
      async () => {
        const me = await network.customer();
        const post = await ownPost(network, me);
        await commenter(network, post, 'quero');
        await commenter(network, post, 'quero');
        await network.object({ username: me.username, kind: 'feedback_required', call: 'message', times: null });
        const end = await send(me, post, { reply });
        expect(end).toMatchObject({ outcome: 'stopped', stop: { class: 'action_blocked', action: 'message' }, confirmed: 0 });
        expect(end.tried).toBe(1);
        expect(await network.verdicts(me.username)).toEqual([]);
      },
    ],
    [
      'is written in spite of the dialogs about a PIN and about notifications',
      async () => {
        const me = await network.customer();
        const post = await ownPost(network, me);
        await commenter(network, post, 'quero');
        await network.call('PUT', `/accounts/${me.username}/interruptions`, { kinds: ['direct_pin', 'direct_notifications'] });
        expect(await send(me, post)).toMatchObject({ outcome: 'done', confirmed: 1 });
      },
    ],
    [
      'of an earlier run is found in the conversation, and an answer below the post',
      async () => {
        const me = await network.customer();
        const post = await ownPost(network, me);
        const sent = await commenter(network, post, 'quero');
        expect(await send(me, post, { message, reply })).toMatchObject({ confirmed: 2 });
        const none = await network.account();
        const unanswered = await commenter(network, post, 'que lindo');
        const unsettled = [
          { ...openReservation('message', sent), text: message },
          { ...openReservation('message', none), text: message },
          { ...openReservation('reply', { ...sent, pk: sent.comment }), postCode: post.code, text: `@${sent.username} ${reply}` },
          { ...openReservation('reply', { ...unanswered, pk: unanswered.comment }), postCode: post.code, text: 'outra coisa' },
        ];
        const end = await send(me, post, { budget: 0 }).then(() => kit.runPlan(me, sendDmPlan(post.code, { budget: 0 }), { unsettled }));
        expect(kit.actionsOf(end.runId).map(({ settled, outcome }) => [settled, outcome])).toEqual([
          [true, 'confirmed'],
          [true, 'not_confirmed'],
          [true, 'confirmed'],
          [true, 'not_confirmed'],
        ]);
        expect((await messagesOf(network, me.username)).messages).toHaveLength(1);
      },
    ],
  ]);

  it('is announced with its text before it is sent', async () => {
    const me = await network.customer();
    const post = await ownPost(network, me);
    const person = await commenter(network, post, 'quero');
    const before: number[] = [];
    kit.automations.beforeTrying = async () => void before.push((await network.actions(me.username)).length);
    const end = await send(me, post, { message });
    expect(before).toEqual([0]);
    const target = { targetId: person.pk, username: person.username };
    expect(kit.automations.tries.filter(({ runId }) => runId === end.runId)).toMatchObject([{ action: 'message', target, text: message }]);
  });
});
