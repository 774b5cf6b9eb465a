import { type BrowserRun, runKinds } from '@decola/contracts';
import type { BrowserContext } from 'playwright';
import type { AccountCooldown } from '../accounts/lease-store.js';
import { unknownOutcome } from '../driver/action-result.js';
import { StoppingError } from '../driver/driver.errors.js';
import { PageViewsSpentError } from '../driver/page-views.js';
import { Screens } from '../driver/screens.js';
import type { SiteTab } from '../driver/site-tab.js';
import { ActionLoop, type Budget } from './action-loop.js';
import type { RunChannel } from './run-channel.js';
import type { RunControl } from './run-control.js';
import { preview } from './preview.js';
import type { FailurePictures } from './failure-pictures.js';
import { ChannelSilentError } from './run.errors.js';
import { type CarriedOutPlan, moduleOf, type RunModules, type RunParts } from './run-module.js';
import { done, partial, type RunEnding, type RunReport } from './run-report.js';
import type { Screenshots } from './screenshots.js';
import { cookieUserId } from './session-cookies.js';

export interface PlanOptions {
  readonly baseUrl: URL;
  readonly answerTimeoutMs: number;
  /** See `SiteTabOptions`. */
  readonly hangTimeoutMs?: number;
  /** How long the page may take to show a change after the network has answered an action. */
  readonly wordTimeoutMs: number;
  /** How long a run waits for a picture of a failure. Default: 1.5 s. */
  readonly pictureTimeoutMs?: number;
  /** How long a list is read before automations is asked again whether the run is still wanted. Default: 5 s. */
  readonly confirmWantedEveryMs?: number;
}

const confirmWantedEveryMs = 5_000;

/** Carries out the plan of one run in a browser context with the account's session, by the module of the plan's kind. */
export class PlanRunner {
  private readonly parts: RunParts;
  private confirmedAt = performance.now();

  constructor(
    private readonly job: BrowserRun,
    private readonly modules: RunModules,
    private readonly tab: SiteTab,
    private readonly channel: RunChannel,
    private readonly control: RunControl,
    private readonly report: RunReport,
    private readonly screenshots: Screenshots,
    private readonly pictures: FailurePictures,
    private readonly cooldown: AccountCooldown,
    private readonly options: PlanOptions,
  ) {
    const screens = new Screens(tab, {
      wordTimeoutMs: options.wordTimeoutMs,
      nameOf: (targetId) => this.nameOf(targetId),
      views: report.views,
      ownUserId: job.session.networkUserId,
      onProfile: (profile, isOwn) => (isOwn ? report.sawOwnProfile(profile) : report.sawPerson(profile)),
    });
    this.parts = { job, tab, screens, channel, control, report, requireWanted: () => this.requireWanted() };
  }

  /** @returns how the run ended unless something stopped it. @throws StopError, StoppingError, BrowserGoneError, ChannelSilentError. */
  async run(context: BrowserContext): Promise<RunEnding> {
    try {
      return await this.carryOutPlan(context);
    } catch (error) {
      if (error instanceof PageViewsSpentError) return { ...partial, targetProblem: 'page_views' };
      throw error;
    }
  }

  private async carryOutPlan(context: BrowserContext): Promise<RunEnding> {
    const { plan } = this.job;
    await this.checkSession(context);
    if (plan.kind === 'preview') return preview(moduleOf(this.modules, plan.of), plan.of, this.parts);
    await this.settleEarlier();
    const module = moduleOf(this.modules, plan);
    if ('read' in module) return module.read(plan, this.parts);
    const budget = budgetOf(plan);
    if (budget.most === 0) return done;
    const begun = await module.begin(plan, this.parts);
    if ('outcome' in begun) return begun;
    try {
      const ending = await new ActionLoop(this.parts, this.cooldown, this.screenshots, this.pictures, budget).carryOut(begun);
      return { ...ending, targetProblem: begun.source.problem ?? ending.targetProblem };
    } finally {
      this.report.sourceOffset = begun.source.place;
      begun.source.close();
    }
  }

  /**
   * Checks that the session is that of the job's account, and that its page is in a language that we read. @throws StopError `wrong_account`,
   * `session_ended`, `unknown_language`.
   */
  private async checkSession(context: BrowserContext): Promise<void> {
    const { profiles } = this.parts.screens;
    const viewer = await profiles.readViewer(await cookieUserId(context));
    this.report.username = viewer.username;
    if (viewer.userId === this.job.session.networkUserId) return profiles.requireKnownLanguage();
    throw this.tab.object({
      class: 'wrong_account',
      row: null,
      evidence: { expected: this.job.session.networkUserId, found: viewer.userId },
    });
  }

  /** Reports the outcome of reservations that an earlier run left without one, or tried without proof. No action is repeated. */
  private async settleEarlier(): Promise<void> {
    for (const [index, reservation] of this.job.unsettled.entries()) {
      if (index > 0) await this.control.pause(this.job.pace.pageGapMs);
      this.control.betweenSteps();
      const settler = this.modules.settlers[reservation.action];
      if (settler) this.report.views.require(settler.views);
      const seen = settler ? await settler.settle(reservation, this.parts) : unknownOutcome('cannot be looked up');
      await this.report.action(reservation.action, reservation, seen, true);
    }
  }

  /** Asks from time to time whether a list is still wanted (reading it needs no reservations). @throws StoppingError when it is not. */
  private async requireWanted(): Promise<void> {
    if (performance.now() - this.confirmedAt < (this.options.confirmWantedEveryMs ?? confirmWantedEveryMs)) return;
    this.confirmedAt = performance.now();
    const isWanted = await this.channel.mayGoOn(this.report.identity).catch((error: unknown) => {
      // Without an answer the run goes on: the list was wanted a moment ago, and automations drops pages of a list that is not.
      if (error instanceof ChannelSilentError) return true;
      throw error;
    });
    if (!isWanted) throw new StoppingError();
  }

  /** The newest username of a person; null when none is known, undefined when the question was not answered. */
  private async nameOf(targetId: string): Promise<string | null | undefined> {
    try {
      return await this.channel.personName({ userId: this.job.userId, targetId });
    } catch (error) {
      if (error instanceof ChannelSilentError) return undefined;
      throw error;
    }
  }
}

/** What a run may do: its kind's first action, as often as the plan says. */
function budgetOf(plan: CarriedOutPlan): Budget {
  if (!('budget' in plan)) return { action: null, most: 0 };
  return { action: runKinds[plan.kind].actions[0] ?? null, most: plan.budget };
}
