import { randomUUID } from 'node:crypto';
import { hourMs, person, RunKit } from './run-kit.js';
import { type Bench, followConfiguration } from './support.js';

const dayMs = 24 * hourMs;

/** Unfollowing limited to a list of the customer: only people of the account's own ledger who are also in it. */
describe('unfollowing from a list', () => {
  const kit = new RunKit();
  let bench: Bench;
  const { later, reserve, reserveOne, begin, act, finish, followRun } = kit;

  beforeAll(async () => {
    bench = await kit.start();
  });
  afterAll(() => kit.stop());

  const extractedSlotId = randomUUID();
  const limited = { action: 'unfollow', method: 'slot', dataSource: 'extracted', extractedSlotId };

  /** An account that followed somebody a week ago, with an automation that unfollows from the list. */
  const unfollowing = async () => {
    const run = await followRun();
    const followed = await reserveOne(run.job, person(), run.fence);
    await act(run.job, run.fence, followed);
    await finish(run.job, run.fence);
    await bench.call('PATCH', `automations?id=eq.${run.id}`, run.userId, { is_active: false });
    later(7 * dayMs);
    const id = await bench.made(run.userId, { configuration: followConfiguration(run.account, { ...limited, targets: '' }) });
    await bench.tick();
    const job = await bench.lastJobOf(id);
    return { ...run, id, job, fence: await begin(job), followed };
  };
  const row = async (id: string) => (await bench.db.query('select * from automations where id = $1', [id]))[0];

  it('plans the list instead of people, and reserves only people of the ledger', async () => {
    const { job, fence, followed } = await unfollowing();
    expect(job.plan).toMatchObject({
      kind: 'unfollow',
      targets: [],
      sourceOffset: 0,
      source: { kind: 'slot', extractedDataId: extractedSlotId },
    });
    const stranger = person();
    const { reservationId: _, ...target } = followed;
    expect(await reserve(job, [stranger, target], fence, 'unfollow')).toMatchObject({
      reserved: [target],
      refused: [{ ...stranger, reason: 'not_ours' }],
    });
  });

  it('goes on in the list where the last run stopped, and begins it again at its end instead of pausing', async () => {
    const { id, userId, job, fence, followed } = await unfollowing();
    const { reservationId: _, ...target } = followed;
    const reserved = await reserveOne(job, target, fence, 'unfollow');
    await act(job, fence, reserved, 'skipped', { action: 'unfollow', skipReason: 'unsettled' });
    await finish(job, fence, { sourceOffset: 50 });
    const second = await kit.nextRun(id);
    expect(second.job.plan).toMatchObject({ sourceOffset: 50 });
    await finish(second.job, second.fence, { sourceOffset: 100, targetProblem: 'already_in_ledger' });
    expect(await bench.automation(userId, id)).toMatchObject({
      is_active: true,
      last_run: { reason: expect.stringContaining('começo da lista') },
    });
    expect(await row(id)).toMatchObject({ source_offset: 0 });
    expect((await kit.nextRun(id)).job.plan).toMatchObject({ sourceOffset: 0 });
  });

  it('is paused when the list is gone, with what to do', async () => {
    const { id, userId, job, fence } = await unfollowing();
    await finish(job, fence, { sourceOffset: 0, targetProblem: 'source_empty' });
    expect(await bench.automation(userId, id)).toMatchObject({
      is_active: false,
      status_reason: expect.stringContaining('escolha outro slot'),
    });
  });

  it('waits without a run while the account has nobody to unfollow', async () => {
    const run = await followRun();
    await finish(run.job, run.fence);
    const id = await bench.made(run.userId, { configuration: followConfiguration(run.account, { ...limited, targets: '' }) });
    await bench.tick();
    expect(await bench.automation(run.userId, id)).toMatchObject({
      status: 'waiting',
      status_reason: expect.stringMatching(/^Ninguém para deixar/),
    });
  });
});
