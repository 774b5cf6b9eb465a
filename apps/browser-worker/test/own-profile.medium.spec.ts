import { followPlan, listPlan, openPostReservation, openReservation, unfollowPlan } from './support/jobs.js';
import { workerSuite } from './support/worker-kit.js';

const { network, kit } = workerSuite();

describe('the counters of the account’s own profile', () => {
  it('are reported at the end of a run that opens the profile anyway', async () => {
    const me = await network.customer('pt', { followers: 31, following: 12, posts: 9 });
    const end = await kit.runPlan(me, followPlan({ kind: 'hashtag', hashtag: 'doces' }));
    expect(end.outcome).toBe('done');
    // Seen before the follow.
    expect(end.ownProfile).toEqual({ followers: 31, following: 12, posts: 9, seenAt: expect.any(String) });
    expect(Date.parse(end.ownProfile!.seenAt)).toBeLessThanOrEqual(Date.parse(end.finishedAt));
  });

  it('are reported by an extraction of the account’s own list', async () => {
    const me = await network.customer('pt', { followers: 5, following: 2, posts: 1 });
    const end = await kit.runPlan(me, listPlan(me.username));
    expect(end.ownProfile).toMatchObject({ followers: 5, following: 2, posts: 1 });
  });

  it('cause no visit: a run that does not open the profile reports none', async () => {
    const me = await network.customer();
    const shop = await network.account({ followers: 3 });
    const list = await kit.runPlan(me, listPlan(shop.username));
    // The start page, and the profile of the list.
    expect([list.outcome, list.ownProfile, list.pageViews]).toEqual(['done', null, 2]);
    const unfollow = await kit.runPlan(me, unfollowPlan([]));
    expect([unfollow.outcome, unfollow.ownProfile, unfollow.pageViews]).toEqual(['done', null, 1]);
  });
});

describe('whether a person follows the account', () => {
  it('is reported with what is done to them, as the profile showed it, and causes no visit', async () => {
    const me = await network.customer();
    const [fan, stranger, followedFan, followed] = await network.publicPeople(4, 52_000);
    await network.tie(fan.username, me.username, 'following');
    await network.tie(followedFan.username, me.username, 'following');
    for (const { username } of [followedFan, followed]) await network.tie(me.username, username, 'following');

    const follows = await kit.runPlan(me, followPlan(kit.slotOf([fan, stranger]), { budget: 2 }));
    const unfollows = await kit.runPlan(me, unfollowPlan([followedFan, followed]));
    const told = (runId: string) =>
      kit.actionsOf(runId).map(({ target, outcome, followsCustomer }) => [target.targetId, outcome, followsCustomer]);
    expect(told(follows.runId)).toEqual([
      [fan.pk, 'confirmed', true],
      [stranger.pk, 'confirmed', false],
    ]);
    expect(told(unfollows.runId)).toEqual([
      [followedFan.pk, 'confirmed', true],
      [followed.pk, 'confirmed', false],
    ]);
    // The start page, the own profile of the follow run, and two pages for each person.
    expect([follows.pageViews, unfollows.pageViews]).toEqual([6, 5]);

    // A look that finds out what became of an earlier try shows it too.
    const look = await kit.runPlan(me, followPlan(kit.slotOf([]), { budget: 0 }), { unsettled: [openReservation('follow', fan)] });
    expect(kit.actionsOf(look.runId)).toMatchObject([{ settled: true, outcome: 'confirmed', followsCustomer: true }]);
  });

  it('is unknown of a post’s author, and of somebody whose profile was not shown', async () => {
    const me = await network.customer();
    const [gone] = await network.publicPeople(1, 52_100);
    await network.call('POST', `/accounts/${gone.username}/rename`, { to: 'another.name.1' });
    const end = await kit.runPlan(me, followPlan(kit.slotOf([gone]), { budget: 1 }));
    expect(kit.actionsOf(end.runId)).toMatchObject([{ skipReason: 'target_gone', followsCustomer: null }]);
    const post = await network.post();
    const likes = await kit.runPlan(me, followPlan(kit.slotOf([]), { budget: 0 }), { unsettled: [openPostReservation('like', post)] });
    expect(kit.actionsOf(likes.runId)).toMatchObject([{ action: 'like', followsCustomer: null }]);
  });
});
