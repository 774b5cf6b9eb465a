import type { AutomationType, PayloadOf, runFinished, RunPlan, runStarted, StopSignal } from '@decola/contracts';
import { Clock } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AccountPauses } from '../accounts/account-pauses.js';
import { SessionChecks } from '../accounts/session-checks.js';
import { type PauseCause, pauseReason } from '../accounts/stops.js';
import { rowOf, rowsOf, yieldToPeople } from '../rows.js';
import { dueAt } from './due.js';
import { ExtractionCourse } from './extraction-course.js';
import { isStillPlanned } from './plan.js';
import { countPages } from './usage.js';

type Started = PayloadOf<typeof runStarted>;
type Finished = PayloadOf<typeof runFinished>;

interface RunRow {
  id: string;
  automation_id: string;
  user_id: string;
  account_key: string;
  session_id: string;
  kind: RunPlan['kind'];
  budget: number;
  started_at: Date | null;
  pages: number;
}

/** An interrupted run goes on at once, this often in a row; then the pause before the next try grows. */
const freeInterruptions = 3;
const interruptionStepMs = 5_000;
const longestInterruptionMs = 120_000;

/**
 * What the beginnings and ends of runs do to the runs, their accounts and automations. Each method is one transaction's work and may be
 * called in any order and again: the inbox drops what was seen, and a run that is over changes nothing any more.
 */
@Injectable()
export class RunEvents {
  constructor(
    private readonly pauses: AccountPauses,
    private readonly checks: SessionChecks,
    private readonly extractions: ExtractionCourse,
    private readonly clock: Clock,
  ) {}

  async started(manager: EntityManager, event: Started): Promise<void> {
    await this.raiseFence(manager, event);
    const run = await rowOf<{ automation_id: string }>(
      manager,
      `update runs set state = 'running', started_at = coalesce(started_at, $2), seen_at = $3, worker_id = $4, fencing_token = $5
       where id = $1 and state in ('queued', 'running') and coalesce(fencing_token, 0) <= $5 returning automation_id`,
      [event.runId, event.startedAt, this.clock.now(), event.workerId, event.fencingToken],
    );
    if (run)
      await manager.query(`update automations set last_run_at = greatest(coalesce(last_run_at, $2), $2) where id = $1`, [
        run.automation_id,
        event.startedAt,
      ]);
  }

  async finished(manager: EntityManager, event: Finished): Promise<void> {
    const now = this.clock.now();
    await yieldToPeople(manager);
    await this.raiseFence(manager, event);
    const cause = await this.causeOf(manager, event);
    const run = await rowOf<RunRow>(
      manager,
      `update runs set state = 'finished', outcome = $2, stop = $3, tried = $4, confirmed = $5, skipped = $6, pages = greatest(pages, $7),
         finished_at = $8, seen_at = $9, reason = $10
       where id = $1 and state in ('queued', 'running')
       returning id, automation_id, user_id, account_key, session_id, kind, budget, started_at, pages`,
      [
        event.runId,
        event.outcome,
        event.stop === null ? null : JSON.stringify(event.stop),
        event.tried,
        event.confirmed,
        event.skipped,
        event.pages,
        event.finishedAt,
        now,
        reasonOf(event, cause, now),
      ],
    );
    if (!run) {
      const isCheck = await this.checks.finished(manager, event, now);
      if (isCheck && event.username !== null) await this.learnName(manager, event.accountKey, event.username);
      return;
    }
    if (run.kind !== 'extract-list') await countPages(manager, run.account_key, event.pages, now);
    if (event.username !== null) await this.learnName(manager, run.account_key, event.username);
    await this.noteLastRun(manager, run, event, cause, now);

    const stopped = await this.applyStop(manager, run, event.stop, now);
    if (event.outcome !== 'stopped' && (event.tried > 0 || event.pages > 0)) {
      await manager.query(`update automations set interruptions = 0 where id = $1`, [run.automation_id]);
    }
    // An edit has made the automation due for its new target; what this run found out about the old one is not about that.
    if (await this.isStillPlanned(manager, run.id)) {
      await this.keepPlace(manager, run, event);
      await this.goOn(manager, run, event, cause, stopped.kindUntil, now);
    }
    await this.wakeOthers(manager, run.account_key, now);
  }

  /**
   * Gives up runs that no worker began in time or that went silent, and plans their continuation. What they still report about
   * actions counts; what they still ask is refused. @returns how many
   */
  async giveUpSilent(manager: EntityManager, silenceMs: number, now: Date): Promise<number> {
    const runs = await rowsOf<RunRow>(
      manager,
      `update runs set state = 'abandoned', outcome = 'stopped', finished_at = $1, reason = $3
       where id in (select id from runs where (state = 'queued' and expires_at < $1::timestamptz - interval '1 minute')
                       or (state = 'running' and coalesce(seen_at, started_at, queued_at) < $2)
                    order by id limit 200 for update skip locked)
       returning id, automation_id, user_id, account_key, session_id, kind, budget, started_at, pages`,
      [now, new Date(now.getTime() - silenceMs), pauseReason('worker_stopped', now, null)],
    );
    for (const run of runs) {
      await this.continueRun(manager, run, [], now);
      await this.wakeOthers(manager, run.account_key, now);
    }
    return runs.length;
  }

  /**
   * The same work goes on in another run: what was not reserved yet, and what has no outcome is looked at.
   * @param givenBack reservations that the run passed over, whose reports may come after its end
   */
  private async continueRun(manager: EntityManager, run: RunRow, givenBack: readonly string[], now: Date): Promise<void> {
    const row = await rowOf<{ interruptions: number; used: number; open: number }>(
      manager,
      `update automations t set interruptions = interruptions + 1 where id = $1
       returning interruptions,
         (select count(*) from account_actions l where l.run_id = $2 and l.state <> 'skipped' and not (l.state = 'reserved' and l.id = any($4)))::int as used,
         (select count(*) from account_actions l where l.account_key = $3 and l.state = 'reserved' and l.id <> all($4))::int as open`,
      [run.automation_id, run.id, run.account_key, givenBack],
    );
    if (!row) return;
    const wait =
      row.interruptions <= freeInterruptions
        ? 0
        : Math.min(longestInterruptionMs, interruptionStepMs * 2 ** (row.interruptions - freeInterruptions));
    const left = Math.max(0, run.budget - row.used);
    if (run.kind !== 'extract-list' && left === 0 && row.open === 0) return;
    await manager.query(`update automations set remaining_budget = $2 where id = $1`, [
      run.automation_id,
      run.kind === 'extract-list' ? null : left,
    ]);
    await dueAt(manager, run.automation_id, new Date(now.getTime() + wait));
  }

  /** What follows for the automation from the end of its run. */
  private async goOn(
    manager: EntityManager,
    run: RunRow,
    event: Finished,
    cause: PauseCause | null,
    kindUntil: Date | null,
    now: Date,
  ): Promise<void> {
    const isInterrupted = event.stop?.class === 'worker_stopped' || event.stop?.class === 'lease_lost';
    if (isInterrupted) await this.continueRun(manager, run, event.givenBack, now);
    else if (run.kind === 'extract-list') await this.extractions.planNextPart(manager, run, event, kindUntil, now);
    else if (cause !== null) await this.pauses.pauseAutomation(manager, run.automation_id, cause, now);
    else if (event.outcome === 'partial') await this.continueRun(manager, run, event.givenBack, now);
  }

  /** What keeps the automation from going on until the customer does something about it; null when nothing does. */
  private async causeOf(manager: EntityManager, { runId, targetProblem }: Finished): Promise<PauseCause | null> {
    switch (targetProblem) {
      case 'target_gone':
      case 'target_private':
      case 'limit_of_network':
        return targetProblem;
      case 'already_in_ledger':
        return (await this.isSourceGrowing(manager, runId)) ? null : 'source_used_up';
      default:
        return null;
    }
  }

  /** Whether the extraction that fills a run's slot goes on, now or by itself later. */
  private async isSourceGrowing(manager: EntityManager, runId: string): Promise<boolean> {
    const growing = await rowOf(
      manager,
      `select 1 from runs r join extraction_progress p on p.extracted_data_id = (r.plan -> 'source' ->> 'extractedDataId')::uuid
       join automations x on x.id = p.automation_id
       where r.id = $1 and x.completed_at is null and (x.is_active or x.pause_resumes)`,
      [runId],
    );
    return growing !== undefined;
  }

  /** Everybody before this place is decided: the next run goes on there. Reports may overtake each other, the place only goes forward. */
  private async keepPlace(manager: EntityManager, run: RunRow, event: Finished): Promise<void> {
    if (event.sourceOffset == null) return;
    await manager.query(`update automations set source_offset = greatest(source_offset, $2) where id = $1`, [
      run.automation_id,
      event.sourceOffset,
    ]);
  }

  /** Read when the automation's row is ours already: an edit comes before or after, never between. */
  private async isStillPlanned(manager: EntityManager, runId: string): Promise<boolean> {
    const row = await rowOf<{ plan: RunPlan; type: AutomationType; configuration: Record<string, unknown> }>(
      manager,
      `select r.plan, t.type, t.configuration from runs r join automations t on t.id = r.automation_id
       where r.id = $1 and (r.kind <> 'follow' or t.account_key = r.account_key)`,
      [runId],
    );
    return row !== undefined && isStillPlanned(row.plan, row.type, row.configuration);
  }

  private async applyStop(manager: EntityManager, run: RunRow, stop: StopSignal | null, now: Date): Promise<{ kindUntil: Date | null }> {
    if (stop === null) return { kindUntil: null };
    const stopped = {
      id: run.id,
      userId: run.user_id,
      accountKey: run.account_key,
      sessionId: run.session_id,
      kind: run.kind,
    };
    if (stop.class === 'silent_block') {
      // Once is chance; the ledger says whether it was twice in a row.
      if (stop.action) await this.pauses.checkSilentBlock(manager, run.account_key, stop.action, now);
      return { kindUntil: null };
    }
    return this.pauses.apply(manager, stopped, stop.class, stop.action, now);
  }

  private async noteLastRun(manager: EntityManager, run: RunRow, event: Finished, cause: PauseCause | null, now: Date): Promise<void> {
    const summary = {
      run_id: run.id,
      started_at: run.started_at,
      finished_at: event.finishedAt,
      outcome: event.outcome,
      tried: event.tried,
      confirmed: event.confirmed,
      skipped: event.skipped,
      pages: run.pages,
      reason: reasonOf(event, cause, now),
    };
    await manager.query(`update automations set last_run = $2, last_run_at = coalesce(last_run_at, $3) where id = $1`, [
      run.automation_id,
      JSON.stringify(summary),
      now,
    ]);
  }

  private async learnName(manager: EntityManager, accountKey: string, username: string): Promise<void> {
    await manager.query(`update network_accounts set username = $2 where account_key = $1 and username is distinct from $2`, [
      accountKey,
      username,
    ]);
    await manager.query(
      `update instagram_sessions set username = '@' || $2 where account_key = $1 and is_active and username is distinct from '@' || $2`,
      [accountKey, username],
    );
  }

  private async raiseFence(manager: EntityManager, event: { accountKey: string; fencingToken: number }): Promise<void> {
    // Always takes the account's row first, as run.reserve does: whoever works on an account queues here.
    await manager.query(`update network_accounts set fencing_token = greatest(fencing_token, $2) where account_key = $1`, [
      event.accountKey,
      event.fencingToken,
    ]);
  }

  /** The account is free: what waited for it is due now. */
  private async wakeOthers(manager: EntityManager, accountKey: string, now: Date): Promise<void> {
    await manager.query(
      `update automations set next_run_at = $2, hold_code = null, hold_reason = null where account_key = $1 and hold_code = 'account_busy' and is_active`,
      [accountKey, now],
    );
  }
}

/** Why a run ended early, for the diary; null when it simply ended. */
function reasonOf(event: Finished, cause: PauseCause | null, now: Date): string | null {
  if (event.stop) return pauseReason(event.stop.class, now, null);
  return cause === null ? null : pauseReason(cause, now, null);
}
