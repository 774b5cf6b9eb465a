import { randomUUID } from 'node:crypto';
import { jobFor } from './support/jobs.js';
import { Network } from './support/network.js';
import { workerKit, type WorkerKit } from './support/worker-kit.js';

describe('following and unfollowing in a real browser', () => {
  let network: Network;
  let kit: WorkerKit;
  beforeAll(async () => {
    network = await Network.start();
    kit = await workerKit(network.url);
  });
  afterAll(async () => {
    await kit?.dispose();
    await network?.stop();
  });

  it.each(['pt', 'en'] as const)('follows people of a hashtag, on a page in %s', async (language) => {
    const me = await network.customer(language);
    const end = await kit.run(
      jobFor(me, { kind: 'follow', source: { kind: 'hashtag', hashtag: 'doces' }, budget: 2, requestPrivate: false }),
    );
    expect(end).toMatchObject({ outcome: 'done', stop: null, tried: 2, confirmed: 2, username: me.username });
    const done = await network.actions(me.username);
    expect(done.map(({ action, result }) => [action, result])).toEqual([
      ['follow', 'done'],
      ['follow', 'done'],
    ]);
    expect(await network.verdicts(me.username)).toEqual([]);
    const proofs = kit.automations.actions.filter(({ runId, outcome }) => runId === end.runId && outcome === 'confirmed');
    expect(proofs.map(({ proof }) => proof)).toEqual(
      Array(2).fill(
        expect.objectContaining({
          root: 'xdt_create_friendship',
          answer: 'following',
          header: 'following',
          headerAfterReload: 'following',
        }),
      ),
    );
  });

  afterEach(() => (kit.automations.afterReserve = () => Promise.resolve()));
  const ourActions = (runId: string) => kit.automations.actions.filter((action) => action.runId === runId);
  const slotOf = (people: { pk: string; username: string }[]) => {
    const extractedDataId = randomUUID();
    kit.automations.slots.set(
      extractedDataId,
      people.map(({ pk, username }) => ({ targetId: pk, username })),
    );
    return { kind: 'slot' as const, extractedDataId };
  };

  it('follows the followers of another account, and nobody twice over three runs', async () => {
    const me = await network.customer();
    const shop = await network.account({ followers: 40 });
    for (let round = 0; round < 3; round += 1) {
      const end = await kit.run(
        jobFor(me, { kind: 'follow', source: { kind: 'list', username: shop.username }, budget: 3, requestPrivate: true }),
      );
      expect(end).toMatchObject({ outcome: 'done', tried: 3, confirmed: 3 });
    }
    const done = await network.actions(me.username);
    expect(new Set(done.map(({ targetId }) => targetId)).size).toBe(9);
    const followers = new Set((await network.list(shop.username, 'followers')).map(({ pk }) => pk));
    expect(done.every(({ targetId }) => followers.has(targetId!))).toBe(true);
    expect(await network.verdicts(me.username)).toEqual([]);
  });

  it('goes on through a list when the first pages hold nobody new', async () => {
    const me = await network.customer();
    const shop = await network.account({ followers: 40 });
    await network.call('PUT', `/accounts/${shop.username}/lists`, { stableOrder: true, lossRate: 0 });
    const list = { kind: 'extract-list' as const, list: 'followers' as const, username: shop.username, extractedDataId: randomUUID() };
    const { runId } = await kit.run(jobFor(me, { ...list, cursor: null, pass: 1, nextPage: 0, maxPages: 50 }));
    const known = kit.automations.pages.filter((page) => page.runId === runId).flatMap(({ rows }) => rows);
    const job = jobFor(me, { kind: 'follow', source: { kind: 'list', username: shop.username }, budget: 2, requestPrivate: true });
    // All but three are in the ledger already.
    for (const { userId, username } of known.slice(0, -3)) {
      kit.automations.reservations.push({
        targetId: userId,
        username,
        reservationId: randomUUID(),
        runId: randomUUID(),
        accountKey: job.accountKey,
        action: 'follow',
        outcome: 'confirmed',
      });
    }
    const end = await kit.run(job);
    expect(end).toMatchObject({ outcome: 'done', tried: 2 });
    expect(end.pages).toBeGreaterThan(2);
    expect(await network.verdicts(me.username)).toEqual([]);
  });

  it('goes on through a hashtag when the first posts are by people it knows', async () => {
    const me = await network.customer('en');
    const plan = { kind: 'follow' as const, source: { kind: 'hashtag' as const, hashtag: 'bolos' }, budget: 1, requestPrivate: true };
    const job = jobFor(me, plan);
    // The first 60 people that are proposed are in the ledger already.
    const proposed: string[] = [];
    const reserve = kit.automations.reserve.bind(kit.automations);
    kit.automations.reserve = async (request) => {
      proposed.push(...request.candidates.map(({ targetId }) => targetId));
      if (proposed.length > 60) return reserve(request);
      return { reserved: [], refused: request.candidates.map((one) => ({ ...one, reason: 'already_in_ledger' as const })), stop: null };
    };
    const end = await kit.run(job).finally(() => (kit.automations.reserve = reserve));
    // Everybody but the last was passed over: sixty it knew, and whoever after them is gone from the network.
    expect(end).toMatchObject({ outcome: 'done', tried: 1, confirmed: 1, skipped: proposed.length - 1 });
    expect(proposed.length).toBeGreaterThan(60);
    expect(new Set(proposed).size).toBe(proposed.length);
    expect((await network.ledger({ account: me.username, action: 'hashtag' })).length).toBeGreaterThan(2);
    expect(await network.verdicts(me.username)).toEqual([]);
  });

  it('takes people of an extraction in their order and passes over whom it should, saying why', async () => {
    const me = await network.customer();
    const [open, followed, renamed] = await network.people(3, ({ isPrivate }) => !isPrivate, 3_000);
    const [closed] = await network.people(1, ({ isPrivate }) => isPrivate, 3_000);
    const gone = await network.account({ presence: 'gone_404' });
    const vanished = await network.account({ presence: 'gone_200' });
    await network.tie(me.username, followed!.username, 'following');
    const source = slotOf([
      gone,
      vanished,
      followed!,
      closed!,
      { pk: '999999999', username: renamed!.username }, // somebody else bears this name now
      { pk: me.networkUserId, username: me.username },
      open!,
    ]);
    const end = await kit.run(jobFor(me, { kind: 'follow', source, budget: 5, requestPrivate: false }));
    expect(end).toMatchObject({ outcome: 'done', tried: 1, confirmed: 1, skipped: 5 });
    expect(ourActions(end.runId).map(({ target, outcome, skipReason }) => [target.username, outcome, skipReason])).toEqual([
      [gone.username, 'skipped', 'target_gone'],
      [vanished.username, 'skipped', 'target_gone'],
      [followed!.username, 'skipped', 'already_so'],
      [closed!.username, 'skipped', 'target_private'],
      [renamed!.username, 'skipped', 'target_gone'],
      [open!.username, 'confirmed', null],
    ]);
    // Who was passed over is named with every question, since the report may arrive after it.
    const passedOver = ourActions(end.runId).flatMap(({ outcome, reservationId }) =>
      outcome === 'skipped' && reservationId !== null ? [reservationId] : [],
    );
    expect(end.givenBack).toEqual(passedOver);
    const questions = kit.automations.questions.filter(({ runId }) => runId === end.runId);
    expect(questions.map(({ givenBack }) => givenBack)).toEqual([0, 1, 2, 3, 4, 5].map((count) => passedOver.slice(0, count)));
    expect((await network.actions(me.username)).map(({ target }) => target)).toEqual([open!.username]);
  });

  it('asks a private person when that is wanted, and records it apart', async () => {
    const me = await network.customer('en');
    const [closed] = await network.people(1, ({ isPrivate }) => isPrivate, 5_000);
    const end = await kit.run(jobFor(me, { kind: 'follow', source: slotOf([closed!]), budget: 1, requestPrivate: true }));
    expect(end).toMatchObject({ tried: 1, confirmed: 1 });
    expect(ourActions(end.runId)).toMatchObject([{ outcome: 'requested', proof: { answer: 'requested', headerAfterReload: 'requested' } }]);
    expect(await network.relation(me.username, closed!.username)).toBe('requested');
  });

  it.each(['pt', 'en'] as const)('unfollows open and private people and takes a request back, on a page in %s', async (language) => {
    const me = await network.customer(language);
    const [open, free] = await network.people(2, ({ isPrivate }) => !isPrivate, 7_000);
    const [closed, asked] = await network.people(2, ({ isPrivate }) => isPrivate, 7_000);
    for (const { username } of [open!, closed!]) await network.tie(me.username, username, 'following');
    await network.tie(me.username, asked!.username, 'requested');
    const targets = [open!, free!, closed!, asked!].map(({ pk, username }) => ({ targetId: pk, username }));
    const end = await kit.run(jobFor(me, { kind: 'unfollow', targets, budget: 5 }));
    expect(end).toMatchObject({ outcome: 'done', tried: 3, confirmed: 3, skipped: 1 });
    expect(ourActions(end.runId).map(({ outcome, skipReason }) => skipReason ?? outcome)).toEqual([
      'confirmed',
      'already_so',
      'confirmed',
      'confirmed',
    ]);
    for (const { username } of [open!, closed!, asked!]) expect(await network.relation(me.username, username)).toBe('none');
  });

  it('settles what a dead worker left open by looking, and does not do it again', async () => {
    const me = await network.customer();
    const [kept, lost, dropped, still] = await network.people(4, ({ isPrivate }) => !isPrivate, 9_000);
    for (const { username } of [kept!, still!]) await network.tie(me.username, username, 'following');
    const open = (action: 'follow' | 'unfollow', { pk, username }: { pk: string; username: string }) => ({
      reservationId: randomUUID(),
      action,
      targetId: pk,
      username,
    });
    const unsettled = [open('follow', kept!), open('follow', lost!), open('unfollow', dropped!), open('unfollow', still!)];
    const end = await kit.run(jobFor(me, { kind: 'follow', source: slotOf([]), budget: 3, requestPrivate: false }, { unsettled }));
    expect(end).toMatchObject({ outcome: 'done', tried: 0 });
    expect(ourActions(end.runId).map(({ reservationId, outcome, settled }) => [reservationId, outcome, settled])).toEqual([
      [unsettled[0]!.reservationId, 'confirmed', true],
      [unsettled[1]!.reservationId, 'not_confirmed', true],
      [unsettled[2]!.reservationId, 'confirmed', true],
      [unsettled[3]!.reservationId, 'not_confirmed', true],
    ]);
    expect(await network.actions(me.username)).toEqual([]);
  });

  it('closes what may be closed, once, and acts', async () => {
    const me = await network.customer();
    const kinds = ['cookie_banner', 'save_login', 'notifications', 'home_screen', 'app_bar'];
    const [person] = await network.people(1, ({ isPrivate }) => !isPrivate, 11_000);
    // They lie over the profile whose button is clicked next.
    kit.automations.afterReserve = async () => void (await network.call('PUT', `/accounts/${me.username}/interruptions`, { kinds }));
    const end = await kit.run(jobFor(me, { kind: 'follow', source: slotOf([person!]), budget: 1, requestPrivate: false }));
    expect(end).toMatchObject({ outcome: 'done', confirmed: 1 });
  });

  it('works on a page of another structure', async () => {
    const me = await network.customer();
    const shop = await network.account({ followers: 30 });
    await network.call('POST', '/build', { name: 'drift' });
    try {
      const end = await kit.run(
        jobFor(me, { kind: 'follow', source: { kind: 'list', username: shop.username }, budget: 2, requestPrivate: true }),
      );
      expect(end).toMatchObject({ outcome: 'done', tried: 2, confirmed: 2 });
      const targets = (await network.actions(me.username)).map(({ targetId, target }) => ({ targetId: targetId!, username: target! }));
      expect(await kit.run(jobFor(me, { kind: 'unfollow', targets, budget: 5 }))).toMatchObject({ tried: 2, confirmed: 2 });
      expect(await network.verdicts(me.username)).toEqual([]);
    } finally {
      await network.call('POST', '/build', { name: 'main' });
    }
  });

  it('loads a page again that came broken, once', async () => {
    const shop = await network.account({ followers: 40 });
    const troubles = [
      ['landmark_missing', 'page', { kind: 'list', username: shop.username }],
      ['html_instead_of_json', 'followers', { kind: 'list', username: shop.username }],
      ['stale_token', 'hashtag', { kind: 'hashtag', hashtag: 'doces' }],
      ['graphql_error', 'hashtag', { kind: 'hashtag', hashtag: 'doces' }],
    ] as const;
    // Each waits for what does not come: all at once, each for a customer of its own.
    await Promise.all(
      troubles.map(async ([kind, call, source]) => {
        const me = await network.customer();
        await network.object({ username: me.username, kind, call, ...(call === 'page' ? { target: shop.username } : {}), times: 1 });
        const end = await kit.run(jobFor(me, { kind: 'follow', source, budget: 1, requestPrivate: true }));
        expect({ kind, end }).toMatchObject({ end: { outcome: 'done', confirmed: 1 } });
        expect(await network.verdicts(me.username)).toEqual([]);
      }),
    );
  });

  it("stops near the network's own bound of people that one can follow", async () => {
    const me = await network.customer('pt', { following: 7_450 });
    const [person] = await network.people(1);
    const end = await kit.run(jobFor(me, { kind: 'follow', source: slotOf([person!]), budget: 1, requestPrivate: true }));
    expect(end).toMatchObject({ outcome: 'done', tried: 0, targetProblem: 'limit_of_network' });
    expect(await network.actions(me.username)).toEqual([]);
  });

  it('says so when the source itself has nothing to give', async () => {
    const me = await network.customer();
    const closed = await network.account({ followers: 30, isPrivate: true });
    const gone = await network.account({ presence: 'gone_404' });
    const from = (username: string) =>
      kit.run(jobFor(me, { kind: 'follow', source: { kind: 'list', username }, budget: 2, requestPrivate: true }));
    expect(await from(closed.username)).toMatchObject({ outcome: 'done', tried: 0, targetProblem: 'target_private' });
    expect(await from(gone.username)).toMatchObject({ outcome: 'done', tried: 0, targetProblem: 'target_gone' });
  });

  it('passes over whom the customer blocked, for good, and settles what was open with them', async () => {
    const me = await network.customer();
    const [blocked, left, lost, followed, free] = await network.people(5, ({ isPrivate }) => !isPrivate, 13_000);
    await network.tie(me.username, followed!.username, 'following');
    for (const { username } of [blocked!, left!, lost!]) await network.tie(me.username, username, 'blocking');
    const targets = [blocked!, followed!].map(({ pk, username }) => ({ targetId: pk, username }));
    const open = (action: 'follow' | 'unfollow', { pk, username }: { pk: string; username: string }) => ({
      reservationId: randomUUID(),
      action,
      targetId: pk,
      username,
    });
    const unsettled = [open('unfollow', left!), open('follow', lost!)];
    const end = await kit.run(jobFor(me, { kind: 'unfollow', targets, budget: 5 }, { unsettled }));
    expect(end).toMatchObject({ outcome: 'done', stop: null, tried: 1, confirmed: 1, skipped: 1 });
    expect(ourActions(end.runId).map(({ settled, outcome, skipReason }) => [settled, skipReason ?? outcome])).toEqual([
      [true, 'confirmed'],
      [true, 'not_confirmed'],
      [false, 'already_so'],
      [false, 'confirmed'],
    ]);
    const source = slotOf([blocked!, free!]);
    const follows = await kit.run(jobFor(me, { kind: 'follow', source, budget: 5, requestPrivate: false }));
    expect(follows).toMatchObject({ outcome: 'done', stop: null, tried: 1, confirmed: 1, skipped: 1 });
    expect(ourActions(follows.runId).map(({ outcome, skipReason }) => skipReason ?? outcome)).toEqual(['target_blocked_us', 'confirmed']);
    expect(await network.relation(me.username, blocked!.username)).toBe('blocking');
    const shop = await network.account({ followers: 30 });
    await network.tie(me.username, shop.username, 'blocking');
    const list = { kind: 'list' as const, username: shop.username };
    const closed = await kit.run(jobFor(me, { kind: 'follow', source: list, budget: 1, requestPrivate: true }));
    expect(closed).toMatchObject({ outcome: 'done', stop: null, tried: 0, targetProblem: 'target_private' });
  });

  it('passes over a person whose header has no button that it knows, for good; at the third in a row the site has changed', async () => {
    const buttonless = async (count: number) => {
      const me = await network.customer();
      const people = await network.people(4, ({ isPrivate }) => !isPrivate, 15_000);
      for (const { username } of people) await network.tie(me.username, username, 'following');
      for (const { username } of people.slice(0, count)) {
        await network.object({ username: me.username, kind: 'button_missing', call: 'page', target: username, times: null });
      }
      const targets = people.map(({ pk, username }) => ({ targetId: pk, username }));
      const end = await kit.run(jobFor(me, { kind: 'unfollow', targets, budget: 5 }));
      return { end, outcomes: ourActions(end.runId).map(({ outcome, skipReason }) => skipReason ?? outcome) };
    };
    const [two, three] = await Promise.all([buttonless(2), buttonless(3)]);
    expect(two.end).toMatchObject({ outcome: 'done', stop: null, tried: 2, confirmed: 2 });
    expect(two.outcomes).toEqual(['target_gone', 'target_gone', 'confirmed', 'confirmed']);
    expect(three.end).toMatchObject({ outcome: 'stopped', stop: { class: 'site_changed', row: 16 }, tried: 0 });
    expect(three.outcomes).toEqual(['target_gone', 'target_gone', 'limit_of_network']);
  });

  it('keeps its pause between two actions over the end of a run, and only after an action', async () => {
    const me = await network.customer();
    const people = await network.people(3, ({ isPrivate }) => !isPrivate, 17_000);
    for (const { username } of people.slice(0, 2)) await network.tie(me.username, username, 'following');
    const targets = people.map(({ pk, username }) => ({ targetId: pk, username }));
    const gapMs = 6_000;
    const unfollow = (target: (typeof targets)[number], ms = gapMs) =>
      kit.run(
        jobFor(
          me,
          { kind: 'unfollow', targets: [target], budget: 1 },
          { pace: { actionGapMs: { min: ms, max: ms }, pageGapMs: { min: 0, max: 0 } } },
        ),
      );
    expect(await unfollow(targets[2]!, 60_000)).toMatchObject({ tried: 0, skipped: 1 });
    const skippedAt = Date.now();
    for (const target of targets.slice(0, 2)) expect(await unfollow(target)).toMatchObject({ outcome: 'done', tried: 1, confirmed: 1 });
    const [first, second] = (await network.actions(me.username)).map(({ at }) => at);
    expect(first! - skippedAt).toBeLessThan(60_000);
    expect(second! - first!).toBeGreaterThanOrEqual(gapMs);
  });

  it('goes on in a slot where the run before left it, behind more known people than one run asks about', async () => {
    const me = await network.customer();
    const [free, last] = await network.people(2, ({ isPrivate }) => !isPrivate, 19_000);
    const known = Array.from({ length: 2_120 }, (_, n) => ({ pk: String(900_000_000_000 + n), username: `known.${n}` }));
    const source = slotOf([...known.slice(0, -10), free!, ...known.slice(-10), last!]);
    const plan = { kind: 'follow' as const, source, budget: 1, requestPrivate: true };
    const accountKey = jobFor(me, plan).accountKey;
    for (const { pk, username } of known) {
      const target = { targetId: pk, username, reservationId: randomUUID(), runId: randomUUID() };
      kit.automations.reservations.push({ ...target, accountKey, action: 'follow', outcome: 'confirmed' });
    }
    const first = await kit.run(jobFor(me, plan));
    expect(first).toMatchObject({ outcome: 'done', tried: 0, skipped: 2_000, targetProblem: null, sourceOffset: 1_950 });
    const second = await kit.run(jobFor(me, { ...plan, sourceOffset: first.sourceOffset! }));
    expect(second).toMatchObject({ outcome: 'done', tried: 1, confirmed: 1, targetProblem: null, sourceOffset: 2_100 });
    const third = await kit.run(jobFor(me, { ...plan, sourceOffset: second.sourceOffset! }));
    expect(third).toMatchObject({ outcome: 'done', tried: 1, confirmed: 1, targetProblem: null, sourceOffset: 2_100 });
    expect((await network.actions(me.username)).map(({ target }) => target)).toEqual([free!.username, last!.username]);
    // Nobody new is left; whoever the list gains behind its end is found by the next run.
    const fourth = await kit.run(jobFor(me, { ...plan, sourceOffset: third.sourceOffset! }));
    expect(fourth).toMatchObject({ outcome: 'done', tried: 0, targetProblem: 'already_in_ledger', sourceOffset: 2_100 });
  });

  it('reads no more pages of a list than it may, though it found nobody new in them', async () => {
    const me = await network.customer();
    const shop = await network.account({ followers: 100 });
    await network.call('PUT', `/accounts/${shop.username}/lists`, { stableOrder: true, lossRate: 0 });
    const reserve = kit.automations.reserve.bind(kit.automations);
    const proposed: string[] = [];
    kit.automations.reserve = ({ candidates }) => {
      proposed.push(...candidates.map(({ targetId }) => targetId));
      return Promise.resolve({
        reserved: [],
        refused: candidates.map((one) => ({ ...one, reason: 'already_in_ledger' as const })),
        stop: null,
      });
    };
    const source = { kind: 'list' as const, username: shop.username };
    const plan = { kind: 'follow' as const, source, maxPages: 2, budget: 1, requestPrivate: true };
    const end = await kit.run(jobFor(me, plan)).finally(() => (kit.automations.reserve = reserve));
    // The list's end was not met: nothing is said about it.
    expect(end).toMatchObject({ outcome: 'done', tried: 0, pages: 2, targetProblem: null });
    expect(proposed.length).toBeGreaterThan(0);
    expect(proposed.length).toBeLessThan(100);
    expect(await network.verdicts(me.username)).toEqual([]);
  });
});
