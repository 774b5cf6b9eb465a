import type { LedgerTarget, RunAction } from '@decola/contracts';
import { actionFacts } from '@decola/contracts';
import type { AccountCooldown } from '../accounts/lease-store.js';
import type { ActionResult } from '../driver/action-result.js';
import { isOwnStop, StopError } from '../driver/driver.errors.js';
import { PageViewsSpentError } from '../driver/page-views.js';
import type { ActingRun, Step } from './acting-run.js';
import type { FailurePictures } from './failure-pictures.js';
import { FailureStreak } from './failure-streak.js';
import type { ReserveReply } from './run-channel.js';
import type { RunParts } from './run-module.js';
import { done, partial, type RunEnding } from './run-report.js';
import type { Screenshots } from './screenshots.js';

/** Refused reservations in a row after which the run ends. */
const mostRefusals = 2_000;

export interface Budget {
  /** The action that is counted; other actions for the same candidates are not. */
  readonly action: RunAction | null;
  readonly most: number;
}

/**
 * Reserves, announces, does and reports the steps of a run that acts. Only one reservation is open at a time, so at most one outcome can be
 * unknown.
 */
export class ActionLoop {
  private readonly failures = new Map<RunAction, FailureStreak>();
  /** Actions with their targets that were proposed, or need not be. */
  private readonly proposed = new Set<string>();
  /** Actions of the budget that were tried. */
  private counted = 0;
  private tried = 0;
  private refusedInRow = 0;
  private hasVisited = false;

  constructor(
    private readonly parts: RunParts,
    private readonly cooldown: AccountCooldown,
    private readonly screenshots: Screenshots,
    private readonly pictures: FailurePictures,
    private readonly budget: Budget,
  ) {}

  /** Takes one candidate after another until the budget is spent or the source has no more. */
  async carryOut(run: ActingRun): Promise<RunEnding> {
    while (this.counted < this.budget.most && this.refusedInRow < mostRefusals) {
      this.parts.control.betweenSteps();
      const steps = await run.next();
      if (steps === null) return run.source.place !== null && !this.hasVisited ? { ...done, targetProblem: 'already_in_ledger' } : done;
      for (const step of steps) {
        const ending = await this.take(step);
        if (ending) return ending;
      }
    }
    return done;
  }

  /** @returns how the run ends; null when it goes on. */
  private async take(step: Step): Promise<RunEnding | null> {
    const { control, report, job } = this.parts;
    const key = `${step.action} ${step.target.targetId}`;
    if (this.proposed.has(key) || ownerOf(step) === job.session.networkUserId) return null;
    this.proposed.add(key);
    control.betweenSteps();
    report.views.require(step.views);
    // Pause before the reservation, so that no reservation is open during a pause.
    if (this.refusedInRow === 0) {
      if (!this.hasVisited) await this.waitForCooldown();
      else await control.pause(this.tried > 0 ? job.pace.actionGapMs : job.pace.pageGapMs);
    }
    const reply = await this.reserve(step);
    if (reply.stop === 'lease_lost') {
      throw new StopError({ class: 'lease_lost', row: null, action: step.action, evidence: { saidBy: 'run.reserve' } });
    }
    const reservation = reply.reserved.find(({ targetId }) => targetId === step.target.targetId);
    if (reservation) {
      this.refusedInRow = 0;
      this.hasVisited = true;
      if (await this.act(step, reservation)) {
        this.tried += 1;
        if (step.action === this.budget.action) this.counted += 1;
      }
    } else {
      this.refusedInRow += 1;
      report.refused();
    }
    if (reply.stop === 'ceiling') return done;
    return reply.stop === null ? null : partial;
  }

  /** @returns true when the action was tried, whatever its outcome. */
  private async act(step: Step, reservation: LedgerTarget & { reservationId: string }): Promise<boolean> {
    const { control, report, tab, job } = this.parts;
    const { action } = step;
    let acted: ActionResult;
    let isAnnounced = false;
    const announce = async (text?: string): Promise<void> => {
      if (isAnnounced) return;
      await report.trying(action, reservation, text);
      isAnnounced = true;
    };
    control.action = action;
    // Also before the action: if this worker dies during it, the account's next run has to wait too.
    await this.startCooldown();
    try {
      acted = await step.act(announce);
      await this.startCooldown(wasSent(acted) ? undefined : 0);
    } catch (error) {
      // Stopped before the click: nothing happened to this target, so the reservation is released.
      const releasedFor = error instanceof StopError ? error.signal.class : error instanceof PageViewsSpentError ? 'page_views' : null;
      if (releasedFor !== null) {
        const skipReason = error instanceof StopError ? 'limit_of_network' : 'page_views';
        await report.action(action, reservation, { outcome: 'skipped', skipReason, proof: { stop: releasedFor } });
      }
      if (error instanceof StopError && !isOwnStop(error.signal.class)) await this.pictures.ofAction(reservation.reservationId);
      throw error;
    } finally {
      control.action = null;
    }
    // Nobody saw what came of the click. As after a crash the reservation stays open, and the account's next run looks.
    if (acted.outcome === 'unknown' && acted.stop) throw acted.stop;
    const picture =
      acted.outcome === 'not_confirmed' ? await this.screenshots.save(job.runId, 'not_confirmed', await tab.screenshot()) : null;
    await report.action(action, reservation, { ...acted, proof: { ...acted.proof, ...(picture ? { picture } : {}) } });
    if (acted.outcome === 'refused' || acted.outcome === 'not_confirmed') await this.pictures.ofAction(reservation.reservationId);
    if (acted.stop) throw acted.stop;
    if (acted.outcome === 'skipped') return wasSent(acted);
    const objection = this.streakOf(action).record(acted.outcome);
    if (objection) {
      tab.action = action;
      throw tab.object(objection);
    }
    return true;
  }

  /** The pause after an account's last action also applies when an earlier run made that action. */
  private async waitForCooldown(): Promise<void> {
    const { control, job } = this.parts;
    const wholeMs = control.draw(job.pace.actionGapMs);
    const ms = await this.cooldown.remainingMs().catch(() => wholeMs);
    await control.pause({ min: ms, max: ms });
  }

  private async startCooldown(ms = this.parts.control.draw(this.parts.job.pace.actionGapMs)): Promise<void> {
    // Without Redis the lease is lost soon, which ends the run; pauses inside a run do not need Redis.
    await this.cooldown.start(ms).catch(() => undefined);
  }

  /** Nothing may be done without a reservation. */
  private reserve({ action, target }: Step): Promise<ReserveReply> {
    const { channel, report } = this.parts;
    return channel.reserve({ ...report.identity, action, candidates: [target], givenBack: report.givenBack });
  }

  private streakOf(action: RunAction): FailureStreak {
    const streak = this.failures.get(action) ?? new FailureStreak();
    this.failures.set(action, streak);
    return streak;
  }
}

/** Id of the person whom an action concerns; undefined where the target does not name the author. */
function ownerOf({ action, target }: Step): string | undefined {
  const kind = actionFacts[action].target;
  return kind === 'person' || kind === 'story' ? target.targetId : target.authorId;
}

function wasSent({ outcome, isSent = false }: ActionResult): boolean {
  return outcome !== 'skipped' || isSent;
}
