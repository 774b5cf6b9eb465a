import type { extractionCompleted, extractionDue, extractionPassEnded, PayloadOf, runFinished, runPage } from '@decola/contracts';
import { rowOf } from '@decola/database';
import { Clock, RetryLaterError } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AutomationPauses } from '../automation-state/automation-pauses.service.js';
import { perform } from '../automation-state/perform.js';
import { addPages, addRunViews } from '../safety/usage.js';
import { completionTexts, holdTexts, interactionsCompletionTexts } from '../texts/texts.js';
import { noteOwnListComplete, noteOwnListPage } from '../tools/own-following-list.js';

type Page = PayloadOf<typeof runPage>;
type Finished = PayloadOf<typeof runFinished>;
type Due = PayloadOf<typeof extractionDue>;
type PassEnded = PayloadOf<typeof extractionPassEnded>;
type Completed = PayloadOf<typeof extractionCompleted>;

/**
 * How long a list waits after a run for extraction's word. Afterwards it simply runs: the worker asks extraction, which answers where the list goes
 * on, or says once more that it is over.
 */
const wordWaitMs = 300_000;

/** Pause before a word is heard again that arrived before the end of its run. */
const openRunRetryMs = 1_000;

/**
 * Runs an extraction until its list is over. extraction alone knows where the list goes on and when it is over (docs/decisions/0031-one-owner-per-list.md);
 * this service hears that another run is due, or that none is.
 */
@Injectable()
export class ExtractionProgress {
  constructor(
    private readonly pauses: AutomationPauses,
    private readonly clock: Clock,
  ) {}

  /** A run read a page, which counts towards the account's ceilings. */
  async page(manager: EntityManager, event: Page): Promise<void> {
    const now = this.clock.now();
    const run = await rowOf<{ automation_id: string }>(
      manager,
      `update runs set seen_at = $2, pages = pages + 1 where id = $1 returning automation_id`,
      [event.runId, now],
    );
    if (!run) return;
    await addPages(manager, event.accountKey, { pages: 1 }, now);
    await addRunViews(manager, event, now);
    await noteOwnListPage(manager, event, now);
    await perform(manager, 'progress', { ids: [run.automation_id] }, {});
  }

  /**
   * A run ended: the list waits for extraction's word.
   * @param restUntil end of a pause of this kind of run; null without one
   */
  async runEnded(manager: EntityManager, automationId: string, event: Finished, restUntil: Date | null, now: Date): Promise<void> {
    const ids = [automationId];
    const { targetProblem } = event;
    if (targetProblem === 'target_gone' || targetProblem === 'post_gone')
      await this.pauses.pauseUntilCustomerActs(manager, automationId, targetProblem, now);
    else if (restUntil !== null) await perform(manager, 'schedule', { ids }, { at: restUntil });
    // It opened no page, because its session was replaced or it expired in the queue: it never asked for the list's place.
    else if (event.list === null && event.pageViews === 0) await perform(manager, 'schedule', { ids }, { at: now });
    else {
      const until = new Date(now.getTime() + wordWaitMs);
      await perform(manager, 'hold', { ids }, { until, code: 'awaits_list', reason: holdTexts.awaitsList });
    }
  }

  /** The list goes on. @throws RetryLaterError when the end of the run has not arrived here yet */
  async due(manager: EntityManager, event: Due): Promise<void> {
    if (await this.storeTotals(manager, event, event.collected)) await this.listDue(manager, event.automationId, new Date(event.dueAt));
  }

  /**
   * A pass over a list ended. Replicas of an earlier version wait for this event and not for the others; its end is also told by `extraction.completed`.
   * @throws RetryLaterError as `due`
   */
  async passEnded(manager: EntityManager, event: PassEnded): Promise<void> {
    if (event.complete) return;
    if (await this.storeTotals(manager, event, event.collected)) await this.listDue(manager, event.automationId, this.clock.now());
  }

  /** The list is over. Leads of a wheel are completed by the same event, and have no progress here. */
  async completed(manager: EntityManager, event: Completed): Promise<void> {
    if (!(await this.storeTotals(manager, event, event.totalRecords))) return;
    const now = this.clock.now();
    const isWhole = event.profileTotal !== null && event.totalRecords >= event.profileTotal;
    if (isWhole) await noteOwnListComplete(manager, event.extractedDataId, now);
    await perform(manager, 'complete', { ids: [event.automationId] }, { now, reason: reasonText(event) });
  }

  private async listDue(manager: EntityManager, automationId: string, at: Date): Promise<void> {
    const openRun = await rowOf(manager, `select 1 from runs where automation_id = $1 and state in ('queued', 'running')`, [automationId]);
    if (openRun) throw new RetryLaterError(openRunRetryMs, 'the run has not ended here yet');
    const ids = [automationId];
    await perform(manager, 'due', { ids, holdCodes: ['awaits_list'] }, { now: at });
    await perform(manager, 'list_due', { ids }, { at });
  }

  /** @returns false for a list that its automation does not collect any more */
  private async storeTotals(
    manager: EntityManager,
    { automationId, extractedDataId, profileTotal }: { automationId: string; extractedDataId: string; profileTotal: number | null },
    collected: number,
  ): Promise<boolean> {
    const progress = await rowOf(
      manager,
      `update extraction_progress set collected = $3, profile_total = coalesce($4, profile_total)
       where automation_id = $1 and extracted_data_id = $2 returning 1 as one`,
      [automationId, extractedDataId, collected, profileTotal],
    );
    return progress !== undefined;
  }
}

/** Why the list has fewer people than the profile shows, for the customer; null when it has everybody, and when the list itself says enough. */
function reasonText({ reason, dataType }: Completed): string | null {
  if (reason == null || reason === 'nothing_new' || reason === 'deleted') return null;
  return dataType === 'likes' || dataType === 'comments' ? interactionsCompletionTexts[dataType][reason] : completionTexts[reason];
}
