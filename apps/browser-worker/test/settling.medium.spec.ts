import type { UnsettledReservation } from '@decola/contracts';
import { redisClient } from '@decola/service-kit';
import { eventually, longOnly } from '@decola/testing';
import { ChannelSilentError } from '../src/runs/run.errors.js';
import { followPlan, jobFor, openReservation, type TestSession, unfollowPlan } from './support/jobs.js';
import { withKit, workerSuite } from './support/worker-kit.js';

const { network, kit } = workerSuite();

describe('an action of an earlier run without an outcome', () => {
  /** Settles only: nobody is followed in these runs. */
  const settle = async (me: TestSession, unsettled: UnsettledReservation[]) => {
    const end = await kit.runPlan(me, followPlan(kit.slotOf([]), { budget: 0 }), { unsettled });
    return { end, seen: kit.actionsOf(end.runId) };
  };

  it('is found done, not done, or unknown, and nothing is clicked', async () => {
    const me = await network.customer();
    const [kept, lost, failed, renamed, late] = await network.publicPeople(5, 21_000);
    await network.tie(me.username, kept.username, 'following');
    await network.object({ username: me.username, kind: 'graphql_error', call: 'profile', target: failed.username, times: 1 });
    await network.call('POST', `/accounts/${renamed.username}/rename`, { to: 'called.anew.1' });
    await network.object({ username: me.username, kind: 'latency', call: 'profile', target: late.username, delayMs: 60_000, times: null });
    const { end, seen } = await settle(
      me,
      [kept, lost, failed, renamed, late].map((person) => openReservation('follow', person)),
    );
    expect(end).toMatchObject({ outcome: 'done', stop: null, tried: 0 });
    expect(seen.map(({ outcome, skipReason, settled, proof }) => [outcome, skipReason, settled, proof['settled'] ?? null])).toEqual([
      ['confirmed', null, true, null],
      ['not_confirmed', null, true, null],
      ['unknown', null, true, 'failed'],
      ['unknown', null, true, 'target_gone'],
      ['unknown', null, true, 'late'],
    ]);
    // The one whose query failed once is found by the next run.
    expect((await settle(me, [openReservation('follow', failed)])).seen).toMatchObject([{ outcome: 'not_confirmed', settled: true }]);
    expect(await network.actions(me.username)).toEqual([]);
  });

  it('is looked up by id when the person has another name, also when somebody else has the old one', async () => {
    const me = await network.customer('en');
    const [moved, replaced, unfollowed] = await network.publicPeople(3, 21_100);
    for (const { username } of [moved, replaced]) await network.tie(me.username, username, 'following');
    await network.call('POST', `/accounts/${moved.username}/rename`, { to: 'moved.on.1' });
    await network.call('POST', `/accounts/${replaced.username}/rename`, { to: 'moved.on.2', takenBySomebodyElse: true });
    await network.call('POST', `/accounts/${unfollowed.username}/rename`, { to: 'moved.on.3', takenBySomebodyElse: true });
    kit.automations.names.set(moved.pk, 'moved.on.1').set(replaced.pk, 'moved.on.2');
    const { seen } = await settle(me, [
      openReservation('follow', moved),
      openReservation('follow', replaced),
      openReservation('unfollow', unfollowed),
    ]);
    expect(seen.map(({ outcome, proof }) => [outcome, proof['renamedTo'] ?? proof['settled']])).toEqual([
      ['confirmed', 'moved.on.1'],
      ['confirmed', 'moved.on.2'],
      ['unknown', 'name_of_another'], // nobody knows the new name, so it is neither done nor undone
    ]);
    expect(kit.automations.nameQuestions.slice(-3)).toEqual([moved.pk, replaced.pk, unfollowed.pk]);
  });

  it('is left open by a worker that loses its lease between the click and its proof, and the next run finds it done', () =>
    // A renewal is due every three seconds.
    withKit(network.url, { leaseTtlMs: 9_000 }, async (robbed) => {
      const me = await network.customer();
      const [person] = await network.publicPeople(1, 21_150);
      await network.object({ username: me.username, kind: 'spinner_for_ever', call: 'follow', times: 1 });
      const job = jobFor(me, followPlan(robbed.slotOf([person])));
      const running = robbed.run(job);
      await eventually(async () => expect(await network.actions(me.username)).toHaveLength(1));
      const redis = await redisClient({ url: robbed.redis.url }).connect();
      await redis.set(`${robbed.redis.prefix}lease:${job.accountKey}`, 'a lease of another worker');
      redis.destroy();
      expect(await running).toMatchObject({ outcome: 'stopped', stop: { class: 'lease_lost' }, tried: 0, skipped: 0 });
      expect(robbed.automations.tries).toHaveLength(1);
      expect(robbed.actionsOf(job.runId)).toEqual([]);
      expect(robbed.automations.reservations).toMatchObject([{ targetId: person.pk, outcome: null }]);

      await network.tie(me.username, person.username, 'following');
      const reservation = { ...openReservation('follow', person), reservationId: robbed.automations.reservations[0]!.reservationId };
      expect((await settle(me, [reservation])).seen).toMatchObject([{ outcome: 'confirmed', settled: true }]);
    }));

  for (const [name, test] of longOnly([
    [
      'is settled again when an action that was undone turns out to be done later',
      async () => {
        const me = await network.customer();
        const [person] = await network.publicPeople(1, 21_200);
        await network.object({ username: me.username, kind: 'undone_after_reload', call: 'follow', times: 1 });
        const run = await kit.runPlan(me, followPlan(kit.slotOf([person])));
        expect(kit.actionsOf(run.runId)).toMatchObject([{ outcome: 'not_confirmed', settled: false }]);
        const reservation = { ...openReservation('follow', person), reservationId: kit.actionsOf(run.runId)[0]!.reservationId! };
        expect((await settle(me, [reservation])).seen).toMatchObject([{ outcome: 'not_confirmed', settled: true }]);
        await network.tie(me.username, person.username, 'following');
        expect((await settle(me, [reservation])).seen).toMatchObject([{ outcome: 'confirmed', settled: true }]);
        expect(await network.actions(me.username)).toHaveLength(1);
      },
    ],
    [
      'stays unknown when no profile shows it',
      async () => {
        const me = await network.customer();
        const [person] = await network.publicPeople(1, 21_300);
        const { seen } = await settle(me, [openReservation('like', person)]);
        expect(seen).toMatchObject([{ action: 'like', outcome: 'unknown', settled: true }]);
      },
    ],
  ] as const))
    it(name, test);
});

describe('a person to follow', () => {
  it('is followed under a new name, and is skipped for good only when nobody can have meant them', async () => {
    const me = await network.customer();
    const [renamed, taken, failed, gone] = await network.publicPeople(4, 23_000);
    await network.call('POST', `/accounts/${renamed.username}/rename`, { to: 'new.name.4' });
    await network.call('POST', `/accounts/${taken.username}/rename`, { to: 'new.name.5', takenBySomebodyElse: true });
    await network.call('POST', `/accounts/${gone.username}/rename`, { to: 'new.name.6' });
    await network.object({ username: me.username, kind: 'null_root_with_errors', call: 'profile', target: failed.username, times: 1 });
    kit.automations.names.set(renamed.pk, 'new.name.4');
    const source = kit.slotOf([renamed, taken, failed, gone, { pk: '999999999999', username: 'explore' }]);
    const end = await kit.runPlan(me, followPlan(source, { budget: 5 }));
    expect(end).toMatchObject({ outcome: 'done', tried: 1, confirmed: 1, skipped: 4 });
    expect(
      kit.actionsOf(end.runId).map(({ outcome, skipReason, proof }) => [skipReason ?? outcome, proof['renamedTo'] ?? proof['reason']]),
    ).toEqual([
      ['confirmed', 'new.name.4'],
      ['unsettled', 'name_of_another'],
      ['unsettled', 'failed'],
      // Nobody has the name, and no other name is known: only this is for good.
      ['target_gone', undefined],
      ['unsettled', 'name_of_the_site'],
    ]);
    expect((await network.actions(me.username)).map(({ targetId }) => targetId)).toEqual([renamed.pk]);
    expect(await network.verdicts(me.username)).toEqual([]);
  });

  it('is announced before the click, once per reservation, and without the announcement no click is made', async () => {
    const me = await network.customer();
    const [first, second, followed, spare] = await network.publicPeople(4, 24_000);
    const [asked] = await network.privatePeople(1, 24_000);
    // When a try is announced, the network has not seen it yet.
    const before: number[] = [];
    kit.automations.beforeTrying = async () => void before.push((await network.actions(me.username)).length);
    const follows = await kit.runPlan(me, followPlan(kit.slotOf([first, second]), { budget: 2 }));
    await network.tie(me.username, followed.username, 'following');
    await network.tie(me.username, asked.username, 'requested');
    const unfollows = await kit.runPlan(me, unfollowPlan([followed, asked], 2));
    for (const end of [follows, unfollows]) expect(end).toMatchObject({ outcome: 'done', tried: 2, confirmed: 2 });
    expect(before).toEqual([0, 1, 2, 3]);
    const tries = kit.automations.tries.filter(({ runId }) => runId === follows.runId || runId === unfollows.runId);
    expect(tries.map(({ action, target }) => [action, target.targetId])).toEqual([
      ['follow', first.pk],
      ['follow', second.pk],
      ['unfollow', followed.pk],
      ['unfollow', asked.pk],
    ]);
    expect(tries.map(({ reservationId }) => reservationId)).toEqual(
      [...kit.actionsOf(follows.runId), ...kit.actionsOf(unfollows.runId)].map(({ reservationId }) => reservationId),
    );

    kit.automations.beforeTrying = () => Promise.reject(new ChannelSilentError('run.trying', null));
    const mute = await network.customer();
    const end = await kit.run(jobFor(mute, followPlan(kit.slotOf([spare]), { budget: 2 })));
    expect(end).toMatchObject({ outcome: 'partial', stop: null, tried: 0 });
    expect(await network.actions(mute.username)).toEqual([]);
  });
});
