import {
  actionFacts,
  type AutomationType,
  automationTypes,
  type RawConfiguration,
  type RunAction,
  type RunKind,
  runKindOf,
  runKinds,
  type RunPlan,
  type SkipReason,
  sourceExtractionId,
  tools,
  type UsageKind,
} from '@decola/contracts';
import { literal } from '../texts/sentence-sql.js';
import type { ActionRules } from './action-rules.js';
import { comment } from './auto-comment.js';
import { sendDm } from './auto-dm-sender.js';
import { follow, followRules, unfollow, unfollowRules } from './auto-follow-unfollow.js';
import { like } from './auto-like.js';
import { extractList } from './followers-following-extractor.js';
import { viewStory } from './mass-story-viewer.js';
import { extractInteractions } from './post-interactions-extractor.js';
import { type OwnKeys, wheelKeys } from './prize-extractor.js';
import type { RunModule } from './run-module.js';

/** Every kind of run. It does not compile while one is missing. */
const modules = {
  follow,
  unfollow,
  like,
  comment,
  'view-story': viewStory,
  'send-dm': sendDm,
  'extract-list': extractList,
  'extract-interactions': extractInteractions,
} satisfies {
  [Kind in RunKind]: RunModule<Kind>;
};
export const runModules = modules as { [Kind in RunKind]: RunModule };

const dayMs = 86_400_000;

/** Every action. It does not compile while one is missing. */
export const actionRules: Record<RunAction, ActionRules> = {
  follow: followRules,
  unfollow: unfollowRules,
  like: { canBeLookedUp: true },
  comment: { canBeLookedUp: true, sameAuthorAfterMs: 30 * dayMs },
  reply: { canBeLookedUp: true },
  // No page says whose stories were seen. People show new ones every day.
  'view-story': { canBeLookedUp: false, againAfterMs: dayMs },
  message: { canBeLookedUp: true },
};

/** Keys that the server adds to configurations, by tool. */
export const ownKeys: Partial<Record<AutomationType, OwnKeys>> = { 'prize-extractor': wheelKeys };

/** SQL over a row `t` of automations: its tool needs no browser, so that it has neither runs nor pauses. */
export const needsNoRuns = `t.type in (${automationTypes
  .filter((type) => !tools[type].needsSession)
  .map(literal)
  .join(', ')})`;

/** Whether runs of this kind only read: their pages are reported one by one, and extraction decides how their list goes on. */
export function onlyReads(kind: string): boolean {
  return runKinds[kind as RunKind]?.actions.length === 0;
}

/** The action that the budget of a run counts; undefined for a run that only reads. */
export function budgetAction(kind: string): RunAction | undefined {
  return runKinds[kind as RunKind]?.actions[0];
}

/** The ceiling that limits how much a run of a kind does. */
export function ceilingOf(kind: RunKind): UsageKind {
  const action = budgetAction(kind);
  return action === undefined ? 'list-page' : actionFacts[action].ceiling;
}

/** The kinds of runs that do an action. */
export function kindsDoing(action: RunAction): RunKind[] {
  return (Object.keys(runKinds) as RunKind[]).filter((kind) => runKinds[kind].actions.includes(action));
}

/** As `RunModule.isStillPlanned`, of whichever kind the plan and the configuration are. */
export function isStillPlanned(plan: RunPlan, type: AutomationType, configuration: RawConfiguration): boolean {
  const kind = runKindOf(type, configuration);
  return kind !== null && plan.kind === kind && runModules[kind].isStillPlanned(plan, configuration);
}

/**
 * Why a run that ended with this problem begins its extracted list again at the next turn, as a sentence; null when it does not.
 * @param problem `targetProblem` of its `run.finished`
 */
export function rereadReason(plan: RunPlan, problem: SkipReason | null): string | null {
  if (problem !== 'already_in_ledger' || !(plan.kind in runModules)) return null;
  return runModules[plan.kind as RunKind].rereadsLists?.reason ?? null;
}

/**
 * Equal while an automation may continue at its place in an extracted list (`source_offset`): everything that decides who of the list is
 * skipped is unchanged.
 */
export function sourcePlaceKey(type: AutomationType, configuration: RawConfiguration): string {
  const kind = runKindOf(type, configuration);
  const skips = kind && runModules[kind].skipsDependOn?.(configuration);
  return JSON.stringify([kind, sourceExtractionId(configuration), configuration['sessionAccount'] ?? null, skips ?? null]);
}
