import type {
  extractionCompleted,
  extractionPassEnded,
  PayloadOf,
  runActionDone,
  runFinished,
  RunPlan,
  runPage,
  runStarted,
  SkipReason,
  StopSignal,
} from '@decola/contracts';
import { Clock } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { AccountPauses } from '../accounts/account-pauses.js';
import { SessionChecks } from '../accounts/session-checks.js';
import { pauseReason } from '../accounts/stops.js';
import { isErased } from '../entitlements/erasure.js';
import { rowOf, rowsOf, yieldToPeople } from '../rows.js';
import { countPages } from './usage.js';

type Started = PayloadOf<typeof runStarted>;
type Action = PayloadOf<typeof runActionDone>;
type Page = PayloadOf<typeof runPage>;
type Finished = PayloadOf<typeof runFinished>;
type PassEnded = PayloadOf<typeof extractionPassEnded>;
type Completed = PayloadOf<typeof extractionCompleted>;

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

/** These say something about the person that stays true: the same person is not proposed again. */
const lastingSkips: ReadonlySet<SkipReason> = new Set<SkipReason>([
  'already_so',
  'target_gone',
  'target_private',
  'target_blocked_us',
  'not_ours',
  'keep_list',
]);

/** An interrupted run goes on at once, this often in a row; then the pause before the next try grows. */
const freeInterruptions = 3;
const interruptionStepMs = 5_000;
const longestInterruptionMs = 120_000;

/** Runs that made no headway wait this long before the next one. */
const noHeadwayMs = 300_000;

/**
 * What the worker's reports do to the ledger, the runs and their automations. Each method is one transaction's work, may be
 * called in any order and again (the inbox drops what was seen), and takes a report of a run that is over for what it still is
 * worth: an action's outcome always counts.
 */
@Injectable()
export class RunEvents {
  constructor(
    private readonly pauses: AccountPauses,
    private readonly checks: SessionChecks,
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

  async action(manager: EntityManager, event: Action): Promise<void> {
    // A report from a run whose owner is gone would bring them back.
    if (await isErased(manager, event.userId)) return;
    const run = await rowOf<{ automation_id: string }>(manager, `update runs set seen_at = $2 where id = $1 returning automation_id`, [
      event.runId,
      this.clock.now(),
    ]);
    const isLasting = event.skipReason !== null && lastingSkips.has(event.skipReason);
    const proof = JSON.stringify(event.proof);
    const wasNeverDone = event.settled && event.outcome === 'not_confirmed';
    if (event.reservationId !== null && (wasNeverDone || (event.outcome === 'skipped' && !isLasting))) {
      // Passed over for a reason of the moment, or seen on the page not to have happened: the person may come again.
      await manager.query(`delete from account_actions where id = $1 and state = 'reserved'`, [event.reservationId]);
    } else if (event.reservationId !== null) {
      await manager.query(
        `update account_actions set state = $2, skip_reason = $3, proof = $4, settled_at = $5
         where id = $1 and (state = 'reserved' or (state = 'not_confirmed' and $2 in ('confirmed', 'requested')))`,
        [event.reservationId, event.outcome, event.skipReason, proof, event.at],
      );
    } else if (event.outcome === 'skipped' && isLasting && event.skipReason !== 'not_ours' && event.skipReason !== 'keep_list') {
      await manager.query(
        `insert into account_actions (id, account_key, action, target_id, target_username, state, skip_reason, proof, user_id, automation_id, run_id,
           reserved_at, settled_at)
         values ($1, $2, $3, $4, $5, 'skipped', $6, $7, $8, $9, $10, $11, $11) on conflict (account_key, action, target_id) do nothing`,
        [
          randomUUID(),
          event.accountKey,
          event.action,
          event.target.targetId,
          event.target.username,
          event.skipReason,
          proof,
          event.userId,
          run?.automation_id ?? event.automationId,
          event.runId,
          event.at,
        ],
      );
    }
    await manager.query(
      `insert into run_diary (automation_id, user_id, run_id, reservation_id, action, target_id, target_username, outcome, skip_reason, proof, settled, at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      [
        run?.automation_id ?? event.automationId,
        event.userId,
        event.runId,
        event.reservationId,
        event.action,
        event.target.targetId,
        event.target.username,
        event.outcome,
        event.skipReason,
        proof,
        event.settled,
        event.at,
      ],
    );
    if (event.outcome !== 'skipped' && run) {
      await manager.query(`update automations set interruptions = 0 where id = $1 and interruptions > 0`, [run.automation_id]);
    }
    if (event.outcome === 'not_confirmed' && !event.settled)
      await this.pauses.checkSilentBlock(manager, event.accountKey, event.action, this.clock.now());
  }

  async page(manager: EntityManager, event: Page): Promise<void> {
    const now = this.clock.now();
    const run = await rowOf<{ automation_id: string }>(
      manager,
      `update runs set seen_at = $2, pages = pages + 1 where id = $1 returning automation_id`,
      [event.runId, now],
    );
    if (!run) return;
    await countPages(manager, event.accountKey, 1, now);
    await manager.query(
      `update extraction_progress set cursor = $3, pass = $4, next_page = $5, collected = collected + $6,
         profile_total = coalesce($7, profile_total)
       where automation_id = $1 and extracted_data_id = $2 and next_page <= $8 and pass <= $4`,
      [
        run.automation_id,
        event.extractedDataId,
        event.cursor,
        event.pass,
        event.page + 1,
        event.rows.length,
        event.profileTotal,
        event.page,
      ],
    );
    await manager.query(`update automations set interruptions = 0 where id = $1 and interruptions > 0`, [run.automation_id]);
  }

  async finished(manager: EntityManager, event: Finished): Promise<void> {
    const now = this.clock.now();
    await yieldToPeople(manager);
    await this.raiseFence(manager, event);
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
        reasonOf(event, now),
      ],
    );
    if (!run) {
      const isCheck = await this.checks.finished(manager, event, now);
      if (isCheck && event.username !== null) await this.learnName(manager, event.accountKey, event.username);
      return;
    }
    if (run.kind !== 'extract-list') await countPages(manager, run.account_key, event.pages, now);
    if (event.username !== null) await this.learnName(manager, run.account_key, event.username);
    await this.noteLastRun(manager, run, event, now);

    const stopped = await this.applyStop(manager, run, event.stop, now);
    const isInterrupted = event.stop?.class === 'worker_stopped' || event.stop?.class === 'lease_lost';
    if (event.outcome !== 'stopped' && (event.tried > 0 || event.pages > 0)) {
      await manager.query(`update automations set interruptions = 0 where id = $1`, [run.automation_id]);
    }
    if (isInterrupted) await this.continueRun(manager, run, event.givenBack, now);
    else if (run.kind === 'extract-list') await this.planNextPart(manager, run, event, stopped.kindUntil, now);
    else if (isCause(event.targetProblem)) {
      await this.pauses.pauseAutomation(manager, run.automation_id, event.targetProblem, now);
    } else if (event.outcome === 'partial') await this.continueRun(manager, run, event.givenBack, now);
    await this.wakeOthers(manager, run.account_key, now);
  }

  /** Extraction's verdict on a pass: the list is as complete as it will be, or is read once more. */
  async passEnded(manager: EntityManager, event: PassEnded): Promise<void> {
    const now = this.clock.now();
    const progress = await rowOf<{ pass: number }>(
      manager,
      `select pass from extraction_progress where automation_id = $1 and extracted_data_id = $2 for update`,
      [event.automationId, event.extractedDataId],
    );
    if (!progress || event.pass < progress.pass) return;
    if (event.complete) {
      await this.complete(manager, event.automationId, null, now);
      return;
    }
    await manager.query(
      `update extraction_progress set pass = $3, cursor = null, awaits_verdict = false, profile_total = coalesce($4, profile_total)
       where automation_id = $1 and extracted_data_id = $2`,
      [event.automationId, event.extractedDataId, event.pass + 1, event.profileTotal],
    );
    await this.dueAt(manager, event.automationId, now);
  }

  /** The file is there: nothing more is read for it. Leads of a wheel come the same way and change nothing here. */
  async completed(manager: EntityManager, event: Completed): Promise<void> {
    const isOurs = await rowOf(manager, `select 1 from extraction_progress where automation_id = $1 and extracted_data_id = $2`, [
      event.automationId,
      event.extractedDataId,
    ]);
    if (isOurs) await this.complete(manager, event.automationId, null, this.clock.now());
  }

  /** An extraction is over. @param reason why there is less than the profile shows; null when there is not */
  async complete(manager: EntityManager, automationId: string, reason: string | null, now: Date): Promise<void> {
    await manager.query(
      `update automations set completed_at = coalesce(completed_at, $2), completed_reason = coalesce($3, completed_reason), next_run_at = null,
         hold_code = null, hold_reason = null
       where id = $1`,
      [automationId, now, reason],
    );
    await manager.query(`update extraction_progress set awaits_verdict = false where automation_id = $1`, [automationId]);
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
    await this.dueAt(manager, run.automation_id, new Date(now.getTime() + wait));
  }

  private async planNextPart(manager: EntityManager, run: RunRow, event: Finished, kindUntil: Date | null, now: Date): Promise<void> {
    const { list } = event;
    if (event.targetProblem === 'target_gone') {
      await this.pauses.pauseAutomation(manager, run.automation_id, 'target_gone', now);
      return;
    }
    if (list) {
      await manager.query(
        `update extraction_progress set cursor = $3, pass = $4, next_page = $5, profile_total = coalesce($6, profile_total)
         where automation_id = $1 and extracted_data_id = $2 and (pass, next_page) <= ($4, $5)`,
        [run.automation_id, list.extractedDataId, list.cursor, list.pass, list.nextPage, list.profileTotal],
      );
    }
    const state = event.targetProblem === 'target_private' ? 'private' : list?.state;
    switch (state) {
      case 'pass_ended': {
        // Extraction says what comes next; when it has said so already, the pass has moved on.
        const waits = await rowsOf(
          manager,
          `update extraction_progress set awaits_verdict = true where automation_id = $1 and pass = $2 and
             not exists (select 1 from automations t where t.id = $1 and t.completed_at is not null) returning pass`,
          [run.automation_id, list?.pass ?? 0],
        );
        if (waits.length > 0) await this.dueAt(manager, run.automation_id, null);
        return;
      }
      case 'private':
        await this.complete(manager, run.automation_id, 'O perfil é privado: a lista só aparece para quem ele aceita como seguidor.', now);
        return;
      case 'limited_by_network':
        await this.complete(
          manager,
          run.automation_id,
          'O Instagram mostra só uma parte desta lista. Entregamos tudo o que ele mostrou.',
          now,
        );
        return;
      case 'empty_but_profile_shows_more':
        await this.complete(
          manager,
          run.automation_id,
          'O Instagram mostrou a lista vazia, embora o perfil tenha pessoas. Tente de novo mais tarde.',
          now,
        );
        return;
      case 'more':
      case undefined: {
        const wait = event.pages > 0 ? 0 : noHeadwayMs;
        const at = new Date(now.getTime() + wait);
        await this.dueAt(manager, run.automation_id, kindUntil && kindUntil > at ? kindUntil : at);
      }
    }
  }

  /** Due at an instant, or not at all; never what is off, a draft or done. */
  private async dueAt(manager: EntityManager, automationId: string, at: Date | null): Promise<void> {
    await manager.query(
      `update automations set next_run_at = $2, hold_code = null, hold_reason = null where id = $1 and is_active and not is_draft and completed_at is null`,
      [automationId, at],
    );
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

  private async noteLastRun(manager: EntityManager, run: RunRow, event: Finished, now: Date): Promise<void> {
    const summary = {
      run_id: run.id,
      started_at: run.started_at,
      finished_at: event.finishedAt,
      outcome: event.outcome,
      tried: event.tried,
      confirmed: event.confirmed,
      skipped: event.skipped,
      pages: run.pages,
      reason: reasonOf(event, now),
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
function reasonOf(event: Finished, now: Date): string | null {
  if (event.stop) return pauseReason(event.stop.class, now, null);
  return isCause(event.targetProblem) ? pauseReason(event.targetProblem, now, null) : null;
}

/** Problems that stay until the customer does something about them. */
function isCause(problem: SkipReason | null): problem is 'target_gone' | 'target_private' | 'limit_of_network' {
  return problem === 'target_gone' || problem === 'target_private' || problem === 'limit_of_network';
}
