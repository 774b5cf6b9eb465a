import { extractionCompleted, extractionDue, extractionPassEnded, type ListEndReason, runPage } from '@decola/contracts';
import { eventually, publishTestEvent } from '@decola/testing';
import { completionTexts, holdTexts } from '../src/texts/texts.js';
import { hourMs, RunKit } from './run-kit.js';
import { extractorRow } from './support.js';

const minuteMs = 60_000;

/** docs/decisions/0031-one-owner-per-list.md */
describe('what extraction says about a list', () => {
  const kit = new RunKit();
  const { tell, later, begin, finish, stopped, identity } = kit;

  beforeAll(() => kit.start());
  afterAll(() => kit.stop());

  /** An extraction whose run has begun, and what is told about it. */
  const begun = async () => {
    const extraction = await kit.extractorRun();
    const fence = await begin(extraction.job);
    const { extractedDataId, id, userId, job } = extraction;
    const list = { extractedDataId, automationId: id, userId };
    const end = { extractedDataId, profileTotal: 40, cursor: 'QVFE', pass: 1, nextPage: 2, state: 'more' };
    const word = { ...list, runId: job.runId, dueAt: kit.now.toISOString(), collected: 20, profileTotal: 40 };
    const over = { ...list, dataType: 'followers', totalRecords: 40, profileTotal: 40, completedAt: kit.now.toISOString() };
    return { ...extraction, fence, end, word, over };
  };
  const automation = (of: { userId: string; id: string }) => kit.bench.automation(of.userId, of.id);
  const lastRun = async (id: string) => (await kit.bench.lastJobOf(id)).runId;

  it('makes the next run due at once, whose plan names the list and no place in it', async () => {
    const run = await begun();
    await finish(run.job, run.fence, { pages: 2, list: run.end });
    expect(await automation(run)).toMatchObject({ status: 'waiting', status_reason: holdTexts.awaitsList });
    await kit.bench.tick();
    expect(await lastRun(run.id)).toBe(run.job.runId);
    await tell(extractionDue, run.word);
    expect(await automation(run)).toMatchObject({ status: 'waiting', status_reason: null, progress: { collected: 20, profile_total: 40 } });
    await kit.bench.tick();
    const next = await kit.bench.lastJobOf(run.id);
    expect(next.runId).not.toBe(run.job.runId);
    expect(next.plan).toEqual({
      kind: 'extract-list',
      list: 'followers',
      username: 'padaria',
      extractedDataId: run.extractedDataId,
      maxPages: expect.any(Number),
    });
  });

  it('makes it due after a rest', async () => {
    const run = await begun();
    await finish(run.job, run.fence, { list: run.end });
    await tell(extractionDue, { ...run.word, dueAt: new Date(kit.now.getTime() + 3 * minuteMs).toISOString() });
    later(2 * minuteMs);
    await kit.bench.tick();
    expect(await lastRun(run.id)).toBe(run.job.runId);
    later(2 * minuteMs);
    await kit.bench.tick();
    expect(await lastRun(run.id)).not.toBe(run.job.runId);
  });

  it('is heard again when it comes before the end of the run', async () => {
    const run = await begun();
    const id = await publishTestEvent(kit.bench.broker.url, extractionDue, run.word, { subject: run.extractedDataId });
    await finish(run.job, run.fence, { pages: 2, list: run.end });
    await eventually(async () => expect(await kit.bench.db.query('select 1 from inbox where message_id = $1', [id])).toHaveLength(1));
    await kit.bench.tick();
    expect(await lastRun(run.id)).not.toBe(run.job.runId);
  });

  it('may be lost: after five minutes a run asks, and hears it once more', async () => {
    const run = await begun();
    await finish(run.job, run.fence, { pages: 2, list: { ...run.end, cursor: null, state: 'pass_ended' } });
    later(4 * minuteMs);
    await kit.bench.tick();
    expect(await lastRun(run.id)).toBe(run.job.runId);
    later(2 * minuteMs);
    await kit.bench.tick();
    const next = await kit.bench.lastJobOf(run.id);
    expect(next.runId).not.toBe(run.job.runId);
    // Extraction answers this run that the list is over, and its worker opens nothing more than the start page.
    await finish(next, await begin(next), { pageViews: 1 });
    expect(await automation(run)).toMatchObject({ status: 'waiting', status_reason: holdTexts.awaitsList });
    await tell(extractionCompleted, run.over);
    later(hourMs);
    await kit.bench.tick();
    expect(await lastRun(run.id)).toBe(next.runId);
    expect(await automation(run)).toMatchObject({ status: 'done', status_reason: null });
  });

  it('is not waited for after a run that ended for our own reasons before it read: the next one is due at once, and later ones a little later', async () => {
    const run = await begun();
    const waits: number[] = [];
    let { job } = run;
    for (let turn = 0; turn < 5; turn += 1) {
      await finish(job, turn === 0 ? run.fence : await begin(job), { outcome: 'partial', pageViews: 1, list: null });
      const { next_run_at } = await automation(run);
      waits.push(Date.parse(next_run_at as string) - kit.now.getTime());
      later(waits.at(-1)!);
      await kit.bench.tick();
      const next = await kit.bench.lastJobOf(run.id);
      expect(next.runId).not.toBe(job.runId);
      job = next;
    }
    expect(waits).toEqual([0, 0, 0, 10_000, 20_000]);
  });

  it('changes nothing while the automation waits for something else, is off, or collects another list', async () => {
    const [interrupted, off, edited] = [await begun(), await begun(), await begun()];
    for (let turn = 0; turn < 5; turn += 1) {
      await stopped(interrupted.job, kit.nextToken(), 'worker_stopped');
      await kit.bench.tick();
      interrupted.job = await kit.bench.lastJobOf(interrupted.id);
      await begin(interrupted.job);
    }
    await stopped(interrupted.job, kit.nextToken(), 'worker_stopped');
    const waitsUntil = (await automation(interrupted)).next_run_at;
    await tell(extractionDue, { ...interrupted.word, runId: interrupted.job.runId });
    expect((await automation(interrupted)).next_run_at).toBe(waitsUntil);

    await finish(off.job, off.fence, { pages: 2, list: off.end });
    await kit.bench.call('PATCH', `automations?id=eq.${off.id}`, off.userId, { is_active: false });
    await tell(extractionDue, off.word);
    expect(await automation(off)).toMatchObject({ status: 'paused', next_run_at: null });

    const { configuration } = extractorRow(edited.account, { targets: '@confeitaria', sessionCookie: '' });
    expect((await kit.bench.call('PATCH', `automations?id=eq.${edited.id}`, edited.userId, { configuration })).status).toBe(204);
    await finish(edited.job, edited.fence, { pages: 2, list: edited.end });
    await tell(extractionDue, edited.word);
    await tell(extractionCompleted, edited.over);
    await kit.bench.tick();
    const next = await kit.bench.lastJobOf(edited.id);
    expect(next.plan).toMatchObject({ username: 'confeitaria' });
    expect(await automation(edited)).toMatchObject({ status: 'running', progress: { collected: 0, profile_total: null } });
  });

  it('ends the extraction when its list is complete, also before the end of the run', async () => {
    const run = await begun();
    await tell(extractionCompleted, { ...run.over, reason: null });
    await finish(run.job, run.fence, { pages: 2, list: { ...run.end, cursor: null, state: 'pass_ended' } });
    later(hourMs);
    await kit.bench.tick();
    expect(await automation(run)).toMatchObject({ status: 'done', status_reason: null, next_run_at: null, progress: { collected: 40 } });
    expect(await lastRun(run.id)).toBe(run.job.runId);
  });

  it.each<[ListEndReason, Record<string, unknown>, string | null]>([
    ['private', { targetProblem: 'target_private' }, completionTexts.private],
    ['refused', { targetProblem: 'list_refused' }, completionTexts.refused],
    ['limited_by_network', {}, completionTexts.limited_by_network],
    ['empty_but_profile_shows_more', {}, completionTexts.empty_but_profile_shows_more],
    ['nothing_new', {}, null],
    ['deleted', {}, null],
  ])('ends it with its sentence when the list is over because of %s', async (reason, end, sentence) => {
    const run = await begun();
    await finish(run.job, run.fence, { ...end, list: run.end });
    await tell(extractionCompleted, { ...run.over, totalRecords: 12, reason, dataType: reason === 'deleted' ? null : 'followers' });
    expect(await automation(run)).toMatchObject({
      status: 'done',
      status_reason: sentence,
      progress: { collected: 12, profile_total: 40 },
    });
  });

  it('about a target that is gone is not waited for: its automation is paused until its customer chooses another', async () => {
    const run = await begun();
    await finish(run.job, run.fence, { targetProblem: 'target_gone', list: run.end });
    await tell(extractionDue, run.word);
    expect(await automation(run)).toMatchObject({ status: 'blocked', is_active: false, pause_cause: 'target_gone' });
  });

  it('is not asked for by a run that opened no page: the next one follows at once', async () => {
    const run = await begun();
    await finish(run.job, run.fence, { outcome: 'partial' });
    await kit.bench.tick();
    expect(await lastRun(run.id)).not.toBe(run.job.runId);
  });

  it('in the event of earlier versions makes a list due that one of their replicas left to wait for a verdict', async () => {
    const run = await begun();
    const page = { ...identity(run.job, run.fence), extractedDataId: run.extractedDataId, page: 0, pass: 1, rows: [], cursor: null };
    await tell(runPage, { ...page, profileTotal: 40, collectedAt: kit.now.toISOString() });
    await finish(run.job, run.fence, { pages: 1, list: { ...run.end, cursor: null, state: 'pass_ended' } });
    await kit.bench.db.query('update automations set next_run_at = null, hold_code = null, hold_reason = null where id = $1', [run.id]);
    const verdict = {
      extractedDataId: run.extractedDataId,
      automationId: run.id,
      userId: run.userId,
      pass: 1,
      collected: 20,
      profileTotal: 40,
    };
    await tell(extractionPassEnded, { ...verdict, complete: true });
    expect(await automation(run)).toMatchObject({ status: 'waiting', next_run_at: null });
    await tell(extractionPassEnded, { ...verdict, complete: false });
    await kit.bench.tick();
    expect(await lastRun(run.id)).not.toBe(run.job.runId);
  });
});
