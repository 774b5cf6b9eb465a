import type { LedgerTarget } from '@decola/contracts';
import type { AccountCooldown } from '../accounts/lease-store.js';
import { FakeAutomations } from '../../test/support/fake-automations.js';
import { jobFor, paceOf } from '../../test/support/jobs.js';
import { ManualLease } from '../../test/support/manual-lease.js';
import { type ActionResult, skipped } from '../driver/action-result.js';
import { StopError } from '../driver/driver.errors.js';
import type { SiteTab } from '../driver/site-tab.js';
import { actOn, namedCandidates, type Step } from './acting-run.js';
import { ActionLoop } from './action-loop.js';
import { RunControl } from './run-control.js';
import type { RunParts } from './run-module.js';
import { RunReport } from './run-report.js';
import type { FailurePictures } from './failure-pictures.js';
import type { Screenshots } from './screenshots.js';

const noPictures = { ofAction: () => Promise.resolve() } as unknown as FailurePictures;
const me = { networkUserId: '1', username: 'me', cookies: [] };
const confirmed: ActionResult = { outcome: 'confirmed', skipReason: null, proof: {}, stop: null };

/** Answers a comment in public, and then writes to its author. */
const answer = (comment: LedgerTarget, log: string[], replied: ActionResult = confirmed): Step[] => [
  {
    action: 'reply',
    target: comment,
    views: 2,
    act: async (announce) => {
      await announce('Oi!');
      log.push(`reply ${comment.targetId}`);
      return replied;
    },
  },
  {
    action: 'message',
    target: { targetId: comment.authorId!, username: comment.username },
    views: 1,
    act: async (announce) => {
      await announce('Olá, tudo bem?');
      log.push(`message ${comment.authorId!}`);
      return confirmed;
    },
  },
];

const comments = (['7', '8', '7'] as const).map((authorId, place) => ({
  targetId: String(100 + place),
  username: `person.${authorId}`,
  authorId,
  postCode: 'C8wa5CnmEAA',
}));

function setUp({ most = 5, mostPageViews }: { most?: number; mostPageViews?: number } = {}) {
  const automations = new FakeAutomations();
  const job = jobFor(me, { kind: 'check-session' }, { pace: paceOf(0), ...(mostPageViews === undefined ? {} : { mostPageViews }) });
  const control = new RunControl(new ManualLease() as never, new AbortController().signal);
  const report = new RunReport(automations, job, 1, { now: () => new Date() });
  const tab = { screenshot: () => Promise.resolve(null) } as unknown as SiteTab;
  const parts = { job, control, report, channel: automations, tab } as unknown as RunParts;
  const cooldown = { remainingMs: () => Promise.resolve(0), start: () => Promise.resolve() } as unknown as AccountCooldown;
  const loop = new ActionLoop(parts, cooldown, { save: () => Promise.resolve(null) } as unknown as Screenshots, noPictures, {
    action: 'message',
    most,
  });
  return { automations, report, loop };
}

describe('a candidate with several actions', () => {
  it('gets a reservation and an announcement for each, one at a time', async () => {
    const { automations, loop } = setUp();
    const log: string[] = [];
    const ending = await loop.carryOut(actOn(namedCandidates(comments.slice(0, 1)), (comment) => answer(comment, log)));
    expect(ending).toMatchObject({ outcome: 'done', stop: null });
    expect(automations.questions.map(({ action, candidates }) => [action, candidates])).toEqual([
      ['reply', [comments[0]]],
      ['message', [{ targetId: '7', username: 'person.7' }]],
    ]);
    expect(automations.tries.map(({ action, text }) => [action, text])).toEqual([
      ['reply', 'Oi!'],
      ['message', 'Olá, tudo bem?'],
    ]);
    expect(automations.log).toEqual(['trying:reply', 'action:reply:confirmed', 'trying:message', 'action:message:confirmed']);
  });

  it('gets each of them at most once: a second comment of a person is answered, and brings no second message', async () => {
    const { loop } = setUp();
    const log: string[] = [];
    await loop.carryOut(actOn(namedCandidates([...comments, comments[0]!]), (comment) => answer(comment, log)));
    expect(log).toEqual(['reply 100', 'message 7', 'reply 101', 'message 8', 'reply 102']);
  });

  it('gets the second action only if the module wants it, by what came of the first', async () => {
    const { loop } = setUp();
    const log: string[] = [];
    function* steps(comment: LedgerTarget): Generator<Step> {
      const [reply, message] = answer(comment, log, comment.targetId === '100' ? skipped('target_gone') : confirmed);
      let outcome: string | null = null;
      yield { ...reply!, act: async (announce) => reply!.act(announce).then((result) => ((outcome = result.outcome), result)) };
      if (outcome === 'confirmed') yield message!;
    }
    await loop.carryOut(actOn(namedCandidates(comments.slice(0, 2)), steps));
    expect(log).toEqual(['reply 100', 'reply 101', 'message 8']);
  });

  it('counts towards the budget by one of its actions only', async () => {
    const { loop } = setUp({ most: 1 });
    const log: string[] = [];
    await loop.carryOut(actOn(namedCandidates(comments), (comment) => answer(comment, log)));
    expect(log).toEqual(['reply 100', 'message 7']);
  });

  it('is not begun without the page views of its next action', async () => {
    const { report, loop } = setUp({ mostPageViews: 1 });
    const log: string[] = [];
    await expect(loop.carryOut(actOn(namedCandidates(comments), (comment) => answer(comment, log)))).rejects.toThrow('page views');
    expect([log, report.views.opened]).toEqual([[], 0]);
  });

  it('is nobody of our own: our comments are not answered, and we write no message to ourselves', async () => {
    const { automations, loop } = setUp();
    const log: string[] = [];
    await loop.carryOut(actOn(namedCandidates([{ ...comments[0]!, authorId: '1' }]), (comment) => answer(comment, log)));
    expect([log, automations.questions]).toEqual([[], []]);
  });
});

describe('a stop of our own right after a click', () => {
  it('leaves the reservation open, and the action counts as neither tried nor skipped', async () => {
    const { automations, report, loop } = setUp();
    const stop = new StopError({ class: 'lease_lost', row: null, action: 'reply', evidence: {} });
    const unseen: ActionResult = { outcome: 'unknown', skipReason: null, proof: {}, isSent: true, stop };
    await expect(loop.carryOut(actOn(namedCandidates(comments), (comment) => answer(comment, [], unseen)))).rejects.toBe(stop);
    expect(automations.log).toEqual(['trying:reply']);
    expect(automations.reservations).toMatchObject([{ action: 'reply', outcome: null }]);
    await report.finished({ outcome: 'stopped', stop: stop.signal, targetProblem: null });
    expect(automations.ends).toMatchObject([{ tried: 0, confirmed: 0, skipped: 0, givenBack: [] }]);
  });
});
