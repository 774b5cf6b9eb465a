import { runDiaryRow, type LedgerTarget, userDeleted } from '@decola/contracts';
import { hourMs, person, RunKit } from './run-kit.js';
import { type Bench, cookieOf, followConfiguration, type Json, networkId } from './support.js';

const dayMs = 24 * hourMs;

/** What the ledger allows an account to do to people, posts, stories and comments, whichever tool asks. */
describe('rules of the ledger', () => {
  const kit = new RunKit();
  let bench: Bench;
  const { later, tell, reserve, reserveOne, announce, act, look, finish, stopped, followRun, nextRun } = kit;

  beforeAll(async () => {
    bench = await kit.start();
  });
  afterAll(() => kit.stop());

  const post = (authorId = networkId(), more: Partial<LedgerTarget> = {}): LedgerTarget => ({
    targetId: networkId(),
    username: `autora_${authorId}`,
    authorId,
    postCode: `C${authorId}`,
    ...more,
  });
  const comment = post;
  const entries = (accountKey: string, action: string): Promise<Json[]> =>
    bench.db.query('select * from account_actions where account_key = $1 and action = $2 order by reserved_at', [accountKey, action]);
  const refusal = (target: LedgerTarget, reason: string) => ({ reserved: [], refused: [{ ...target, reason }] });

  const pause = (accountKey: string, name: string) =>
    bench.db.query(`insert into account_action_pauses (account_key, action, cause, since, until) values ($1, $2, 'refused', $3, $4)`, [
      accountKey,
      name,
      kit.now,
      new Date(kit.now.getTime() + 5 * dayMs),
    ]);

  describe('comment', () => {
    it('refuses another post of an author who got one within 30 days, whichever way the author is named', async () => {
      const run = await followRun();
      const first = post();
      await act(run.job, run.fence, await reserveOne(run.job, first, run.fence, 'comment'), 'confirmed', { action: 'comment' });
      const { authorId: _, ...nameOnly } = post(first.authorId);
      const renamed = post(first.authorId, { username: 'outro_nome' });
      for (const next of [post(first.authorId), renamed, nameOnly])
        expect(await reserve(run.job, [next], run.fence, 'comment')).toMatchObject(refusal(next, 'author_recent'));
      expect(await reserve(run.job, [post()], run.fence, 'comment')).toMatchObject({ refused: [] });
      await finish(run.job, run.fence);

      const late = await nextRun(run.id, 29 * dayMs);
      expect(await reserve(late.job, [renamed], late.fence, 'comment')).toMatchObject(refusal(renamed, 'author_recent'));
      await finish(late.job, late.fence);
      const again = await nextRun(run.id, 2 * dayMs);
      expect(await reserve(again.job, [first], again.fence, 'comment')).toMatchObject(refusal(first, 'already_in_ledger'));
      expect(await reserve(again.job, [renamed], again.fence, 'comment')).toMatchObject({ reserved: [renamed], refused: [] });
    });

    it('grants one of several posts of an author in one request, and another one when the network refused that', async () => {
      const run = await followRun();
      const [one, two] = [post(), post()];
      const second = post(one.authorId);
      const reply = await reserve(run.job, [one, second, two], run.fence, 'comment');
      expect(reply).toMatchObject({ reserved: [one, two], refused: [{ ...second, reason: 'author_recent' }] });
      await act(run.job, run.fence, reply.reserved[0]!, 'refused', { action: 'comment' });
      expect(await reserve(run.job, [second], run.fence, 'comment')).toMatchObject({ reserved: [second] });
    });

    it('remembers authors for the other customers of an account when its customer was erased, without naming anybody', async () => {
      const run = await followRun();
      const met = post();
      await act(run.job, run.fence, await reserveOne(run.job, met, run.fence, 'comment'), 'confirmed', { action: 'comment' });
      await finish(run.job, run.fence);
      await tell(userDeleted, { userId: run.userId, deletedAt: kit.now.toISOString() });
      const [kept] = await entries(run.job.accountKey, 'comment');
      expect(kept).toMatchObject({ is_key: true, target_username: '', post_code: null, text: null });
      expect(JSON.stringify(kept)).not.toMatch(new RegExp(`${met.authorId}|${met.targetId}`));

      const other = await followRun(run.account);
      const next = post(met.authorId);
      expect(await reserve(other.job, [next], other.fence, 'comment')).toMatchObject(refusal(next, 'author_recent'));
    });
  });

  describe('view-story', () => {
    it('is granted for the same person again after 24 hours, and not before', async () => {
      const run = await followRun();
      const ana = person();
      const first = await reserveOne(run.job, ana, run.fence, 'view-story');
      expect(await reserveOne(run.job, ana, run.fence, 'view-story')).toEqual(first);
      await act(run.job, run.fence, first, 'confirmed', { action: 'view-story' });
      await finish(run.job, run.fence);

      // Also after midnight, which begins another UTC day.
      const early = await nextRun(run.id, 24 * hourMs - 1);
      expect(await reserve(early.job, [ana], early.fence, 'view-story')).toMatchObject(refusal(ana, 'already_in_ledger'));
      await finish(early.job, early.fence);
      const next = await nextRun(run.id, hourMs);
      expect(await reserve(next.job, [ana], next.fence, 'view-story')).toMatchObject({ reserved: [ana] });
      const days = (await entries(run.job.accountKey, 'view-story')).map(({ target_id }) => target_id as string);
      expect(days).toEqual([expect.stringMatching(`^${ana.targetId}@\\d+$`), expect.stringMatching(`^${ana.targetId}@\\d+$`)]);
      expect(days[0]).not.toBe(days[1]);
    });

    it('stays refused for 24 hours when its customer was erased', async () => {
      const run = await followRun();
      const ana = person();
      await act(run.job, run.fence, await reserveOne(run.job, ana, run.fence, 'view-story'), 'confirmed', { action: 'view-story' });
      await finish(run.job, run.fence);
      await tell(userDeleted, { userId: run.userId, deletedAt: kit.now.toISOString() });
      later(10 * hourMs);
      const other = await followRun(run.account);
      expect(await reserve(other.job, [ana], other.fence, 'view-story')).toMatchObject(refusal(ana, 'already_in_ledger'));
      await finish(other.job, other.fence);
      const next = await nextRun(other.id, 15 * hourMs);
      expect(await reserve(next.job, [ana], next.fence, 'view-story')).toMatchObject({ reserved: [ana] });
    });

    it('is settled without proof at the first look, because no page shows what became of it', async () => {
      const run = await followRun();
      const ana = person();
      const reserved = await reserveOne(run.job, ana, run.fence, 'view-story');
      await announce(run.job, run.fence, reserved, 'view-story');
      await stopped(run.job, run.fence, 'worker_stopped');
      const next = await nextRun(run.id, 0);
      expect(next.job.unsettled).toEqual([{ reservationId: reserved.reservationId, action: 'view-story', ...ana }]);
      await look(next.job, next.fence, reserved, 'unknown', 'view-story');
      expect(await entries(run.job.accountKey, 'view-story')).toMatchObject([{ state: 'not_confirmed', next_look_at: null }]);
      await finish(next.job, next.fence);
      expect((await nextRun(run.id)).job.unsettled).toEqual([]);
    });

    it('keeps what is known of a person without stories for a day alone', async () => {
      const run = await followRun();
      const ana = person();
      const skip = { ...ana, reservationId: null as unknown as string };
      await act(run.job, run.fence, skip, 'skipped', { action: 'view-story', skipReason: 'target_gone' });
      expect(await reserve(run.job, [ana], run.fence, 'view-story')).toMatchObject(refusal(ana, 'already_in_ledger'));
      await finish(run.job, run.fence);
      const next = await nextRun(run.id, 25 * hourMs);
      expect(await reserve(next.job, [ana], next.fence, 'view-story')).toMatchObject({ reserved: [ana] });
    });
  });

  it('grants one message per person, over all automations and customers of an account and for ever', async () => {
    const run = await followRun();
    const ana = person();
    await act(run.job, run.fence, await reserveOne(run.job, ana, run.fence, 'message'), 'confirmed', { action: 'message' });
    await finish(run.job, run.fence);
    await bench.call('PATCH', `automations?id=eq.${run.id}`, run.userId, { is_active: false });
    const second = await bench.made(run.userId, { configuration: followConfiguration(run.account, { targets: '#bolo' }) });
    const other = await nextRun(second, 400 * dayMs);
    expect(await reserve(other.job, [ana], other.fence, 'message')).toMatchObject(refusal(ana, 'already_in_ledger'));
    await finish(other.job, other.fence);
    const stranger = await followRun(run.account);
    expect(await reserve(stranger.job, [ana], stranger.fence, 'message')).toMatchObject(refusal(ana, 'already_in_ledger'));
  });

  it('grants one reply per comment, and counts replies towards the ceiling of comments', async () => {
    const run = await followRun(networkId(), { rowsPerLaunch: 5 });
    const author = networkId();
    const [first, second] = [comment(author), comment(author)];
    for (const each of [first, second])
      await act(run.job, run.fence, await reserveOne(run.job, each, run.fence, 'reply'), 'confirmed', { action: 'reply' });
    expect(await reserve(run.job, [first], run.fence, 'reply')).toMatchObject(refusal(first, 'already_in_ledger'));
    // Four an hour: two replies and two comments.
    await reserve(run.job, [post(), post()], run.fence, 'comment');
    const third = comment();
    expect(await reserve(run.job, [third], run.fence, 'reply')).toMatchObject({ ...refusal(third, 'ceiling'), stop: 'ceiling' });
  });

  it('does nothing to the account itself', async () => {
    const run = await followRun();
    await finish(run.job, run.fence, { username: 'minha_conta' });
    const next = await nextRun(run.id);
    const self = person(run.account);
    for (const action of ['follow', 'unfollow', 'view-story', 'message'] as const)
      expect(await reserve(next.job, [self], next.fence, action)).toMatchObject(refusal(self, 'own'));
    const { authorId: _, ...nameOnly } = post(run.account, { username: 'minha_conta' });
    for (const own of [post(run.account), nameOnly])
      for (const action of ['like', 'comment', 'reply'] as const)
        expect(await reserve(next.job, [own], next.fence, action)).toMatchObject(refusal(own, 'own'));
    // A post's number may equal the account's: they count different things.
    expect(await reserve(next.job, [post(networkId(), { targetId: run.account })], next.fence, 'like')).toMatchObject({ refused: [] });
  });

  it('gives the next run what a look needs to find a comment, and shows the post and the text in the diary', async () => {
    const run = await followRun();
    const target = post();
    const reserved = await reserveOne(run.job, target, run.fence, 'comment');
    await announce(run.job, run.fence, reserved, 'comment', 'Que delícia de bolo!');
    await stopped(run.job, run.fence, 'worker_stopped');
    const next = await nextRun(run.id, 0);
    const { reservationId } = reserved;
    expect(next.job.unsettled).toEqual([{ reservationId, action: 'comment', ...target, text: 'Que delícia de bolo!' }]);
    await look(next.job, next.fence, reserved, 'confirmed', 'comment');
    later(1_000);
    const skipped = { ...post(), reservationId: null as unknown as string };
    await act(next.job, next.fence, skipped, 'skipped', { action: 'comment', skipReason: 'author_recent' });
    const { body } = await bench.call('GET', `run_diary?automation_id=eq.${run.id}&order=at`, run.userId);
    expect(runDiaryRow.array().parse(body)).toMatchObject([
      {
        action: 'comment',
        target_id: target.targetId,
        post_code: target.postCode,
        text: 'Que delícia de bolo!',
        settled: true,
        reason: null,
      },
      { skip_reason: 'author_recent', reason: 'Sua conta comentou um post desta pessoa há menos de 30 dias.', text: null },
    ]);
  });

  it('tells a run how many texts its automation has used, whatever other automations of the account did', async () => {
    const run = await followRun();
    await act(run.job, run.fence, await reserveOne(run.job, post(), run.fence, 'comment'), 'confirmed', { action: 'comment' });
    await finish(run.job, run.fence);
    await bench.call('PATCH', `automations?id=eq.${run.id}`, run.userId, { is_active: false });
    const texts = ['Que lindo!', 'Amei!', 'Parabéns!'];
    const configuration = { ...followConfiguration(run.account), action: 'comment', commentsList: texts };
    const id = await bench.made(run.userId, { type: 'auto-comment', configuration });
    const first = await nextRun(id, 0);
    expect(first.job.plan).toMatchObject({ kind: 'comment', texts, textsUsed: 0 });
    for (const outcome of ['confirmed', 'not_confirmed']) {
      const target = await reserveOne(first.job, post(), first.fence, 'comment');
      await announce(first.job, first.fence, target, 'comment', texts[0]);
      await act(first.job, first.fence, target, outcome, { action: 'comment' });
    }
    await act(first.job, first.fence, { ...post(), reservationId: null as unknown as string }, 'skipped', {
      action: 'comment',
      skipReason: 'target_gone',
    });
    // The worker dies before it writes this one.
    await reserveOne(first.job, post(), first.fence, 'comment');
    await stopped(first.job, kit.nextToken(), 'worker_stopped');
    expect((await nextRun(id, 2 * hourMs)).job.plan).toMatchObject({ textsUsed: 2 });
  });

  it('continues an interrupted run with what is left of the action that its budget counts, whatever else it did', async () => {
    const run = await followRun();
    await act(run.job, run.fence, await reserveOne(run.job, person(), run.fence));
    for (const target of [comment(), comment()])
      await act(run.job, run.fence, await reserveOne(run.job, target, run.fence, 'reply'), 'confirmed', { action: 'reply' });
    await stopped(run.job, run.fence, 'worker_stopped');
    expect((await nextRun(run.id, 0)).job.plan).toMatchObject({ kind: 'follow', budget: 2 });
  });

  it('gives 20 requests at once for one target one reservation, and for 20 posts of one author one post', async () => {
    const run = await followRun(networkId(), { rowsPerLaunch: 5 });
    const story = person();
    const replies = await Promise.all(Array.from({ length: 20 }, () => reserve(run.job, [story], run.fence, 'view-story')));
    expect(new Set(replies.map(({ reserved }) => reserved[0]?.reservationId)).size).toBe(1);
    expect(await entries(run.job.accountKey, 'view-story')).toHaveLength(1);

    const author = networkId();
    const granted = await Promise.all(Array.from({ length: 20 }, () => reserve(run.job, [post(author)], run.fence, 'comment')));
    expect(granted.flatMap(({ reserved }) => reserved)).toHaveLength(1);
    expect(granted.flatMap(({ refused }) => refused).map(({ reason }) => reason)).toEqual(Array(19).fill('author_recent'));
  });

  it('holds every kind of run that does a paused action, and no other', async () => {
    const run = await followRun();
    await finish(run.job, run.fence);
    const unfollowing = await bench.made(run.userId, {
      configuration: { ...followConfiguration(run.account), sessionCookie: cookieOf(run.account), action: 'unfollow', method: '' },
    });
    await pause(run.job.accountKey, 'follow');
    later(hourMs);
    await bench.tick();
    const statuses = [run.id, unfollowing].map(async (id) => (await bench.automation(run.userId, id)).status);
    expect(await Promise.all(statuses)).toEqual(['blocked', 'waiting']);
  });

  it('grants a run nothing while its action or its kind is paused, and everything while another kind is', async () => {
    const run = await followRun();
    await pause(run.job.accountKey, 'run:unfollow');
    expect(await reserve(run.job, [person()], run.fence)).toMatchObject({ refused: [], stop: null });
    await pause(run.job.accountKey, 'run:follow');
    expect(await reserve(run.job, [person()], run.fence)).toMatchObject({ reserved: [], stop: 'account_paused' });
  });
});
