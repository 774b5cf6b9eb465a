import { type BrowserRun, type CollectedPerson, extractionCompleted, runPage, userDeleted } from '@decola/contracts';
import { hourMs, person, type Reserved, RunKit } from './run-kit.js';
import { type Bench, extractorRow, followConfiguration } from './support.js';

const dayMs = 24 * hourMs;

/** docs/decisions/0029-followed-again-by-hand.md */
describe('people whom the customer follows by hand', () => {
  const kit = new RunKit();
  let bench: Bench;
  const { tell, identity, reserve, reserveOne, begin, announce, act, look, finish, stopped, followRun, nextRun } = kit;

  beforeAll(async () => {
    bench = await kit.start();
  });
  afterAll(() => kit.stop());

  const row = ({ targetId, username }: Reserved): CollectedPerson => ({
    userId: targetId,
    username,
    fullName: '',
    isPrivate: false,
    isVerified: false,
    hasStory: false,
  });

  /** An account that follows people through the product, whose name is known. The automation is off afterwards. */
  const followed = async (count: number) => {
    const run = await followRun();
    const people: Reserved[] = [];
    for (let each = 0; each < count; each += 1) {
      const target = await reserveOne(run.job, person(), run.fence);
      await act(run.job, run.fence, target, 'confirmed');
      people.push(target);
    }
    const name = `conta_${run.account}`;
    await finish(run.job, run.fence, { username: name, tried: count, confirmed: count });
    await bench.call('PATCH', `automations?id=eq.${run.id}`, run.userId, { is_active: false });
    return { ...run, name, people };
  };

  /** Reads a list of the account to its end in one page, and lets extraction judge it. */
  const readList = async (
    { userId, account }: { userId: string; account: string },
    { targets, list, shown, profileTotal }: { targets: string; list: 'following' | 'followers'; shown: Reserved[]; profileTotal: number },
  ) => {
    const id = await bench.made(userId, extractorRow(account, { extractionType: list, targets }));
    await bench.tick();
    const job = await bench.lastJobOf(id);
    if (job.plan.kind !== 'extract-list') throw new Error('not an extraction');
    const { extractedDataId } = job.plan;
    const fence = await begin(job);
    const place = { extractedDataId, pass: 1, cursor: null, profileTotal };
    await tell(runPage, { ...identity(job, fence), ...place, page: 0, rows: shown.map(row), collectedAt: kit.now.toISOString() });
    await finish(job, fence, { pages: 1, list: { ...place, nextPage: 1, state: 'pass_ended' } });
    await tell(extractionCompleted, {
      extractedDataId,
      automationId: id,
      userId,
      dataType: list,
      totalRecords: shown.length,
      profileTotal,
      completedAt: kit.now.toISOString(),
    });
  };

  /** Who is proposed for unfollowing once everybody was followed long enough ago. */
  const toUnfollow = async ({ userId, account }: { userId: string; account: string }) => {
    const id = await bench.made(userId, { configuration: followConfiguration(account, { action: 'unfollow', method: '' }) });
    const { job, fence } = await nextRun(id, 6 * dayMs);
    const targets = job.plan.kind === 'unfollow' ? job.plan.targets.map(({ targetId }) => targetId) : [];
    return { job, fence, targets: targets.sort() };
  };

  describe('and the complete "following" list of the account', () => {
    it('puts people on the keep list whom the list did not show, because the customer had unfollowed them', async () => {
      const run = await followed(3);
      const [still, gone, other] = run.people as [Reserved, Reserved, Reserved];
      kit.later(2 * hourMs);
      await readList(run, { targets: `@${run.name}`, list: 'following', shown: [still, other], profileTotal: 2 });
      const { job, fence, targets } = await toUnfollow(run);
      expect(targets).toEqual([still.targetId, other.targetId].sort());
      expect((await reserve(job, [gone], fence, 'unfollow')).refused).toMatchObject([{ reason: 'keep_list' }]);
    });

    it('ignores people who were followed after the reading began, or so shortly before that the list may lag', async () => {
      const run = await followed(2);
      await readList(run, { targets: `@${run.name}`, list: 'following', shown: [run.people[0]!], profileTotal: 1 });
      expect((await toUnfollow(run)).targets).toEqual(run.people.map(({ targetId }) => targetId).sort());
    });

    it.each([
      ['is not complete', 'following', 5, (name: string) => `@${name}`],
      ['is the list of followers', 'followers', 1, (name: string) => `@${name}`],
      ['is of another account', 'following', 1, () => '@padaria'],
    ] as const)('keeps nobody when the list %s', async (_, list, profileTotal, targetsOf) => {
      const run = await followed(2);
      kit.later(2 * hourMs);
      await readList(run, { targets: targetsOf(run.name), list, shown: [run.people[0]!], profileTotal });
      expect((await toUnfollow(run)).targets).toEqual(run.people.map(({ targetId }) => targetId).sort());
    });
  });

  it('leaves nothing of a reading behind when its customer is erased', async () => {
    const run = await followed(1);
    await readList(run, { targets: `@${run.name}`, list: 'following', shown: run.people, profileTotal: 1 });
    const readings = () => bench.db.query('select 1 from own_list_readings where user_id = $1', [run.userId]);
    expect(await readings()).toHaveLength(1);
    await tell(userDeleted, { userId: run.userId, deletedAt: kit.now.toISOString() });
    expect(await readings()).toEqual([]);
  });

  /** A run reserved a person and died. @returns the person, and the run that looks at them */
  const died = async (isAnnounced: boolean) => {
    const run = await followRun();
    const target = await reserveOne(run.job, person(), run.fence);
    if (isAnnounced) await announce(run.job, run.fence, target);
    await stopped(run.job, kit.nextToken(), 'worker_stopped');
    await bench.tick();
    const job = await bench.lastJobOf(run.id);
    return { ...run, target, job, fence: await begin(job) };
  };
  const isKept = async ({ accountKey }: BrowserRun, { targetId }: Reserved) =>
    (await bench.db.query('select 1 from keep_list where account_key = $1 and target_id = $2', [accountKey, targetId])).length > 0;

  it.each([
    ['keeps a person who is followed although our click was never announced', false, true],
    ['does not keep a person whose announced follow a look confirms', true, false],
  ])('%s', async (_, isAnnounced, kept) => {
    const { job, fence, target } = await died(isAnnounced);
    await look(job, fence, target, 'confirmed');
    expect(await isKept(job, target)).toBe(kept);
  });

  it('puts a person on the keep list who is followed after our request was seen to be gone', async () => {
    const { job, fence, id } = await followRun(undefined, { requestPrivate: true });
    const [withdrawn, accepted] = [await reserveOne(job, person(), fence), await reserveOne(job, person(), fence)];
    await act(job, fence, withdrawn, 'requested');
    await act(job, fence, accepted, 'requested');
    await finish(job, fence);
    const second = await nextRun(id, 2 * dayMs + hourMs);
    await look(second.job, second.fence, withdrawn, 'not_confirmed');
    await look(second.job, second.fence, accepted, 'requested');
    await finish(second.job, second.fence);
    const third = await nextRun(id, 6 * dayMs);
    expect(third.job.unsettled).toHaveLength(2);
    await look(third.job, third.fence, withdrawn, 'confirmed');
    await look(third.job, third.fence, accepted, 'confirmed');
    expect([await isKept(job, withdrawn), await isKept(job, accepted)]).toEqual([true, false]);
  });
});
