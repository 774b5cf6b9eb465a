import type { extractionCompleted, extractionPassEnded, PayloadOf, runFinished, runPage } from '@decola/contracts';
import { Clock } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AccountPauses } from '../accounts/account-pauses.js';
import { rowOf, rowsOf } from '../rows.js';
import { dueAt } from './due.js';
import { countPages } from './usage.js';

type Page = PayloadOf<typeof runPage>;
type Finished = PayloadOf<typeof runFinished>;
type PassEnded = PayloadOf<typeof extractionPassEnded>;
type Completed = PayloadOf<typeof extractionCompleted>;

/** Runs that made no headway wait this long before the next one. */
const noHeadwayMs = 300_000;

/** A verdict that has not come after this long was lost: extraction gives up on missing pages after half of it. */
const verdictMs = 24 * 3_600_000;

/** How an extraction goes on from page to page, run to run and pass to pass, until it is over. */
@Injectable()
export class ExtractionCourse {
  constructor(
    private readonly pauses: AccountPauses,
    private readonly clock: Clock,
  ) {}

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

  /** Extraction's verdict on a pass: the list is as complete as it will be, or is read once more. */
  async passEnded(manager: EntityManager, event: PassEnded): Promise<void> {
    const now = this.clock.now();
    const progress = await rowOf<{ pass: number }>(
      manager,
      `select pass from extraction_progress where automation_id = $1 and extracted_data_id = $2 for update`,
      [event.automationId, event.extractedDataId],
    );
    if (!progress || event.pass < progress.pass) return;
    // Pages count every row they show; extraction knows how many people these are.
    await manager.query(
      `update extraction_progress set collected = $3, profile_total = coalesce($4, profile_total) where automation_id = $1 and extracted_data_id = $2`,
      [event.automationId, event.extractedDataId, event.collected, event.profileTotal],
    );
    if (event.complete) {
      await this.complete(manager, event.automationId, null, now);
      return;
    }
    await manager.query(
      `update extraction_progress set pass = $3, cursor = null, awaits_verdict = false
       where automation_id = $1 and extracted_data_id = $2`,
      [event.automationId, event.extractedDataId, event.pass + 1],
    );
    await dueAt(manager, event.automationId, now);
  }

  /** Reads a pass again whose verdict was lost: then there is another end to judge. */
  async readAgain(manager: EntityManager, now: Date): Promise<void> {
    // Replicas of an earlier version do not say since when they wait.
    await manager.query(
      `update extraction_progress set awaits_since = $1 where automation_id in (select automation_id from extraction_progress
         where awaits_verdict and awaits_since is null limit 200 for update skip locked)`,
      [now],
    );
    const lost = await rowsOf<{ id: string }>(
      manager,
      `select t.id from automations t join extraction_progress p on p.automation_id = t.id
       where p.awaits_verdict and p.awaits_since < $1 order by t.id limit 200 for update skip locked`,
      [new Date(now.getTime() - verdictMs)],
    );
    for (const { id } of lost) {
      await manager.query('update extraction_progress set awaits_verdict = false where automation_id = $1', [id]);
      await dueAt(manager, id, now);
    }
  }

  /** The file is there: nothing more is read for it. Leads of a wheel come the same way and change nothing here. */
  async completed(manager: EntityManager, event: Completed): Promise<void> {
    const isOurs = await rowOf(manager, `select 1 from extraction_progress where automation_id = $1 and extracted_data_id = $2`, [
      event.automationId,
      event.extractedDataId,
    ]);
    if (isOurs) await this.complete(manager, event.automationId, null, this.clock.now());
  }

  /** Where a run left the list: it goes on in another run, waits for extraction's verdict, or is over. */
  async planNextPart(
    manager: EntityManager,
    run: { automation_id: string },
    event: Finished,
    kindUntil: Date | null,
    now: Date,
  ): Promise<void> {
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
          `update extraction_progress set awaits_verdict = true, awaits_since = $3 where automation_id = $1 and pass = $2 and
             not exists (select 1 from automations t where t.id = $1 and t.completed_at is not null) returning pass`,
          [run.automation_id, list?.pass ?? 0, now],
        );
        if (waits.length > 0) await dueAt(manager, run.automation_id, null);
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
        // A run that names no list was never begun: its session was replaced, or its time passed, while it waited for a worker.
        const wait = event.pages > 0 || list === null ? 0 : noHeadwayMs;
        const at = new Date(now.getTime() + wait);
        await dueAt(manager, run.automation_id, kindUntil && kindUntil > at ? kindUntil : at);
      }
    }
  }

  /** An extraction is over. @param reason why there is less than the profile shows; null when there is not */
  private async complete(manager: EntityManager, automationId: string, reason: string | null, now: Date): Promise<void> {
    await manager.query(
      `update automations set completed_at = coalesce(completed_at, $2), completed_reason = coalesce($3, completed_reason), next_run_at = null,
         hold_code = null, hold_reason = null
       where id = $1`,
      [automationId, now, reason],
    );
    await manager.query(`update extraction_progress set awaits_verdict = false where automation_id = $1`, [automationId]);
  }
}
