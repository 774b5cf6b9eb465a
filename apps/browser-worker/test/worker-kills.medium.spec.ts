import { setTimeout as sleep } from 'node:timers/promises';
import { type BrowserRun, type RunAction, runKinds, type RunPlan, scheduledRunsQueue } from '@decola/contracts';
import { type ActingKind, actingKinds, callOf, type Work, workOf, type WorkTarget } from './support/acting-work.js';
import type { Reservation } from './support/fake-automations.js';
import { accountKeyOf, jobFor, paceOf, type TestSession } from './support/jobs.js';
import type { LedgerEntry } from './support/network.js';
import { processSuite } from './support/process-suite.js';

/** At how many moments runs of each kind are killed. `WORKER_KILLS=100` is a thorough test. */
const moments = Number(process.env['WORKER_KILLS'] ?? 20);
/** Accounts of each kind that run at once in the worker that is killed: their runs begin at random times, so each is killed at a moment of its own. */
const accountsOfKind = Number(process.env['WORKER_KILLS_AT_ONCE'] ?? 4);
const kills = Math.ceil(moments / accountsOfKind);
/** Longest time by which the beginnings of runs differ. */
const spreadMs = 2_000;
const seed = Number(process.env['WORKER_KILLS_SEED'] ?? Date.now() % 100_000);
/** Actions that a run does before it ends, if it is not killed. */
const actionsPerRun = 2;
/** So many that kills right before a comment is sent do not bring the text of the last one around again. */
const texts = Array.from({ length: 10 }, (_, number) => `Que capricho! ${'😍'.repeat(number + 1)}`);

/** A seeded generator of numbers from 0 to 1, so that a failure can be repeated. */
function randomOf(from: number): () => number {
  let state = from >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** An account with work of one kind, all of whose runs are this test's. */
interface Working {
  readonly kind: ActingKind;
  readonly me: TestSession;
  readonly work: Work;
}

/** Whether an entry of the network's ledger is about a target: of a story it names the item, and of an answer the post. */
function isOn({ target, targetId, detail }: LedgerEntry, action: RunAction, { ids, username }: WorkTarget): boolean {
  if (action === 'view-story') return target === username;
  return action === 'reply' ? String(detail['text']).startsWith(`@${username} `) : targetId === ids[action];
}

describe(`workers that are killed at ${moments} moments of runs of every kind`, () => {
  const suite = processSuite();
  const { network } = suite;
  const random = randomOf(seed);

  const reservationsOf = ({ me }: Working) => suite.automations.reservations.filter(({ accountKey }) => accountKey === accountKeyOf(me));
  const isAnnounced = ({ reservationId }: Reservation) => suite.automations.tries.some((one) => one.reservationId === reservationId);

  /** Whether the account has something left to do, or to look at. */
  const isUnfinished = (working: Working): boolean => {
    const mine = reservationsOf(working);
    const isLeft = (id: string) => !mine.some(({ targetId }) => targetId === id);
    // Who certainly got no message gets no public answer.
    const isOver = (id: string) => mine.some(({ targetId, outcome }) => targetId === id && outcome === 'not_confirmed');
    const hasWork = working.work.targets.some(({ ids: { reply, ...first } }) => {
      const [id] = Object.values(first);
      return isLeft(id!) || (reply !== undefined && isLeft(reply) && !isOver(id!));
    });
    return hasWork || mine.some(({ outcome }) => outcome === null);
  };

  /** The next run of an account, as automations would plan it: what is open is looked at first, and texts take turns. */
  const nextJob = (working: Working, most: number): BrowserRun => {
    const { me, work } = working;
    const mine = reservationsOf(working);
    const isTaken = (id: string) => mine.some(({ targetId }) => targetId === id);
    const plan = work.plan(
      work.targets.filter(({ ids }) => !Object.values(ids).every(isTaken)),
      most,
    );
    const tries = suite.automations.tries.filter(({ accountKey }) => accountKey === accountKeyOf(me));
    const unsettled = mine
      .filter(({ outcome }) => outcome === null)
      .map(({ reservationId, action, targetId, username, authorId, postCode }) => {
        const text = tries.find((one) => one.reservationId === reservationId)?.text;
        const ofPost = { ...(authorId === undefined ? {} : { authorId }), ...(postCode === undefined ? {} : { postCode }) };
        return { reservationId, action: action as RunAction, targetId, username, ...ofPost, ...(text === undefined ? {} : { text }) };
      });
    return jobFor(me, { ...plan, ...furtherFacts(plan.kind, mine, tries.length) }, { unsettled, pace: paceOf(200) });
  };

  /** What automations read off the ledger for a plan. */
  const furtherFacts = (kind: RunPlan['kind'], mine: readonly Reservation[], tries: number): object => {
    if (kind === 'comment') return { textsUsed: tries, texts };
    if (kind !== 'send-dm') return {};
    const answered = new Set(mine.filter(({ action }) => action === 'reply').map(({ authorId }) => authorId));
    const isOwed = ({ action, outcome, targetId }: Reservation) =>
      action === 'message' && outcome === 'confirmed' && !answered.has(targetId);
    return { answersOwed: mine.filter(isOwed).map(({ targetId }) => targetId) };
  };

  /**
   * As the ledger does: what was never clicked, or not shown by a page that was too slow, may be proposed again, and what the page could not
   * tell is looked at again.
   */
  const keepLedger = (working: Working): void => {
    const { reservations } = suite.automations;
    for (const one of reservationsOf(working)) {
      const isUntouched = one.outcome === 'not_confirmed' && !isAnnounced(one);
      if (isUntouched || one.skipReason === 'unsettled') reservations.splice(reservations.indexOf(one), 1);
      else if (one.outcome === 'unknown' && one.action !== 'view-story') one.outcome = null;
    }
  };

  /** How far a run was when its worker was killed, for the log. */
  const phaseOf = ({ runId }: BrowserRun): string => {
    const { automations } = suite;
    if (automations.endOf(runId)) return 'over';
    const open = automations.openOf(runId)[0];
    if (open) return `${open.action} ${isAnnounced(open) ? 'announced' : 'reserved'}`;
    if (automations.actions.some((one) => one.runId === runId && !one.settled)) return 'between';
    return automations.startedRuns.some((one) => one.runId === runId) ? 'begun' : 'waiting';
  };

  /** Messages of a run about what it does. */
  const heardOf = ({ runId }: BrowserRun): number => {
    const { questions, tries, actions } = suite.automations;
    const isOfRun = (one: { runId: string }) => one.runId === runId;
    return questions.filter(isOfRun).length + tries.filter(isOfRun).length + actions.filter((one) => isOfRun(one) && !one.settled).length;
  };

  it('no action is done twice, none is lost for good, and everything is done in the end', async () => {
    suite.automations.ignoresRepeatedEnds = true;
    const all: Working[] = [];
    for (let count = 0; count < accountsOfKind; count += 1) {
      for (const kind of actingKinds) {
        const me = await network.customer('pt', { following: 0 });
        all.push({ kind, me, work: await workOf[kind](network, suite.automations, me, kills + 1) });
      }
    }
    // All kinds at once load the machine: pages have as long to answer as in production.
    const environment = { WORKER_CONTEXTS: String(all.length), ANSWER_TIMEOUT_MS: '15000' };
    const phases: string[] = [];
    const began = Date.now();
    let worker = await suite.startWorker(environment);
    for (let kill = 0; kill < kills; kill += 1) {
      const jobs = all.map((working) => nextJob(working, actionsPerRun / runKinds[working.kind].actions.length));
      const sent = Promise.all(
        jobs.map(async (job) => {
          await sleep(random() * spreadMs);
          await suite.send(job, scheduledRunsQueue);
        }),
      );
      // Each kind in turn decides the moment: a random one of its messages. For every action there are a question, a try and an outcome.
      const moment = Math.floor(random() * 3 * actionsPerRun);
      const decisive = jobs[kill % all.length]!;
      while (heardOf(decisive) <= moment && !suite.automations.endOf(decisive.runId)) await sleep(5);
      await sleep(random() * 300);
      await sent;
      worker.kill('SIGKILL');
      await worker.ended;
      phases.push(
        ...actingKinds.map(
          (kind) =>
            `${kind}: ${jobs
              .filter(({ plan }) => plan.kind === kind)
              .map(phaseOf)
              .join(', ')}`,
        ),
      );
      worker = await suite.startWorker(environment);
      for (const { runId } of jobs) await suite.ended(runId);
      for (const working of all) keepLedger(working);
    }
    // What is left, and what is open.
    for (let rest = all; rest.length > 0; rest = rest.filter(isUnfinished)) {
      const jobs = rest.map((working) => nextJob(working, 2));
      for (const job of jobs) await suite.send(job, scheduledRunsQueue);
      for (const { runId } of jobs) {
        const end = await suite.ended(runId);
        // A machine that is too busy to renew a lease, or to answer a question in time, ends the run early; the next round does the rest.
        if (end.stop?.class !== 'lease_lost') expect(end).toMatchObject({ outcome: expect.stringMatching(/^(done|partial)$/), stop: null });
      }
      for (const working of rest) keepLedger(working);
    }
    process.stdout.write(
      `${kills} kills of ${all.length} runs with seed ${seed} in ${Math.round((Date.now() - began) / 1000)} s\n  ${phases.join('\n  ')}\n`,
    );

    for (const working of all) {
      const { kind, me, work } = working;
      const mine = reservationsOf(working);
      const done = (await network.actions(me.username)).filter(({ result }) => result === 'done');
      for (const target of work.targets) {
        for (const [action, targetId] of Object.entries(target.ids) as [RunAction, string][]) {
          const message = mine.find((one) => one.action === 'message' && one.targetId === target.ids.message);
          if (action === 'reply' && message?.outcome !== 'confirmed') {
            expect(mine.filter((one) => one.action === 'reply' && one.targetId === targetId)).toEqual([]);
            continue;
          }
          const entry = mine.find((one) => one.action === action && one.targetId === targetId);
          const times = done.filter((one) => one.action === callOf[action] && isOn(one, action, target)).length;
          const what = `${kind}: ${action} of ${targetId}`;
          expect({ what, outcome: entry?.outcome, skipReason: entry?.skipReason ?? null }).toEqual({
            what,
            skipReason: null,
            outcome: expect.stringMatching(/^(confirmed|requested|not_confirmed|unknown)$/),
          });
          const isConfirmed = entry?.outcome === 'confirmed' || entry?.outcome === 'requested';
          // No page says whose stories were seen.
          expect({ what, times }).toEqual({ what, times: entry?.outcome === 'unknown' ? expect.any(Number) : isConfirmed ? 1 : 0 });
          expect(times).toBeLessThanOrEqual(1);
          // A click that was announced is not repeated, so that a kill costs one target at most.
          if (!isConfirmed)
            expect({ what, isAnnounced: action === 'view-story' || isAnnounced(entry!) }).toEqual({ what, isAnnounced: true });
        }
      }
      expect(mine.filter(({ outcome }) => outcome !== 'confirmed' && outcome !== 'requested').length).toBeLessThanOrEqual(kills);
      const verdicts = await network.verdicts(me.username);
      // The account of this test follows by a tie, not by an action.
      expect(verdicts.filter((verdict) => kind !== 'unfollow' || !verdict.startsWith('unfollow_of_stranger '))).toEqual([]);
    }
  }, 1_800_000);
});
