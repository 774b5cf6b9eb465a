import {
  type LedgerTarget,
  type PlanOf,
  type RunAction,
  runActions,
  type RunKind,
  runKinds,
  type RunPlan,
  type UnsettledReservation,
} from '@decola/contracts';
import { createHash, randomUUID } from 'node:crypto';
import { type ActionResult, settledAs, skipped } from '../../../browser-worker/src/driver/action-result.js';
import { actOn, type Candidates, namedCandidates, type Step } from '../../../browser-worker/src/runs/acting-run.js';
import type { RunModule, RunModules, RunParts } from '../../../browser-worker/src/runs/run-module.js';
import { done, partial } from '../../../browser-worker/src/runs/run-report.js';
import { SlotPeople } from '../../../browser-worker/src/sources/slot-people.js';
import { checkSession } from '../../../browser-worker/src/tools/check-session.js';
import type { SimulatedNetwork } from './simulated-network.js';
import type { SimulatedTab } from './simulated-site.js';
import type { SimulatedTime } from './simulated-time.js';

/*
 * What runs see and do without a browser: one entry of `screens` for each kind of run. The engine around it (leases, reservations, pauses, budgets,
 * reports) is the worker's own. A new kind of run needs an entry here, and a configuration in `rows-of-kinds.ts` of automations.
 */

export interface ScreenParts {
  network: SimulatedNetwork;
  time: SimulatedTime;
  random: () => number;
}

type Screens = { [Kind in RunKind]?: (parts: ScreenParts) => RunModule<PlanOf<Kind>> };

const screens: Screens = {
  follow: (simulation) =>
    acting(simulation, { ownProfile: true, views: 2 }, ({ source, sourceOffset, maxPages }, parts) =>
      candidatesOf(simulation, parts, source, { sourceOffset, maxPages }, 'person'),
    ),
  unfollow: (simulation) =>
    acting(simulation, { views: 2 }, ({ targets, source, sourceOffset }, parts) =>
      source ? candidatesOf(simulation, parts, source, { sourceOffset }, 'person') : namedCandidates(targets),
    ),
  like: (simulation) =>
    acting(simulation, { views: 2 }, ({ source, sourceOffset }, parts) =>
      candidatesOf(simulation, parts, source, { sourceOffset }, 'post'),
    ),
  comment: (simulation) =>
    acting(
      simulation,
      { views: 2, text: ({ texts, textsUsed }, number) => texts[(textsUsed + number) % texts.length]! },
      ({ source, sourceOffset }, parts) => candidatesOf(simulation, parts, source, { sourceOffset }, 'post'),
    ),
  'view-story': (simulation) =>
    acting(simulation, { views: 1 }, ({ source, sourceOffset }, parts) =>
      candidatesOf(simulation, parts, source, { sourceOffset }, 'person'),
    ),
  'send-dm': (simulation) => ({
    begin({ postCode, message, reply, maxPages }, parts) {
      if (maxPages === 0) return Promise.resolve(partial);
      tabOf(parts).load(1);
      parts.report.countPage();
      simulation.network.view(parts.job.session.networkUserId, 'list-page');
      return Promise.resolve(actOn(namedCandidates(commentersOf(parts.job, simulation.time)), (author) => answers(author)));

      function* answers(author: LedgerTarget): Generator<Step> {
        let isSent = false;
        yield {
          action: 'message',
          target: author,
          views: 2,
          act: async (announce) => {
            const sent = await act(simulation, parts, 'message', author, 2, () => announce(message));
            isSent = sent.outcome === 'confirmed';
            return sent;
          },
        };
        if (!isSent || reply === null) return;
        const comment = { ...author, targetId: idOf(`comment of ${author.targetId} on ${postCode}`), authorId: author.targetId, postCode };
        yield {
          action: 'reply',
          target: comment,
          views: 2,
          act: (announce) => act(simulation, parts, 'reply', comment, 2, () => announce(reply)),
        };
      }
    },
  }),
  'extract-list': readList,
  'extract-interactions': readList,
};

/** Kinds of runs that nothing here simulates. */
export const unsimulatedKinds = (Object.keys(runKinds) as RunKind[]).filter((kind) => screens[kind] === undefined);

export function simulatedModules(simulation: ScreenParts): RunModules {
  const runs = Object.fromEntries(
    Object.entries(screens).map(([kind, make]) => [kind, (make as (parts: ScreenParts) => unknown)(simulation)]),
  );
  const settlers = Object.fromEntries(
    runActions.map((action) => [
      action,
      {
        views: 1,
        settle: (reservation: UnsettledReservation, parts: RunParts) => Promise.resolve(look(simulation, action, reservation, parts)),
      },
    ]),
  );
  return { runs: { ...runs, 'check-session': checkSession } as unknown as RunModules['runs'], settlers };
}

/** How many people a source has for one account before they repeat: few enough that automations meet the same people. */
const peopleOfSource = 400;
export const peopleInList = 60;
const peopleOnPage = 12;
/** An action takes this long from its reservation to its click. */
const actionMs = { min: 4_000, max: 18_000 };

/** Shares of actions that do not end as confirmed. The others are. */
const shares = { requested: 0.05, skipped: 0.05, notConfirmed: 0.015 };
/** Skips that runs meet: lasting ones, and one that may be tried again. */
const skips = ['already_so', 'target_gone', 'unsettled'] as const;

/** A run that reads a list of a known length, from where extraction says to go on. */
function readList({ network }: ScreenParts): RunModule<PlanOf<'extract-list' | 'extract-interactions'>> {
  return {
    async read({ extractedDataId, maxPages }, parts) {
      const { channel, report, control, job } = parts;
      const reading = randomUUID();
      const place = await channel.resumeList({ ...report.identity, extractedDataId, reading });
      if (place.state !== 'read') return done;
      report.list = { ...place, extractedDataId, reading, state: 'more' };
      if (maxPages === 0) return partial;
      tabOf(parts).load(1);
      report.list = { ...report.list, profileTotal: peopleInList };
      for (let pages = 0; pages < maxPages; pages += 1) {
        if (pages > 0) await control.pause(job.pace.pageGapMs);
        const page: number = report.list.nextPage;
        const isLast = (page + 1) * peopleOnPage >= peopleInList;
        network.view(job.session.networkUserId, 'list-page');
        const rows = Array.from({ length: peopleOnPage }, (_, index) =>
          rowOf(person(`list ${job.automationId}`, page * peopleOnPage + index)),
        );
        await report.page(rows, isLast ? null : String(page + 1), isLast ? 'pass_ended' : null);
        await parts.requireWanted();
        if (isLast) {
          report.list = { ...report.list, state: 'pass_ended' };
          return done;
        }
      }
      return partial;
    },
  };
}

/** A run that does its kind's first action to every candidate. */
function acting<Kind extends RunKind>(
  simulation: ScreenParts,
  { views, ownProfile = false, text }: { views: number; ownProfile?: boolean; text?: (plan: PlanOf<Kind>, number: number) => string },
  candidates: (plan: PlanOf<Kind>, parts: RunParts) => Candidates,
): RunModule<PlanOf<Kind>> {
  return {
    async begin(plan, parts) {
      const [action] = runKinds[(plan as RunPlan).kind as RunKind].actions;
      if (ownProfile) {
        tabOf(parts).load(1);
        await parts.control.pause(parts.job.pace.pageGapMs);
      }
      let number = 0;
      return actOn(candidates(plan, parts), (target): Step[] => [
        {
          action: action!,
          target,
          views,
          act: (announce) => act(simulation, parts, action!, target, views, () => announce(text?.(plan, number++))),
        },
      ]);
    },
  };
}

/** Opens the target's page, and acts there. */
async function act(
  { network, time, random }: ScreenParts,
  parts: RunParts,
  action: RunAction,
  target: LedgerTarget,
  views: number,
  announce: () => Promise<void>,
): Promise<ActionResult> {
  const { control, job } = parts;
  const tab = tabOf(parts);
  tab.load(views - 1);
  await time.sleep(control.draw(actionMs));
  control.assertMayGoOn();
  const drawn = random();
  if (drawn < shares.skipped) return skipped(skips[Math.floor(random() * skips.length)]!);
  await announce();
  control.assertMayGoOn();
  const isRequest = action === 'follow' && job.plan.kind === 'follow' && job.plan.requestPrivate && drawn > 1 - shares.requested;
  const isUnproven = drawn < shares.skipped + shares.notConfirmed;
  if (network.blocks(job.session.networkUserId)) {
    tab.action = action;
    const stop = tab.object({ class: 'action_blocked', row: 1, evidence: { simulated: true } });
    return { outcome: 'refused', skipReason: null, proof: {}, stop };
  }
  network.click(job.session.networkUserId, action, target, job as { runId: string; automationId: string }, !isUnproven || random() < 0.5);
  tab.load(1);
  if (isUnproven) return { outcome: 'not_confirmed', skipReason: null, proof: {}, stop: null };
  return { outcome: isRequest ? 'requested' : 'confirmed', skipReason: null, proof: { simulated: true }, stop: null };
}

/** What a later run sees of an earlier try. */
function look({ network }: ScreenParts, action: RunAction, { targetId }: UnsettledReservation, parts: RunParts): ActionResult {
  tabOf(parts).load(1);
  return settledAs(network.shows(parts.job.session.networkUserId, action, targetId) ? 'confirmed' : 'not_confirmed', { simulated: true });
}

type Source = PlanOf<'follow' | 'like' | 'comment' | 'view-story'>['source'];

/** Candidates of any source, in an order of their own for every run, so that runs propose the same targets again and again. */
function candidatesOf(
  { network, random }: ScreenParts,
  parts: RunParts,
  source: Source,
  { sourceOffset = 0, maxPages = Infinity }: { sourceOffset?: number | undefined; maxPages?: number | undefined },
  kind: 'person' | 'post',
): Candidates {
  const targetOf = (one: LedgerTarget) => (kind === 'person' ? one : newestPostOf(one));
  if (source.kind === 'slot') {
    const people = new SlotPeople(source.extractedDataId, sourceOffset, parts);
    return {
      next: async () => {
        const next = await people.next();
        return next && targetOf(next);
      },
      close: () => people.close(),
      get problem() {
        return people.problem;
      },
      get place() {
        return people.place;
      },
    };
  }
  const name =
    source.kind === 'hashtag' ? source.hashtag : source.kind === 'list' ? source.username : `feed of ${parts.job.session.networkUserId}`;
  tabOf(parts).load(1);
  let next = Math.floor(random() * peopleOfSource);
  let proposed = 0;
  let pages = 0;
  return {
    problem: null,
    place: null,
    close: () => undefined,
    next: () => {
      if (proposed >= peopleOfSource) return Promise.resolve(null);
      if (source.kind === 'list' && proposed % peopleOnPage === 0) {
        if (pages >= maxPages) return Promise.resolve(null);
        pages += 1;
        parts.report.countPage();
        network.view(parts.job.session.networkUserId, 'list-page');
      }
      proposed += 1;
      next += 1;
      return Promise.resolve(targetOf(person(name, next % peopleOfSource)));
    },
  };
}

const firstCommentAt = Date.parse('2026-10-30T00:00:00Z');

/** Who commented the keyword on the account's post so far: somebody new every two hours. */
function commentersOf({ session }: RunParts['job'], { now }: SimulatedTime): LedgerTarget[] {
  const comments = Math.floor((now.getTime() - firstCommentAt) / 7_200_000);
  return Array.from({ length: comments }, (_, index) => person(`comments of ${session.networkUserId}`, index));
}

/** A person of a source: the same number, the same person. */
export function person(source: string, number: number): LedgerTarget {
  const id = idOf(`${source} ${number}`);
  return { targetId: id, username: `pessoa_${id}` };
}

function newestPostOf({ targetId, username }: LedgerTarget): LedgerTarget {
  const id = idOf(`post of ${targetId}`);
  return { targetId: id, username, authorId: targetId, postCode: `P${id}` };
}

function rowOf({ targetId, username }: LedgerTarget) {
  return { userId: targetId, username, fullName: '', isPrivate: false, isVerified: false, hasStory: false };
}

/** A number of the network, above those of the simulation's own accounts. */
function idOf(what: string): string {
  return String(10_000_000_000 + createHash('sha256').update(what).digest().readUIntBE(0, 4));
}

const tabOf = ({ tab }: RunParts) => tab as unknown as SimulatedTab;
