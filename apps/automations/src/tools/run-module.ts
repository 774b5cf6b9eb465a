import {
  actionsPerRunOf,
  type LedgerTarget,
  type PlanOf,
  type PreviewedList,
  type PreviewItem,
  type RawConfiguration,
  type RunKind,
} from '@decola/contracts';
import type { Database } from '@decola/database';

/** Everything that the plan of a run depends on. */
export interface PlanInput {
  configuration: RawConfiguration;
  /** How many actions, or pages of an extraction, the ceilings allow now. */
  room: number;
  /** How many pages of lists the ceilings allow now: targets may come from a list. */
  pageRoom: number;
  /** Runs of this automation so far: several targets take turns. */
  runNumber: number;
  /** What is left of an interrupted run's budget; null for a run that continues none. */
  remainingBudget: number | null;
  /** Where the automation's earlier runs stopped in the extracted list that targets are taken from. */
  sourceOffset: number;
  /** What `candidates` of the module loaded for the account; empty for a module without. */
  candidates: readonly LedgerTarget[];
  now: Date;
  /** Actions of this automation whose text was announced, so that texts take turns; 0 unless the module `countsActions`. */
  actionsSoFar: number;
}

/** Limits of the operator that tools keep to. */
export interface ToolLimits {
  /** People are unfollowed this many days after the follow, at the earliest. */
  unfollowAfterDays: number;
}

/** Targets that are loaded from the database before a run is planned. */
export interface Candidates {
  /** False when this configuration finds its targets elsewhere. */
  isNeeded(configuration: RawConfiguration): boolean;
  /**
   * Loads the targets of many accounts in a constant number of queries.
   * @param most targets of an account that a preview wants to show; absent for a run
   * @returns by account key, those to take first coming first
   */
  load(db: Database, accountKeys: readonly string[], limits: ToolLimits, now: Date, most?: number): Promise<Map<string, LedgerTarget[]>>;
  /** The hold of an automation whose account has none, and its sentence for the customer. Absent: its runs do without. */
  whenNone?: { code: 'nobody_to_unfollow'; reason(limits: ToolLimits): string };
}

/** What a preview says of a plan that acts. */
export interface ActingPreview<Plan> {
  /** Why a target is one, as a sentence. @param said what the target's author wrote, where the page showed it */
  why(plan: Plan, said: string | null, limits: ToolLimits): string;
  /** The texts that targets get one after another. Absent: the action writes nothing. */
  texts?(plan: Plan): { next(): string };
}

/** What a preview says of a plan that reads a list: whose it is, and what the file will honestly contain. */
export interface ListPreview<Plan> {
  item(plan: Plan, list: PreviewedList): PreviewItem;
}

/**
 * How runs of one kind are planned. The engine (dispatch, pauses, ceilings, ledger) knows kinds of runs by these modules and by their facts in
 * contracts alone, and none of them by name.
 */
export interface RunModule<Kind extends RunKind = RunKind> {
  /** Pages (documents) without which a run can do nothing. */
  leastViews: number;
  /** For a run that only reads: pages of its list without which it gets no further. Default: 1. */
  leastPages?(configuration: RawConfiguration): number;
  /** The plan of one run; null when the configuration names no usable target. */
  plan(input: PlanInput): PlanOf<Kind> | null;
  /**
   * Whether the configuration still names what a run was planned for. The customer may have chosen another target since: what the run found out
   * about its target says nothing about the new one.
   */
  isStillPlanned(plan: PlanOf<Kind>, configuration: RawConfiguration): boolean;
  preview: ActingPreview<PlanOf<Kind>> | ListPreview<PlanOf<Kind>>;
  /** Whether its runs read lists of people, which the network may withhold from an account. */
  readsLists(configuration: RawConfiguration): boolean;
  candidates?: Candidates;
  /** Asks for `actionsSoFar`. */
  countsActions?: true;
  /** For a tool without a frequency that its customer chooses: it runs at this interval while it is on, except in quiet hours. */
  everyMs?: number;
  /**
   * For a tool to which people of an extracted list may come to matter later: at its end the list is read again from its beginning, at the next turn.
   * The sentence says so to the customer. Absent: a list that was read to its end is used up.
   */
  rereadsLists?: { reason: string };
  /** What decides, besides the list and the account, who of an extracted list is skipped: when it changes, the list is read from its beginning. */
  skipsDependOn?(configuration: RawConfiguration): unknown;
}

/** How many actions a run may do: the customer's choice, or what is left of an interrupted run, as far as the ceilings allow. */
export function budgetOf({ configuration, remainingBudget, room }: PlanInput): number {
  return Math.min(remainingBudget ?? actionsPerRunOf(configuration['rowsPerLaunch']), room);
}
