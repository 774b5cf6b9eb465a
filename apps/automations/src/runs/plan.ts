import {
  actionsPerRunOf,
  type AutomationType,
  frequency as frequencySchema,
  type Frequency,
  type LedgerTarget,
  normaliseHashtag,
  normaliseUsername,
  type RunAction,
  type RunPlan,
  sourceExtractionId,
  splitTargets,
  type TargetSource,
} from '@decola/contracts';
import { isDeepStrictEqual } from 'node:util';
import type { CeilingKind } from './ceilings.js';

type Configuration = Record<string, unknown>;

/** What an automation does to the network, as far as scheduling needs to know it. */
export type RunKind = 'follow' | 'unfollow' | 'extract-list';

/**
 * The kind of run of an automation; null for tools that no browser carries out (the prize wheel) or that cannot be carried
 * out yet: those are stored and never due.
 */
export function runKindOf(type: AutomationType, configuration: Configuration): RunKind | null {
  if (type === 'followers-following-extractor') return 'extract-list';
  if (type !== 'auto-follow-unfollow') return null;
  return configuration['action'] === 'unfollow' ? 'unfollow' : 'follow';
}

export function ceilingKindOf(kind: RunKind): CeilingKind {
  return kind === 'extract-list' ? 'list-page' : kind;
}

export function actionOf(kind: RunKind): RunAction | null {
  return kind === 'extract-list' ? null : kind;
}

export function frequencyOf(configuration: Configuration): Frequency | null {
  const parsed = frequencySchema.safeParse(configuration['frequency']);
  return parsed.success ? parsed.data : null;
}

/** Where an extraction stands, over all its runs. */
export interface ExtractionProgress {
  extractedDataId: string;
  cursor: string | null;
  pass: number;
  nextPage: number;
}

export interface PlanInput {
  configuration: Configuration;
  kind: RunKind;
  /** How many actions or pages the ceilings leave. */
  room: number;
  /** How many list pages they leave: whoever looks for people in a list reads its pages. */
  pageRoom: number;
  /** Runs of this automation so far: several targets take turns. */
  runNumber: number;
  /** What an interrupted run left of its budget; null for a run of its own. */
  remainingBudget: number | null;
  progress: ExtractionProgress | null;
  /** Where the automation's earlier runs left its slot. */
  sourceOffset: number;
  /** People to unfollow, oldest first. */
  unfollowTargets: readonly LedgerTarget[];
}

/** The plan of one run; null when the configuration names no target that can be used. */
export function planRun(input: PlanInput): RunPlan | null {
  const { configuration, kind, room } = input;
  const budget = Math.min(input.remainingBudget ?? actionsPerRunOf(configuration['rowsPerLaunch']), room);
  switch (kind) {
    case 'follow': {
      const source = sourceOf(configuration, input.runNumber);
      if (!source) return null;
      const plan = { kind, source, budget, requestPrivate: allowsRequests(configuration) };
      if (source.kind === 'slot') return { ...plan, sourceOffset: input.sourceOffset };
      if (source.kind !== 'list') return plan;
      return { ...plan, maxPages: input.pageRoom, budget: input.pageRoom === 0 ? 0 : budget };
    }
    case 'unfollow':
      return { kind, targets: [...input.unfollowTargets], budget };
    case 'extract-list': {
      const [username] = names(configuration);
      const { progress } = input;
      if (!username || !progress) return null;
      const list = configuration['extractionType'] === 'following' ? 'following' : 'followers';
      return { kind, list, username, ...progress, maxPages: room };
    }
  }
}

/**
 * True while the configuration still names what a run was planned for. An edit may have named something else since: what the run
 * found out about its target says nothing about the new one.
 */
export function isStillPlanned(plan: RunPlan, type: AutomationType, configuration: Configuration): boolean {
  if (plan.kind !== runKindOf(type, configuration)) return false;
  if (plan.kind === 'extract-list') return plan.extractedDataId === configuration['extractedDataId'];
  if (plan.kind === 'unfollow') return true;
  if (plan.requestPrivate !== allowsRequests(configuration)) return false;
  return sourcesOf(configuration).some((source) => isDeepStrictEqual(source, plan.source));
}

/** What decides who of a slot is passed over: a place in it holds only as long as all of this stays the same. */
export function placeKeyOf(configuration: Configuration): string {
  return JSON.stringify([sourceExtractionId(configuration), configuration['sessionAccount'] ?? null, allowsRequests(configuration)]);
}

function allowsRequests(configuration: Configuration): boolean {
  return configuration['requestPrivate'] === true;
}

function sourceOf(configuration: Configuration, runNumber: number): TargetSource | null {
  const sources = sourcesOf(configuration);
  return sources[runNumber % sources.length] ?? null;
}

/** All that a configuration names, in its order. */
function sourcesOf(configuration: Configuration): TargetSource[] {
  const extractedDataId = sourceExtractionId(configuration);
  if (extractedDataId) return [{ kind: 'slot', extractedDataId }];
  if (configuration['method'] === 'list') return names(configuration).map((username) => ({ kind: 'list', username }));
  if (configuration['method'] !== 'hashtag') return [];
  return listOf(configuration).flatMap((tag) => {
    const hashtag = normaliseHashtag(tag);
    return hashtag === null ? [] : { kind: 'hashtag' as const, hashtag };
  });
}

function listOf(configuration: Configuration): string[] {
  return typeof configuration['targets'] === 'string' ? splitTargets(configuration['targets']) : [];
}

function names(configuration: Configuration): string[] {
  return listOf(configuration).flatMap((user) => normaliseUsername(user) ?? []);
}
