import type { AutomationType, PayloadOf, runFinished, runStarted, StopSignal } from '@decola/contracts';
import { rowOf, rowsOf, yieldToPeople } from '@decola/database';
import { Clock } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { storeGrowth } from '../accounts/account-growth.js';
import { isProven, prove, storeAccountName } from '../accounts/account-proof.js';
import { AccountStops, type StopOutcome } from '../accounts/account-stops.service.js';
import { endKindPause } from '../accounts/kind-pauses.js';
import { AutomationPauses } from '../automation-state/automation-pauses.service.js';
import { perform } from '../automation-state/perform.js';
import type { Configuration } from '../automations/configuration.js';
import { browserSettingsOf } from '../customers/customer-settings.js';
import { isErased } from '../customers/erased-customers.js';
import { ExtractionProgress } from '../extractions/extraction-progress.service.js';
import type { PauseCause } from '../safety/stops.js';
import { addPages, addRunViews } from '../safety/usage.js';
import { Previews } from '../previews/previews.service.js';
import { SessionChecks } from '../sessions/session-checks.service.js';
import { pauseReason } from '../texts/texts.js';
import { isStillPlanned, onlyReads, rereadReason } from '../tools/registry.js';
import { continueRun } from './continuation.js';
import { endReason, pauseCauseOf } from './end-cause.js';
import { runColumns, type RunRow, stoppedRunOf } from './run-row.js';

type Started = PayloadOf<typeof runStarted>;
type Finished = PayloadOf<typeof runFinished>;

/** Silent runs that one transaction gives up; the scheduler's next tick takes the others. */
const silentBatch = 200;

/**
 * What beginnings and ends of runs lead to. Each method does the work of one transaction. Events may come in any order and repeatedly: a run that
 * is over changes nothing any more.
 */
@Injectable()
export class RunEvents {
  constructor(
    private readonly stops: AccountStops,
    private readonly pauses: AutomationPauses,
    private readonly checks: SessionChecks,
    private readonly extractions: ExtractionProgress,
    private readonly previews: Previews,
    private readonly clock: Clock,
  ) {}

  async started(manager: EntityManager, event: Started): Promise<void> {
    await this.lockAccount(manager, event);
    const run = await rowOf<{ automation_id: string }>(
      manager,
      `update runs set state = 'running', started_at = coalesce(started_at, $2), seen_at = $3, worker_id = $4, fencing_token = $5
       where id = $1 and state in ('queued', 'running') and coalesce(fencing_token, 0) <= $5 returning automation_id`,
      [event.runId, event.startedAt, this.clock.now(), event.workerId, event.fencingToken],
    );
    if (run) await perform(manager, 'run_started', { ids: [run.automation_id] }, { at: new Date(event.startedAt) });
    else await this.previews.started(manager, event);
  }

  async finished(manager: EntityManager, event: Finished): Promise<void> {
    const now = this.clock.now();
    await yieldToPeople(manager);
    await this.lockAccount(manager, event);
    const open = await rowOf<RunRow>(
      manager,
      `select ${runColumns} from runs where id = $1 and state in ('queued', 'running') for update`,
      [event.runId],
    );
    if (!open) {
      await addRunViews(manager, event, now);
      if (!(await this.previews.finished(manager, event, now))) await this.finishedVisitOrClosedRun(manager, event, now);
      return;
    }
    const cause = await pauseCauseOf(manager, open.plan, event.targetProblem);
    const run = await this.close(manager, open, event, cause, now);
    await this.countUsage(manager, run, event, now);
    await this.learnOwner(manager, run, event, now);

    const stopped = await this.applyStop(manager, run, event.stop, now);
    if (event.outcome !== 'stopped' && (event.tried > 0 || event.pages > 0)) {
      await perform(manager, 'progress', { ids: [run.automation_id] }, {});
      await endKindPause(manager, run.kind, run.queued_at, now);
    }
    // An edit made the automation due for another target meanwhile; what this run found out is about the old one.
    if (await this.isStillPlanned(manager, run)) {
      await this.storeSourceOffset(manager, run, event);
      await this.planNextRun(manager, run, event, cause, stopped, now);
    }
    await perform(manager, 'due', { accountKey: run.account_key, holdCodes: ['account_busy'] }, { now });
  }

  /**
   * Gives up runs that no worker began in time, and runs that went silent, and plans their continuation. What they still report about actions
   * counts; their requests are refused.
   * @returns how many
   */
  async giveUpSilent(manager: EntityManager, silenceMs: number, now: Date): Promise<number> {
    const runs = await rowsOf<RunRow>(
      manager,
      `update runs set state = 'abandoned', outcome = 'stopped', finished_at = $1, reason = $3
       where id in (select id from runs where (state = 'queued' and expires_at < $1::timestamptz - interval '1 minute')
                       or (state = 'running' and coalesce(seen_at, started_at, queued_at) < $2)
                    order by id limit ${silentBatch} for update skip locked)
       returning ${runColumns}`,
      [now, new Date(now.getTime() - silenceMs), pauseReason('worker_stopped', now, null)],
    );
    for (const run of runs) {
      await continueRun(manager, run, [], now);
      await perform(manager, 'due', { accountKey: run.account_key, holdCodes: ['account_busy'] }, { now });
    }
    return runs.length;
  }

  /** Locks the account's row, as every transaction about an account does first, and stores its newest fencing token. */
  private async lockAccount(manager: EntityManager, event: { accountKey: string; fencingToken: number }): Promise<void> {
    await manager.query(`update network_accounts set fencing_token = greatest(fencing_token, $2) where account_key = $1`, [
      event.accountKey,
      event.fencingToken,
    ]);
  }

  /** The end of the visit that checks a session, or of a run that was closed before. */
  private async finishedVisitOrClosedRun(manager: EntityManager, event: Finished, now: Date): Promise<void> {
    const visit = await this.checks.finished(manager, event, now);
    if (!visit) {
      await this.protectAccount(manager, event, now);
      return;
    }
    // A session that may be forged says nothing about the account.
    if (visit.isProven) await addPages(manager, visit.accountKey, { views: event.pageViews }, now);
    if (visit.isGood && event.username !== null) await storeAccountName(manager, visit.accountKey, event.username);
  }

  /** Protects the account although its run was given up or its customer erased: the network objected all the same. */
  private async protectAccount(manager: EntityManager, event: Finished, now: Date): Promise<void> {
    if (event.stop === null) return;
    const run = await rowOf<RunRow>(manager, `select ${runColumns} from runs where id = $1 and account_key = $2 and state = 'abandoned'`, [
      event.runId,
      event.accountKey,
    ]);
    if (run) await this.applyStop(manager, run, event.stop, now);
    else if (await isErased(manager, event.userId)) await this.stops.applyToErasedCustomer(manager, event.accountKey, event.stop, now);
  }

  /** Stores the end of a run, also as the automation's `last_run`. @returns the run with its final number of pages */
  private async close(manager: EntityManager, run: RunRow, event: Finished, cause: PauseCause | null, now: Date): Promise<RunRow> {
    const reason = endReason(run.plan, event, cause, now);
    const pages = Math.max(run.pages, event.pages);
    await manager.query(
      `update runs set state = 'finished', outcome = $2, stop = $3, tried = $4, confirmed = $5, skipped = $6, pages = $7,
         finished_at = $8, seen_at = $9, reason = $10
       where id = $1`,
      [
        run.id,
        event.outcome,
        event.stop === null ? null : JSON.stringify(event.stop),
        event.tried,
        event.confirmed,
        event.skipped,
        pages,
        event.finishedAt,
        now,
        reason,
      ],
    );
    const { outcome, tried, confirmed, skipped, finishedAt } = event;
    const summary = {
      run_id: run.id,
      started_at: run.started_at,
      finished_at: finishedAt,
      outcome,
      tried,
      confirmed,
      skipped,
      pages,
      reason,
    };
    await perform(manager, 'run_ended', { ids: [run.automation_id] }, { summary, now });
    return { ...run, pages };
  }

  private async countUsage(manager: EntityManager, run: RunRow, event: Finished, now: Date): Promise<void> {
    await addRunViews(manager, event, now);
    // Pages of an extraction were counted one by one.
    if (!onlyReads(run.kind)) await addPages(manager, run.account_key, { pages: event.pages }, now);
  }

  /** What only the account's own session can do proves the account; its name and counters are stored for customers who have proven it. */
  private async learnOwner(manager: EntityManager, run: RunRow, event: Finished, now: Date): Promise<void> {
    // A run that ended early may not have opened the site at all, and its session may be forged.
    const hasCheckedSession = event.stop === null && (event.outcome === 'done' || event.username !== null);
    if (hasCheckedSession || event.confirmed > 0 || event.pages > 0) await prove(manager, run.user_id, run.account_key, now);
    if (!(await isProven(manager, run.user_id, run.account_key))) return;
    if (hasCheckedSession)
      await manager.query(`update instagram_sessions set seen_good_at = greatest(seen_good_at, $2::timestamptz) where id = $1`, [
        run.session_id,
        event.finishedAt,
      ]);
    if (event.username !== null) await storeAccountName(manager, run.account_key, event.username);
    if (event.ownProfile) await storeGrowth(manager, { userId: run.user_id, accountKey: run.account_key }, event.ownProfile);
  }

  private async applyStop(manager: EntityManager, run: RunRow, stop: StopSignal | null, now: Date): Promise<StopOutcome> {
    if (stop !== null && stop.class !== 'silent_block') return this.stops.apply(manager, stoppedRunOf(run), stop, now);
    // A single action without effect may be chance; the ledger knows whether it happened twice in a row.
    if (stop?.action) await this.stops.pauseAfterRefusals(manager, run.account_key, stop.action, now);
    return { restUntil: null, retryAt: null };
  }

  /**
   * Read while the automation's row is locked, so that an edit comes either before or after. A list may be read on by another account; what was
   * found out about targets concerns the account's own ledger.
   */
  private async isStillPlanned(manager: EntityManager, run: RunRow): Promise<boolean> {
    const automation = await rowOf<{ type: AutomationType; configuration: Configuration }>(
      manager,
      `select type, configuration from automations where id = $1 and ($2 or account_key = $3)`,
      [run.automation_id, onlyReads(run.kind), run.account_key],
    );
    return automation !== undefined && isStillPlanned(run.plan, automation.type, automation.configuration);
  }

  /** Everybody before this place of the extracted list was decided about. Reports may overtake each other, so the place only moves forward. */
  private async storeSourceOffset(manager: EntityManager, run: RunRow, event: Finished): Promise<void> {
    if (rereadReason(run.plan, event.targetProblem) !== null) await perform(manager, 'restart_source', { ids: [run.automation_id] }, {});
    else if (event.sourceOffset != null)
      await perform(manager, 'advance_source', { ids: [run.automation_id] }, { offset: event.sourceOffset });
  }

  /** What the end of its run means for the automation. */
  private async planNextRun(
    manager: EntityManager,
    run: RunRow,
    event: Finished,
    cause: PauseCause | null,
    stopped: StopOutcome,
    now: Date,
  ): Promise<void> {
    const { stop } = event;
    const isInterrupted = stop?.class === 'worker_stopped' || stop?.class === 'lease_lost';
    if (isInterrupted) await continueRun(manager, run, event.givenBack, now);
    else if (stopped.retryAt !== null && stop !== null) {
      await continueRun(manager, run, event.givenBack, now);
      const { timeZone } = await browserSettingsOf(manager, run.user_id);
      const reason = pauseReason(stop.class, now, stopped.retryAt, { timeZone });
      await perform(manager, 'hold', { ids: [run.automation_id] }, { until: stopped.retryAt, code: 'no_connection', reason });
    } else if (onlyReads(run.kind)) {
      if (endedBeforeItsList(event)) await continueRun(manager, run, event.givenBack, now);
      else await this.extractions.runEnded(manager, run.automation_id, event, stopped.restUntil, now);
    } else if (cause !== null) await this.pauses.pauseUntilCustomerActs(manager, run.automation_id, cause, now);
    else if (event.outcome === 'partial') await continueRun(manager, run, event.givenBack, now);
  }
}

/** Whether a run about a list ended for our own reasons before it read a page of it: extraction says nothing about such a run. */
function endedBeforeItsList({ outcome, list, pageViews }: Finished): boolean {
  return outcome === 'partial' && list === null && pageViews > 0;
}
