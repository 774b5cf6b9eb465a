import { randomUUID } from 'node:crypto';
import { casesOf, longOnly, sizeOf } from '@decola/testing';
import { accountKeyOf, followPlan, listPlan, openReservation, paceOf, type Person, targetOf, unfollowPlan } from './support/jobs.js';
import { sideBySide, testsSideBySide } from './support/side-by-side.js';
import { workerSuite } from './support/worker-kit.js';

const { network, kit } = workerSuite();
const hashtag = (name = 'doces') => ({ kind: 'hashtag' as const, hashtag: name });
const followersOf = (username: string) => ({ kind: 'list' as const, username });

/** Puts people into the ledger as followed by this account in an earlier run. */
function alreadyFollowed(session: { networkUserId: string }, people: readonly Person[], action: 'follow' | 'unfollow' = 'follow'): void {
  const accountKey = accountKeyOf(session);
  for (const person of people) {
    const ids = { reservationId: randomUUID(), runId: randomUUID() };
    kit.automations.reservations.push({ ...targetOf(person), ...ids, accountKey, action, outcome: 'confirmed' });
  }
}

describe('following in a real browser', () => {
  const inLanguage = sideBySide(['pt', 'en'] as const, async (language) => {
    const me = await network.customer(language);
    const end = await kit.runPlan(me, followPlan(hashtag(), { budget: 2 }));
    expect(end).toMatchObject({ outcome: 'done', stop: null, tried: 2, confirmed: 2, username: me.username });
    const done = await network.actions(me.username);
    expect(done.map(({ action, result }) => [action, result])).toEqual([
      ['follow', 'done'],
      ['follow', 'done'],
    ]);
    expect(await network.verdicts(me.username)).toEqual([]);
    const confirmed = kit.actionsOf(end.runId).filter(({ outcome }) => outcome === 'confirmed');
    expect(confirmed.map(({ proof }) => proof)).toEqual(
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
  it.each(['pt', 'en'])('follows people of a hashtag, on a page in %s', (language) => inLanguage(language === 'pt' ? 0 : 1));

  testsSideBySide([
    // Three people without their button take a minute; in the gate a page without its landmark stops the run (objections).
    ...longOnly([
      [
        'skips a person whose header has no known button, though not for good; at the third in a row the site has changed',
        async () => {
          const people = await network.publicPeople(4, 15_000);
          const withoutButton = async (count: number) => {
            const me = await network.customer();
            for (const { username } of people) await network.tie(me.username, username, 'following');
            for (const { username } of people.slice(0, count)) {
              await network.object({ username: me.username, kind: 'button_missing', call: 'page', target: username, times: null });
            }
            return kit.runPlan(me, unfollowPlan(people));
          };
          const [two, three] = await Promise.all([withoutButton(2), withoutButton(3)]);
          expect(two).toMatchObject({ outcome: 'done', stop: null, tried: 2, confirmed: 2 });
          expect(kit.outcomesOf(two.runId)).toEqual(['unsettled', 'unsettled', 'confirmed', 'confirmed']);
          expect(three).toMatchObject({ outcome: 'stopped', stop: { class: 'site_changed', row: 16 }, tried: 0 });
          expect(kit.outcomesOf(three.runId)).toEqual(['unsettled', 'unsettled', 'limit_of_network']);
        },
      ],
      [
        'reads on in a list when its first pages contain nobody new',
        async () => {
          const me = await network.customer();
          const shop = await network.account({ followers: 40 });
          await network.shapeLists(shop.username, { stableOrder: true, lossRate: 0 });
          const { runId } = await kit.runPlan(me, listPlan(shop.username, { maxPages: 50 }));
          const known = kit.rowsOf(runId).map(({ userId, username }) => ({ pk: userId, username }));
          alreadyFollowed(me, known.slice(0, -3));
          const end = await kit.runPlan(me, followPlan(followersOf(shop.username), { budget: 2, requestPrivate: true }));
          expect(end).toMatchObject({ outcome: 'done', tried: 2 });
          expect(end.pages).toBeGreaterThan(2);
          expect(await network.verdicts(me.username)).toEqual([]);
        },
      ],
      [
        'reloads an incomplete page once',
        async () => {
          const shop = await network.account({ followers: 40 });
          const troubles = [
            ['html_instead_of_json', 'followers', followersOf(shop.username)],
            ['landmark_missing', 'page', followersOf(shop.username)],
            ['stale_token', 'hashtag', hashtag()],
            ['graphql_error', 'hashtag', hashtag()],
          ] as const;
          await Promise.all(
            troubles.map(async ([kind, call, source]) => {
              const me = await network.customer();
              await network.object({ username: me.username, kind, call, ...(call === 'page' ? { target: shop.username } : {}), times: 1 });
              const end = await kit.runPlan(me, followPlan(source, { requestPrivate: true }));
              expect({ kind, end }).toMatchObject({ end: { outcome: 'done', stop: null, confirmed: 1 } });
              expect(await network.verdicts(me.username)).toEqual([]);
            }),
          );
        },
      ],
      [
        'reports why a source has nobody to give',
        async () => {
          const me = await network.customer();
          const closed = await network.account({ followers: 30, isPrivate: true });
          const gone = await network.account({ presence: 'gone_404' });
          const from = (username: string) => kit.runPlan(me, followPlan(followersOf(username), { budget: 2, requestPrivate: true }));
          expect(await from(closed.username)).toMatchObject({ outcome: 'done', tried: 0, targetProblem: 'target_private' });
          expect(await from(gone.username)).toMatchObject({ outcome: 'done', tried: 0, targetProblem: 'target_gone' });
        },
      ],
      [
        'continues in an extraction where the run before ended, behind more known people than one run asks about',
        async () => {
          const me = await network.customer();
          const [free, last] = await network.publicPeople(2, 19_000);
          const known = Array.from({ length: 2_120 }, (_, n) => ({ pk: String(900_000_000_000 + n), username: `known.${n}` }));
          const source = kit.slotOf([...known.slice(0, -10), free, ...known.slice(-10), last]);
          alreadyFollowed(me, known);
          const plan = followPlan(source, { requestPrivate: true });
          const first = await kit.runPlan(me, plan);
          expect(first).toMatchObject({ outcome: 'done', tried: 0, skipped: 2_000, targetProblem: null, sourceOffset: 1_950 });
          const second = await kit.runPlan(me, { ...plan, sourceOffset: first.sourceOffset! });
          expect(second).toMatchObject({ outcome: 'done', tried: 1, confirmed: 1, targetProblem: null, sourceOffset: 2_100 });
          const third = await kit.runPlan(me, { ...plan, sourceOffset: second.sourceOffset! });
          expect(third).toMatchObject({ outcome: 'done', tried: 1, confirmed: 1, targetProblem: null, sourceOffset: 2_100 });
          expect((await network.actions(me.username)).map(({ target }) => target)).toEqual([free.username, last.username]);
          // Nobody new is left; people whom the list gains at its end are found by the next run.
          const fourth = await kit.runPlan(me, { ...plan, sourceOffset: third.sourceOffset! });
          expect(fourth).toMatchObject({ outcome: 'done', tried: 0, targetProblem: 'already_in_ledger', sourceOffset: 2_100 });
        },
      ],
    ] as const),
    [
      'follows the followers of another account, and nobody twice over several runs',
      async () => {
        const me = await network.customer();
        const shop = await network.account({ followers: 40 });
        const budget = sizeOf({ gate: 2, long: 3 });
        const runs = sizeOf({ gate: 2, long: 3 });
        for (let run = 0; run < runs; run += 1) {
          const end = await kit.runPlan(me, followPlan(followersOf(shop.username), { budget, requestPrivate: true }));
          expect(end).toMatchObject({ outcome: 'done', tried: budget, confirmed: budget });
        }
        const done = await network.actions(me.username);
        expect(done).toHaveLength(runs * budget);
        expect(new Set(done.map(({ targetId }) => targetId)).size).toBe(runs * budget);
        const followers = new Set((await network.list(shop.username, 'followers')).map(({ pk }) => pk));
        expect(done.every(({ targetId }) => followers.has(targetId!))).toBe(true);
        expect(await network.verdicts(me.username)).toEqual([]);
      },
    ],
    [
      'follows the people of an extraction in their order and skips the others, with the reason',
      async () => {
        const me = await network.customer();
        const [open, followed, renamed] = await network.publicPeople(3, 3_000);
        const [closed] = await network.privatePeople(1, 3_000);
        const gone = await network.account({ presence: 'gone_404' });
        const vanished = await network.account({ presence: 'gone_200' });
        await network.tie(me.username, followed.username, 'following');
        const source = kit.slotOf([
          gone,
          vanished,
          followed,
          closed,
          { pk: '999999999', username: renamed.username }, // somebody else has this name now
          { pk: me.networkUserId, username: me.username },
          open,
        ]);
        const end = await kit.runPlan(me, followPlan(source, { budget: 5 }));
        expect(end).toMatchObject({ outcome: 'done', tried: 1, confirmed: 1, skipped: 5 });
        expect(kit.actionsOf(end.runId).map(({ target, outcome, skipReason }) => [target.username, outcome, skipReason])).toEqual([
          [gone.username, 'skipped', 'target_gone'],
          [vanished.username, 'skipped', 'target_gone'],
          [followed.username, 'skipped', 'already_so'],
          [closed.username, 'skipped', 'target_private'],
          [renamed.username, 'skipped', 'unsettled'],
          [open.username, 'confirmed', null],
        ]);
        // Every question names the released reservations, because the report of a skip may arrive after it.
        const released = kit
          .actionsOf(end.runId)
          .flatMap(({ outcome, reservationId }) => (outcome === 'skipped' && reservationId !== null ? [reservationId] : []));
        expect(end.givenBack).toEqual(released);
        const questions = kit.automations.questions.filter(({ runId }) => runId === end.runId);
        expect(questions.map(({ givenBack }) => givenBack)).toEqual([0, 1, 2, 3, 4, 5].map((count) => released.slice(0, count)));
        expect((await network.actions(me.username)).map(({ target }) => target)).toEqual([open.username]);
      },
    ],
    [
      'sends a private person a request when that is wanted, and records it as such',
      async () => {
        const me = await network.customer('en');
        const [closed] = await network.privatePeople(1, 5_000);
        const end = await kit.runPlan(me, followPlan(kit.slotOf([closed]), { requestPrivate: true }));
        expect(end).toMatchObject({ tried: 1, confirmed: 1 });
        expect(kit.actionsOf(end.runId)).toMatchObject([
          { outcome: 'requested', proof: { answer: 'requested', headerAfterReload: 'requested' } },
        ]);
        expect(await network.relation(me.username, closed.username)).toBe('requested');
      },
    ],
    [
      'stops near the number of people that an account can follow',
      async () => {
        const me = await network.customer('pt', { following: 7_450 });
        const end = await kit.runPlan(me, followPlan(kit.slotOf(await network.publicPeople(1, 1_000)), { requestPrivate: true }));
        expect(end).toMatchObject({ outcome: 'done', tried: 0, targetProblem: 'limit_of_network' });
        expect(await network.actions(me.username)).toEqual([]);
      },
    ],
    [
      'skips people whom the customer blocked, for good, and settles what was open with them',
      async () => {
        const me = await network.customer();
        const [blocked, left, lost, followed, free] = await network.publicPeople(5, 13_000);
        await network.tie(me.username, followed.username, 'following');
        for (const { username } of [blocked, left, lost]) await network.tie(me.username, username, 'blocking');
        const unsettled = [openReservation('unfollow', left), openReservation('follow', lost)];
        const end = await kit.runPlan(me, unfollowPlan([blocked, followed]), { unsettled });
        expect(end).toMatchObject({ outcome: 'done', stop: null, tried: 1, confirmed: 1, skipped: 1 });
        expect(kit.actionsOf(end.runId).map(({ settled, outcome, skipReason }) => [settled, skipReason ?? outcome])).toEqual([
          [true, 'confirmed'],
          [true, 'not_confirmed'],
          [false, 'already_so'],
          [false, 'confirmed'],
        ]);
        const follows = await kit.runPlan(me, followPlan(kit.slotOf([blocked, free]), { budget: 5 }));
        expect(follows).toMatchObject({ outcome: 'done', stop: null, tried: 1, confirmed: 1, skipped: 1 });
        expect(kit.outcomesOf(follows.runId)).toEqual(['target_blocked_us', 'confirmed']);
        expect(await network.relation(me.username, blocked.username)).toBe('blocking');
        const shop = await network.account({ followers: 30 });
        await network.tie(me.username, shop.username, 'blocking');
        const closed = await kit.runPlan(me, followPlan(followersOf(shop.username), { requestPrivate: true }));
        expect(closed).toMatchObject({ outcome: 'done', stop: null, tried: 0, targetProblem: 'target_private' });
      },
    ],
  ]);

  it('reads no more pages of a list than it may, though they contain nobody new', async () => {
    const me = await network.customer();
    const shop = await network.account({ followers: 100 });
    await network.shapeLists(shop.username, { stableOrder: true, lossRate: 0 });
    kit.automations.alreadyKnown = () => true;
    const end = await kit.runPlan(me, followPlan(followersOf(shop.username), { maxPages: 2, requestPrivate: true }));
    // The end of the list was not reached, so nothing is reported about the list.
    expect(end).toMatchObject({ outcome: 'done', tried: 0, pages: 2, targetProblem: null });
    const proposed = kit.automations.proposedBy(end.runId);
    expect(proposed.length).toBeGreaterThan(0);
    expect(proposed.length).toBeLessThan(100);
    expect(await network.verdicts(me.username)).toEqual([]);
  });

  it('closes the interruptions that may be closed, once, and acts', async () => {
    const me = await network.customer();
    const kinds = ['cookie_banner', 'save_login', 'notifications', 'home_screen', 'app_bar'];
    // They cover the profile whose button is clicked next.
    kit.automations.afterReserve = async () => void (await network.call('PUT', `/accounts/${me.username}/interruptions`, { kinds }));
    const end = await kit.runPlan(me, followPlan(kit.slotOf(await network.publicPeople(1, 11_000))));
    expect(end).toMatchObject({ outcome: 'done', confirmed: 1 });
  });

  // Not side by side: they change the ledger or the build of the site for every run.
  for (const [name, test] of longOnly([
    [
      'reads on in a hashtag when its first posts are by people in the ledger',
      async () => {
        const me = await network.customer('en');
        // The first 60 people that are proposed are in the ledger.
        let proposals = 0;
        kit.automations.alreadyKnown = () => (proposals += 1) <= 60;
        const end = await kit.runPlan(me, followPlan(hashtag('bolos'), { requestPrivate: true }));
        const proposed = kit.automations.proposedBy(end.runId);
        // Everybody but the last was skipped: sixty of the ledger, and people after them who left the network.
        expect(end).toMatchObject({ outcome: 'done', tried: 1, confirmed: 1, skipped: proposed.length - 1 });
        expect(proposed.length).toBeGreaterThan(60);
        expect(new Set(proposed).size).toBe(proposed.length);
        expect((await network.ledger({ account: me.username, action: 'hashtag' })).length).toBeGreaterThan(2);
        expect(await network.verdicts(me.username)).toEqual([]);
      },
    ],
    [
      'works on a page with another structure',
      async () => {
        const me = await network.customer();
        const shop = await network.account({ followers: 30 });
        await network.call('POST', '/build', { name: 'drift' });
        try {
          const end = await kit.runPlan(me, followPlan(followersOf(shop.username), { budget: 2, requestPrivate: true }));
          expect(end).toMatchObject({ outcome: 'done', tried: 2, confirmed: 2 });
          const followed = (await network.actions(me.username)).map(({ targetId, target }) => ({ pk: targetId!, username: target! }));
          expect(await kit.runPlan(me, unfollowPlan(followed))).toMatchObject({ tried: 2, confirmed: 2 });
          expect(await network.verdicts(me.username)).toEqual([]);
        } finally {
          await network.call('POST', '/build', { name: 'main' });
        }
      },
    ],
  ] as const))
    it(name, test);
});

describe('unfollowing and settling in a real browser', () => {
  const unfollowsIn = async (language: 'pt' | 'en') => {
    const me = await network.customer(language);
    const [open, free] = await network.publicPeople(2, 7_000);
    const [closed, asked] = await network.privatePeople(2, 7_000);
    for (const { username } of [open, closed]) await network.tie(me.username, username, 'following');
    await network.tie(me.username, asked.username, 'requested');
    const end = await kit.runPlan(me, unfollowPlan([open, free, closed, asked]));
    expect(end).toMatchObject({ outcome: 'done', tried: 3, confirmed: 3, skipped: 1 });
    expect(kit.outcomesOf(end.runId)).toEqual(['confirmed', 'already_so', 'confirmed', 'confirmed']);
    for (const { username } of [open, closed, asked]) expect(await network.relation(me.username, username)).toBe('none');
  };

  testsSideBySide([
    ...casesOf(['en', 'pt'], () => 'any language').map(
      (language) =>
        [`unfollows public and private people and takes back a request, on a page in ${language}`, () => unfollowsIn(language)] as const,
    ),
    [
      'settles by looking what a dead worker left open, and does not do it again',
      async () => {
        const me = await network.customer();
        const [kept, lost, dropped, still] = await network.publicPeople(4, 9_000);
        for (const { username } of [kept, still]) await network.tie(me.username, username, 'following');
        const unsettled = [
          openReservation('follow', kept),
          openReservation('follow', lost),
          openReservation('unfollow', dropped),
          openReservation('unfollow', still),
        ];
        const end = await kit.runPlan(me, followPlan(kit.slotOf([]), { budget: 3 }), { unsettled });
        expect(end).toMatchObject({ outcome: 'done', tried: 0 });
        expect(kit.actionsOf(end.runId).map(({ reservationId, outcome, settled }) => [reservationId, outcome, settled])).toEqual([
          [unsettled[0]!.reservationId, 'confirmed', true],
          [unsettled[1]!.reservationId, 'not_confirmed', true],
          [unsettled[2]!.reservationId, 'confirmed', true],
          [unsettled[3]!.reservationId, 'not_confirmed', true],
        ]);
        expect(await network.actions(me.username)).toEqual([]);
      },
    ],
    [
      'unfollows people of a list whom the ledger knows, and says when the rest of the list has none',
      async () => {
        const me = await network.customer();
        const [stranger, open, other] = await network.publicPeople(3, 21_000);
        for (const { username } of [stranger, open, other]) await network.tie(me.username, username, 'following');
        alreadyFollowed(me, [stranger, other], 'unfollow');
        const plan = { ...unfollowPlan([]), source: kit.slotOf([stranger, open, other]), sourceOffset: 0 };
        expect(await kit.runPlan(me, plan)).toMatchObject({ outcome: 'done', tried: 1, confirmed: 1, skipped: 2, sourceOffset: 0 });
        expect((await network.actions(me.username)).map(({ target }) => target)).toEqual([open.username]);
        expect(await kit.runPlan(me, plan)).toMatchObject({ outcome: 'done', tried: 0, targetProblem: 'already_in_ledger' });
      },
    ],
    [
      'keeps the pause between two actions over the end of a run, and only after an action',
      async () => {
        const me = await network.customer();
        const [first, second, stranger] = await network.publicPeople(3, 17_000);
        for (const { username } of [first, second]) await network.tie(me.username, username, 'following');
        const gapMs = 6_000;
        const unfollow = (person: Person, ms = gapMs) => kit.runPlan(me, unfollowPlan([person], 1), { pace: paceOf(ms) });
        expect(await unfollow(stranger, 60_000)).toMatchObject({ tried: 0, skipped: 1 });
        expect(await kit.leases.cooldownOf(accountKeyOf(me)).remainingMs()).toBe(0);
        for (const person of [first, second]) expect(await unfollow(person)).toMatchObject({ outcome: 'done', tried: 1, confirmed: 1 });
        const [firstAt, secondAt] = (await network.actions(me.username)).map(({ at }) => at);
        expect(secondAt! - firstAt!).toBeGreaterThanOrEqual(gapMs);
      },
    ],
  ]);
});
