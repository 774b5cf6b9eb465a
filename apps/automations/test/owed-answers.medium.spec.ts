import type { BrowserRun } from '@decola/contracts';
import { hourMs, type Reserved, RunKit, targetFor } from './run-kit.js';

/** Public answers that a run owes to people who got their message from an earlier one. */
describe('a public answer that a run did not come to', () => {
  const kit = new RunKit();
  beforeAll(() => kit.start());
  afterAll(() => kit.stop());

  const postCode = 'CpadariaAb1';
  const quarterMs = hourMs / 4;
  const owedBy = ({ plan }: BrowserRun) => plan.kind === 'send-dm' && plan.answersOwed;

  /** A run of an automation that answers in public, or does not, with the messages that it reserved. */
  const sending = async (row: 0 | 1, count: number) => {
    const [run] = await kit.runsOfKinds([{ kind: 'send-dm', row }]);
    const messages: Reserved[] = [];
    while (messages.length < count)
      messages.push(await kit.reserveOne(run!.job, { ...targetFor('message'), postCode }, run!.fence, 'message'));
    const proved = (message: Reserved, outcome = 'confirmed') => kit.act(run!.job, run!.fence, message, outcome, { action: 'message' });
    const answered = async ({ targetId: authorId, username }: Reserved) => {
      const comment = { ...targetFor('reply'), authorId, username, postCode };
      await kit.act(run!.job, run!.fence, await kit.reserveOne(run!.job, comment, run!.fence, 'reply'), 'confirmed', { action: 'reply' });
    };
    return { ...run!, messages, proved, answered };
  };

  it('is left to the next runs until it was tried', async () => {
    const { id, job, fence, messages, proved, answered } = await sending(1, 4);
    expect(owedBy(job)).toEqual([]);
    const [complete, owed, unproved, late] = messages as [Reserved, Reserved, Reserved, Reserved];
    await proved(complete);
    await answered(complete);
    await proved(owed);
    await proved(unproved, 'not_confirmed');
    // The worker dies before it reports this one.
    await kit.announce(job, fence, late, 'message', 'Oi!');
    await kit.stopped(job, kit.nextToken(), 'worker_stopped');
    const second = await kit.nextRun(id, quarterMs);
    expect(owedBy(second.job)).toEqual([owed.targetId]);
    await kit.look(second.job, second.fence, late, 'confirmed', 'message');
    const comment = { ...targetFor('reply'), authorId: owed.targetId, username: owed.username, postCode };
    const reply = await kit.reserveOne(second.job, comment, second.fence, 'reply');
    await kit.act(second.job, second.fence, reply, 'refused', { action: 'reply' });
    await kit.finish(second.job, second.fence);
    expect(owedBy((await kit.nextRun(id, quarterMs)).job)).toEqual([late.targetId]);
  });

  it('is given up after a day, and owed by no automation that answers nobody or has another post', async () => {
    const late = await sending(1, 1);
    await late.proved(late.messages[0]!);
    await kit.finish(late.job, late.fence);
    expect(owedBy((await kit.nextRun(late.id, 25 * hourMs)).job)).toEqual([]);

    const silent = await sending(0, 1);
    await silent.proved(silent.messages[0]!);
    await kit.finish(silent.job, silent.fence);
    expect(owedBy((await kit.nextRun(silent.id, quarterMs)).job)).toEqual([]);

    const edited = await sending(1, 1);
    await edited.proved(edited.messages[0]!);
    await kit.finish(edited.job, edited.fence);
    const configuration = { ...edited.configuration, sessionCookie: '', targets: 'https://www.instagram.com/p/CconfeitAb2/' };
    const saved = await kit.bench.call('PATCH', `automations?id=eq.${edited.id}`, edited.userId, { configuration });
    expect(saved.status).toBe(204);
    expect(owedBy((await kit.nextRun(edited.id, quarterMs)).job)).toEqual([]);
  });
});
