import { randomUUID } from 'node:crypto';
import {
  articleFailed,
  type ArticleRunReason,
  type ArticleRunState,
  articleWrite,
  articleWritten,
  interactiveArticlesQueue,
  nextScheduleOccurrence,
  scheduledArticlesQueue,
  workingStates,
} from '@decola/contracts';
import { changedRows, rowOf, rowsOf } from '@decola/database';
import { lockIds, Outbox } from '@decola/messaging';
import { Clock, CONFIG, RetryLaterError } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { BlogConfig } from '../config/config.js';
import { ArticleRefreshes } from '../customer-articles/article-refreshes.service.js';
import { CustomerArticles } from '../customer-articles/customer-articles.service.js';
import { settleLostCalls, usageOfRun } from '../model/spending.service.js';
import { plainReasons } from '../texts/writing-texts.js';
import { TopicMemory } from '../topics/topic-memory.service.js';
import { findAutomation } from '../blog-automations/automation-copy.js';
import { endedRuns } from './run-metrics.js';
import type { RunEnd } from '../runs/run-end.js';
import { findRun, nextState, type RefreshOrder, type RunRow, type RunSteps, runColumns, withoutTopic } from '../runs/run-row.js';

/** The run belongs to another replica, or has ended: nothing of this replica's work on it may be stored any more. */
export class FencedError extends Error {
  override readonly name = 'FencedError';
}

/** How long a job waits for the run's lease, or for another run of the same automation. The end of that run orders the job again, too. */
const busyMs = 30_000;
/** A run of an earlier occurrence waits so long for events of later ones: a queue that was held up delivers all of them, the oldest first. */
const laterEventsMs = 20_000;
const lookForLaterMs = 5_000;

/** What a step may change of its run besides its steps. */
export interface RunChange {
  state?: ArticleRunState;
  step?: string;
  progress?: number | null;
  title?: string | null;
  topicId?: string | null;
}

export interface StepResult {
  /** Empty: only the run's state changes. */
  steps?: RunSteps;
  change?: RunChange;
}

/** An article that `article.due` asked for. */
export interface DueArticle {
  dueId: string;
  blogAutomationId: string;
  userId: string;
  occurrenceAt: Date;
  keyword: string;
  theme: string | null;
}

/**
 * Runs: the writing of one article each. Whoever works on a run has its lease and its fence, a number that grows with every claim; every write names the fence,
 * so that a replica that was thought dead changes nothing when it wakes up.
 */
@Injectable()
export class ArticleRuns {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly topics: TopicMemory,
    private readonly articles: CustomerArticles,
    private readonly refreshes: ArticleRefreshes,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: BlogConfig,
  ) {}

  /** Opens the run of a due article, once. */
  async openForDue(manager: EntityManager, due: DueArticle): Promise<void> {
    const automation = await findAutomation(manager, due.blogAutomationId);
    if (!automation) return;
    const run = await rowOf<{ id: string; attempt: number }>(
      manager,
      `insert into article_runs (user_id, origin, blog_automation_id, due_id, occurrence_at, keyword, theme, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $8) on conflict on constraint article_runs_once do nothing returning id, attempt`,
      [due.userId, automation.origin, due.blogAutomationId, due.dueId, due.occurrenceAt, due.keyword, due.theme, this.clock.now()],
    );
    if (!run) return;
    await manager.query(`update due_articles set run_id = $2 where id = $1`, [due.dueId, run.id]);
    await this.enqueue(manager, run.id, run.attempt, scheduledArticlesQueue);
  }

  /** Opens a run that a person asked for. @returns undefined when there is a run with this id */
  async openByHand(
    manager: EntityManager,
    { id, userId, keyword }: { id: string; userId: string; keyword: string },
  ): Promise<string | undefined> {
    const run = await rowOf<{ id: string; attempt: number }>(
      manager,
      `insert into article_runs (id, user_id, origin, keyword, created_at, updated_at) values ($1, $2, 'editorial', $3, $4, $4)
       on conflict (id) do nothing returning id, attempt`,
      [id, userId, keyword, this.clock.now()],
    );
    if (run) await this.enqueue(manager, run.id, run.attempt, interactiveArticlesQueue);
    return run?.id;
  }

  /**
   * Opens a run that writes the article of another one anew, with the steps that need no call. It names no automation: that is found by the other run, and a replica of
   * a release without such runs ends it instead of storing a second article.
   * @returns its id
   */
  async openForRefresh(
    manager: EntityManager,
    { of, steps }: { of: Pick<RunRow, 'id' | 'user_id' | 'keyword' | 'theme'>; steps: RunSteps & { refresh: RefreshOrder } },
  ): Promise<string> {
    const now = this.clock.now();
    const run = await rowOf<{ id: string; attempt: number }>(
      manager,
      `insert into article_runs (user_id, origin, refreshes_run_id, keyword, theme, title, steps, created_at, updated_at)
       values ($1, 'customer', $2, $3, $4, $5, $6, $7, $7) returning id, attempt`,
      [of.user_id, of.id, of.keyword, of.theme, steps.refresh.title, JSON.stringify(steps), now],
    );
    await this.enqueue(manager, run!.id, run!.attempt, interactiveArticlesQueue);
    return run!.id;
  }

  /** Opens a run that was skipped or has failed anew: the same article, with the steps that are finished. @returns false for any other run */
  async reopen(manager: EntityManager, id: string): Promise<boolean> {
    const run = await rowOf<RunRow>(
      manager,
      `select ${runColumns} from article_runs where id = $1 and state in ('skipped', 'failed') for update`,
      [id],
    );
    if (!run) return false;
    // Its topic was planned again, and may be another run's by now.
    const hasTopic = run.steps.topic && (await this.topics.takeAgain(manager, run.id, run.steps.topic.id));
    const steps: RunSteps = hasTopic ? { blocked: 0, topicCalls: 0 } : { ...withoutTopic, blocked: 0, topicCalls: 0 };
    await manager.query(
      `update article_runs set state = 'queued', attempt = attempt + 1, waits = 0, reason = null, reason_code = null, steps = steps || $2::jsonb,
         created_at = $3, updated_at = $3 where id = $1`,
      [id, JSON.stringify(steps), this.clock.now()],
    );
    await this.enqueue(manager, id, run.attempt + 1, interactiveArticlesQueue);
    return true;
  }

  /** Opens the run of a finished article anew, so that its text is written again with a change. @param text as its owner had edited it; null when it was not */
  async reopenForChange(manager: EntityManager, id: string, { note, text }: { note: string; text: string | null }): Promise<void> {
    const now = this.clock.now();
    const change: RunSteps['change'] = { note, text, at: now.toISOString() };
    const run = await rowOf<{ attempt: number }>(
      manager,
      `update article_runs set state = 'queued', attempt = attempt + 1, waits = 0, reason = null, reason_code = null,
         steps = steps || $2::jsonb, updated_at = $3 where id = $1 returning attempt`,
      [id, JSON.stringify({ change, rewriting: null }), now],
    );
    if (run) await this.enqueue(manager, id, run.attempt, interactiveArticlesQueue);
  }

  /** Tells automations that the article of a run is as it should be, after it was held for its owner. */
  async tellWritten(manager: EntityManager, runId: string): Promise<void> {
    const run = await findRun(manager, runId);
    if (!run?.blog_automation_id || !run.occurrence_at || !run.article_id) return;
    await this.outbox.add(
      manager,
      articleWritten,
      { ...factsOf(run, this.clock.now()), articleId: run.article_id, title: run.title ?? '' },
      { subject: run.blog_automation_id },
    );
  }

  /** Tells automations that nothing comes of the article of a run. */
  async tellFailed(manager: EntityManager, runId: string, code: ArticleRunReason, reason: string): Promise<void> {
    const run = await findRun(manager, runId);
    if (!run?.blog_automation_id || !run.occurrence_at) return;
    await this.outbox.add(manager, articleFailed, { ...factsOf(run, this.clock.now()), code, reason }, { subject: run.blog_automation_id });
  }

  /**
   * Takes a run for this replica, and looks whether its article is still wanted.
   * @returns undefined when there is nothing to do
   * @throws RetryLaterError while another replica has it, or while its automation writes another article
   */
  claim(runId: string, attempt: number): Promise<RunRow | undefined> {
    return this.dataSource.transaction(async (manager) => {
      const found = await rowOf<{ user_id: string; blog_automation_id: string | null }>(
        manager,
        'select user_id, blog_automation_id from article_runs where id = $1',
        [runId],
      );
      if (!found) return undefined;
      // Two runs of one automation are claimed one after another, and a run is not claimed while its owner is erased.
      await lockIds(manager, [found.user_id, found.blog_automation_id ?? found.user_id]);
      const run = await rowOf<RunRow>(manager, `select ${runColumns} from article_runs where id = $1 for update`, [runId]);
      const isWanted =
        run && run.attempt === attempt && (run.state === 'queued' || isWorking(run.state) || run.state === 'waiting_provider');
      if (!run || !isWanted) return undefined;
      const now = this.clock.now();
      if (run.lease_until && run.lease_until > now) {
        throw new RetryLaterError(Math.min(run.lease_until.getTime() - now.getTime(), busyMs), 'another replica writes this article');
      }
      const refusal = await this.refusalOf(manager, run);
      if (refusal) {
        await this.close(manager, run, { state: 'skipped', code: refusal, reason: plainReasons[refusal] ?? null });
        return undefined;
      }
      await settleLostCalls(manager, run.id);
      if (run.due_id) await manager.query(`update due_articles set state = 'running' where id = $1`, [run.due_id]);
      return rowOf<RunRow>(
        manager,
        `update article_runs set state = $2, fence = fence + 1, lease_until = $3, retry_at = null, reason_code = null, reason = null, updated_at = $4
         where id = $1 returning ${runColumns}`,
        [run.id, nextState(run.steps), this.leaseFrom(now), now],
      );
    });
  }

  /**
   * Stores what a step brought.
   * @param make called in the transaction, for what is stored along
   * @throws FencedError, and stores nothing, when the run is not this replica's any more
   */
  async store(run: RunRow, make: (manager: EntityManager) => Promise<StepResult> | StepResult): Promise<RunRow> {
    return this.dataSource.transaction(async (manager) => {
      await this.requireOwn(manager, run);
      const { steps = {}, change = {} } = await make(manager);
      const now = this.clock.now();
      const { tokens, cost } = await usageOfRun(manager, run.id);
      const stored = await rowOf<RunRow>(
        manager,
        `update article_runs set steps = steps || $2::jsonb, state = coalesce($3, state), step = coalesce($4, step),
           progress = case when $5 then $6::int else progress end, title = case when $7 then $8 else title end,
           topic_id = case when $9 then $10::uuid else topic_id end, tokens = $11, waits = case when $12 then 0 else waits end,
           lease_until = $13, updated_at = $14, cost = $15
         where id = $1 returning ${runColumns}`,
        [
          ...[run.id, JSON.stringify(steps), change.state ?? null, change.step ?? null],
          ...['progress' in change, change.progress ?? null, 'title' in change, change.title ?? null],
          ...['topicId' in change, change.topicId ?? null, tokens, Object.keys(steps).length > 0],
          ...[this.leaseFrom(now), now, cost],
        ],
      );
      return stored!;
    });
  }

  /** Shows how many words are written. @returns false when the run is not this replica's any more */
  async showProgress({ id, fence }: RunRow, words: number): Promise<boolean> {
    const now = this.clock.now();
    const changed = await changedRows(
      this.dataSource.manager,
      `update article_runs set progress = $3, lease_until = $4, updated_at = $5 where id = $1 and fence = $2 and state = any($6)`,
      [id, fence, words, this.leaseFrom(now), now, workingStates],
    );
    return changed > 0;
  }

  /** @returns false when the run is not this replica's any more */
  async renewLease({ id, fence }: RunRow): Promise<boolean> {
    const renewed = await changedRows(
      this.dataSource.manager,
      'update article_runs set lease_until = $3 where id = $1 and fence = $2 and state = any($4)',
      [id, fence, this.leaseFrom(this.clock.now()), workingStates],
    );
    return renewed > 0;
  }

  /** Gives the run up, so that any replica can take it at once. */
  async releaseLease({ id, fence }: RunRow): Promise<void> {
    await this.dataSource.query('update article_runs set lease_until = null where id = $1 and fence = $2 and state = any($3)', [
      id,
      fence,
      workingStates,
    ]);
  }

  /** Lets a run wait for the provider. It goes on by itself (`resumeDue`). */
  async wait(run: RunRow, { until, reason, counts }: { until: Date; reason: string; counts: boolean }): Promise<void> {
    await this.dataSource.query(
      `update article_runs set state = 'waiting_provider', reason = $3, reason_code = 'provider', retry_at = $4, lease_until = null,
         waits = waits + case when $5 then 1 else 0 end, progress = null, updated_at = $6
       where id = $1 and fence = $2 and state = any($7)`,
      [run.id, run.fence, reason, until, counts, this.clock.now(), workingStates],
    );
  }

  /** Orders the writing of runs whose pause is over. @returns how many */
  async resumeDue(): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      const now = this.clock.now();
      const due = await rowsOf<{ id: string; attempt: number; blog_automation_id: string | null }>(
        manager,
        `with due as (
           select id from article_runs where state = 'waiting_provider' and retry_at <= $1 order by retry_at limit 50 for update skip locked)
         update article_runs r set attempt = r.attempt + 1, retry_at = null, updated_at = $1 from due where r.id = due.id
         returning r.id, r.attempt, r.blog_automation_id`,
        [now],
      );
      for (const { id, attempt, blog_automation_id: automationId } of due) {
        await this.enqueue(manager, id, attempt, automationId ? scheduledArticlesQueue : interactiveArticlesQueue);
      }
      return due.length;
    });
  }

  /** Fails runs whose job was given up: nobody has worked on them for longer than any job is repeated. @returns how many */
  async failAbandoned(silentMs: number): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      const now = this.clock.now();
      const runs = await rowsOf<RunRow>(
        manager,
        `select ${runColumns} from article_runs where (state = any($1) or (state = 'waiting_provider' and retry_at is null))
           and coalesce(lease_until, updated_at) < $2 and updated_at < $2 limit 20 for update skip locked`,
        [workingStates, new Date(now.getTime() - silentMs)],
      );
      for (const run of runs) {
        await settleLostCalls(manager, run.id);
        await this.close(manager, run, { state: 'failed', code: 'error', reason: plainReasons.error ?? null });
      }
      return runs.length;
    });
  }

  /**
   * Ends a run with everything that follows from it, in one transaction.
   * @param make stores the article, and returns how the run ends
   * @throws FencedError when the run is not this replica's any more; then nothing is stored
   */
  async end(run: RunRow, make: (manager: EntityManager) => Promise<RunEnd> | RunEnd): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      // The same lock as the erasure's: an article is either stored before its owner is erased, or not at all.
      await lockIds(manager, [run.user_id]);
      await this.requireOwn(manager, run);
      await this.close(manager, run, await make(manager));
    });
  }

  /** Locks the run. @throws FencedError */
  private async requireOwn(manager: EntityManager, { id, fence }: RunRow): Promise<void> {
    const own = await rowOf(manager, 'select 1 from article_runs where id = $1 and fence = $2 and state = any($3) for update', [
      id,
      fence,
      workingStates,
    ]);
    if (!own) throw new FencedError(`run ${id} belongs to another replica`);
  }

  /** Why a run that has not begun is skipped; null when its article is wanted. @throws RetryLaterError */
  private async refusalOf(manager: EntityManager, run: RunRow): Promise<'cancelled' | 'missed' | null> {
    if (await rowOf(manager, 'select 1 from erased_users where user_id = $1', [run.user_id])) return 'cancelled';
    const { blog_automation_id: automationId } = run;
    if (!automationId) return null;
    // An article of a customer needs the address that its automation names.
    if (run.origin === 'customer' && !(await findAutomation(manager, automationId))) return 'cancelled';
    // What is half written is finished, also when its automation was switched off meanwhile.
    if (run.state !== 'queued') return null;
    // A run that a person asked for is wanted, whatever came later.
    if (run.attempt === 1 && run.occurrence_at) {
      const automation = await findAutomation(manager, automationId);
      if (!automation?.isActive) return 'cancelled';
      const newer = await rowOf(
        manager,
        `select 1 from article_runs where blog_automation_id = $1 and occurrence_at > $2 and state not in ('skipped', 'failed') limit 1`,
        [automationId, run.occurrence_at],
      );
      if (newer) return 'missed';
      const later = nextScheduleOccurrence(automation.schedule, run.occurrence_at);
      const [now, openedAt] = [this.clock.now().getTime(), run.created_at.getTime()];
      if (later && later.getTime() <= now && now - openedAt < laterEventsMs) {
        throw new RetryLaterError(lookForLaterMs, 'a later article may have been asked for');
      }
    }
    const open = await rowOf(
      manager,
      `select 1 from article_runs where blog_automation_id = $1 and id <> $2 and (state = any($3) or state = 'waiting_provider') limit 1`,
      [automationId, run.id, workingStates],
    );
    if (open) throw new RetryLaterError(busyMs, 'the automation writes another article');
    return null;
  }

  /** Ends a locked run: its state, its due article, its topic and the news for automations. */
  private async close(manager: EntityManager, run: RunRow, wanted: RunEnd): Promise<void> {
    const now = this.clock.now();
    // A rewriting that failed leaves the article as it was: it waits for its owner again.
    const kept = run.steps.change && !wanted.article ? await this.articles.keepAsItWas(manager, run, wanted.reason ?? '') : undefined;
    const { state, code, reason, article, quality } = kept ?? wanted;
    if (run.refreshes_run_id && !article) await this.refreshes.fail(manager, run.id, reason ?? '');
    const { tokens, cost } = await usageOfRun(manager, run.id);
    await manager.query(
      `update article_runs set state = $2, reason_code = $3, reason = $4, article_id = $5, title = coalesce($6, title), lease_until = null,
         retry_at = null, progress = null, tokens = $7, updated_at = $8, cost = $9, quality = coalesce($10, quality) where id = $1`,
      [
        ...[run.id, state, code, reason, article?.id ?? null, article?.title ?? null],
        ...[tokens, now, cost, quality ? JSON.stringify(quality) : null],
      ],
    );
    endedRuns.inc({ state, reason: code ?? 'none' });
    await this.topics.settle(
      manager,
      run.id,
      article ? 'written' : code === 'policy' ? 'blocked' : 'planned',
      code === 'policy' ? reason : null,
    );
    if (run.due_id) {
      await manager.query('update due_articles set state = $2 where id = $1', [
        run.due_id,
        article ? 'written' : state === 'skipped' ? 'skipped' : 'failed',
      ]);
    }
    if (!run.blog_automation_id || !run.occurrence_at) return;
    await this.orderQueued(manager, run.blog_automation_id);
    // Whose automation is gone wants no news; and a later article is written in place of a missed one.
    if (code === 'cancelled' || code === 'missed') return;
    // It was told when the article was written first.
    if (run.steps.change) return;
    const facts = factsOf(run, now);
    const subject = { subject: run.blog_automation_id };
    if (article && state !== 'needs_review') {
      await this.outbox.add(manager, articleWritten, { ...facts, articleId: article.id, title: article.title }, subject);
    } else {
      await this.outbox.add(manager, articleFailed, { ...facts, code: code ?? 'error', reason: reason ?? '' }, subject);
    }
  }

  /** Orders the runs again that waited for another one of their automation. */
  private async orderQueued(manager: EntityManager, automationId: string): Promise<void> {
    const queued = await rowsOf<{ id: string; attempt: number }>(
      manager,
      `select id, attempt from article_runs where blog_automation_id = $1 and state = 'queued'`,
      [automationId],
    );
    for (const { id, attempt } of queued) await this.enqueue(manager, id, attempt, scheduledArticlesQueue);
  }

  private async enqueue(manager: EntityManager, runId: string, attempt: number, queue: string): Promise<void> {
    await this.outbox.enqueue(manager, articleWrite, { runId, attempt }, { id: randomUUID(), subject: runId, queue });
  }

  private leaseFrom(now: Date): Date {
    return new Date(now.getTime() + this.config.ARTICLE_LEASE_SECONDS * 1_000);
  }
}

const factsOf = (run: RunRow, now: Date) => ({
  blogAutomationId: run.blog_automation_id!,
  userId: run.user_id,
  occurrenceAt: run.occurrence_at!.toISOString(),
  at: now.toISOString(),
});

const isWorking = (state: ArticleRunState): boolean => (workingStates as readonly string[]).includes(state);
