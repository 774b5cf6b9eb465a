import type { BrowserRun, PlanOf, PreviewedList, RunAction, RunPlan, UnsettledReservation } from '@decola/contracts';
import type { ActionResult } from '../driver/action-result.js';
import type { Screens } from '../driver/screens.js';
import type { SiteTab } from '../driver/site-tab.js';
import type { ActingRun } from './acting-run.js';
import type { RunChannel } from './run-channel.js';
import type { RunControl } from './run-control.js';
import type { RunEnding, RunReport } from './run-report.js';

/** What the engine gives to the module that carries out a plan. */
export interface RunParts {
  readonly job: BrowserRun;
  readonly tab: SiteTab;
  readonly screens: Screens;
  readonly channel: RunChannel;
  readonly control: RunControl;
  readonly report: RunReport;
  /** Asks from time to time whether a run without reservations is still wanted. @throws StoppingError when it is not. */
  requireWanted(): Promise<void>;
}

/** How runs of one kind are carried out. */
export type RunModule<Plan> = ActingModule<Plan> | ReadingModule<Plan>;

/** The same for a tool's runs, each of which can be previewed. */
export type ToolModule<Plan> = ActingModule<Plan> | ListModule<Plan>;

/** A run that acts: the engine reserves, announces, reports and paces every step of it. */
export interface ActingModule<Plan> {
  /** Called after the session was checked. A `RunEnding` is returned when the run can do nothing, with the reason. */
  begin(plan: Plan, parts: RunParts): Promise<ActingRun | RunEnding>;
}

/** A run that reads and does nothing that needs a reservation. */
export interface ReadingModule<Plan> {
  /** Called after the session was checked. */
  read(plan: Plan, parts: RunParts): Promise<RunEnding>;
  /** Called in place of `read` for a preview: opens what the list belongs to, and reads nothing of the list. */
  preview?(plan: Plan, parts: RunParts): Promise<PreviewedList>;
}

/** A run of a tool that reads a list. */
export type ListModule<Plan> = Required<ReadingModule<Plan>>;

/**
 * Looks up on the page what became of an action that an earlier run left without an outcome or tried without proof. Nothing is clicked. An
 * outcome that the page does not show is `unknown`.
 */
export interface Settler {
  /** Documents that are opened for it. */
  readonly views: number;
  settle(reservation: UnsettledReservation, parts: RunParts): Promise<ActionResult>;
}

/** Every plan but that of a preview, which finds the targets of another plan. */
export type CarriedOutPlan = Exclude<RunPlan, { kind: 'preview' }>;

/** The modules of all kinds of runs, and the settlers of all actions that runs perform. */
export interface RunModules {
  readonly runs: { readonly [Kind in CarriedOutPlan['kind']]: RunModule<PlanOf<Kind>> };
  readonly settlers: { readonly [Action in RunAction]?: Settler };
}

/** The module of a plan. */
export function moduleOf<Plan extends CarriedOutPlan>({ runs }: RunModules, plan: Plan): RunModule<Plan> {
  // TypeScript does not see that the plan and the module with the plan's kind belong together.
  return runs[plan.kind] as unknown as RunModule<Plan>;
}
