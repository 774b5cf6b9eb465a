import { articleQueues, articleWrite, openStates } from '@decola/contracts';
import { DatabaseWatch, isOutage, rowOf } from '@decola/database';
import { BROKER_CONNECTION, type BrokerConnection, consumeJobs, type RunningJobs } from '@decola/messaging';
import { Clock, CONFIG, Logger, periodically, type PeriodicWork, RetryLaterError } from '@decola/service-kit';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Articles } from '../articles/articles.service.js';
import type { BlogConfig } from '../config/config.js';
import { ArticleRefreshes } from '../customer-articles/article-refreshes.service.js';
import { CustomerArticles } from '../customer-articles/customer-articles.service.js';
import { throughOutage } from '../model/through-outage.js';
import { disclosure, plainReasons, runTexts } from '../texts/writing-texts.js';
import { TopicMemory } from '../topics/topic-memory.service.js';
import { ArticleRuns, FencedError } from './article-runs.service.js';
import type { RunEnd } from '../runs/run-end.js';
import type { WrittenArticle } from '../runs/written-article.js';
import { ArticleSteps, NoTopicError } from './article-steps.service.js';
import type { AutomationCopy } from '../blog-automations/automation-copy.js';
import { timeInBrasilia } from '../calendar/brasilia.js';
import { ProviderOutages } from './provider-outages.service.js';
import { findRun, type RunRow, withoutTopic } from '../runs/run-row.js';
import { mostBlockedTopics, outcomeOf } from './run-outcome.js';
import { brokenRules, qualityOf } from '../runs/run-quality.js';
import { AutomationGoneError, findAutomationOfRun } from './writing-scopes.service.js';

/** Articles of one replica at a time. */
const prefetch = 4;
const resumeEveryMs = 1_000;
const measureEveryMs = 15_000;
const abandonedEveryMs = 10 * 60 * 1000;
/** Longer than the job of a run is repeated before it is given up (`retryDelays`). */
const abandonedMs = 8 * 60 * 60 * 1000;
const drainMs = 2_000;

/** Takes the jobs of runs, and lets runs that wait go on. */
@Injectable()
export class ArticleWriter implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private jobs: RunningJobs | undefined;
  private readonly periodic: PeriodicWork[] = [];
  private readonly stopping = new AbortController();

  constructor(
    private readonly dataSource: DataSource,
    private readonly runs: ArticleRuns,
    private readonly steps: ArticleSteps,
    private readonly topics: TopicMemory,
    private readonly articles: Articles,
    private readonly customerArticles: CustomerArticles,
    private readonly refreshes: ArticleRefreshes,
    private readonly outages: ProviderOutages,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly database: DatabaseWatch,
    @Inject(BROKER_CONNECTION) private readonly connection: BrokerConnection,
    @Inject(CONFIG) private readonly config: BlogConfig,
  ) {}

  onApplicationBootstrap(): void {
    this.jobs = consumeJobs({
      connection: this.connection,
      name: 'blog articles',
      job: articleWrite,
      queues: articleQueues,
      prefetch: () => prefetch,
      database: this.database,
      handle: ({ runId, attempt }) => this.write(runId, attempt),
      onError: (error, delivery) => {
        if (error instanceof RetryLaterError) return;
        this.logger.error({ err: error, message: delivery?.messageId }, 'an article could not be written; its job is repeated');
      },
    });
    const onError = (error: unknown) => this.logger.error({ err: error }, 'runs of articles could not be looked after');
    this.periodic.push(
      periodically(() => this.runs.resumeDue(), { intervalMs: resumeEveryMs, retryMs: 5_000, onError }),
      periodically(() => this.outages.measure(), { intervalMs: measureEveryMs, onError }),
      periodically(() => this.runs.failAbandoned(abandonedMs), { intervalMs: abandonedEveryMs, onError }),
    );
  }

  /** Gives up the runs in hand at once: their finished steps are stored, and another replica goes on. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort(new RetryLaterError(1_000, 'this replica stops'));
    await Promise.all([this.jobs?.stop({ drainMs }), ...this.periodic.map((work) => work.stop())]);
  }

  /** Writes the article of a run, or as much of it as can be written now. @throws RetryLaterError, and every error that is not the model's */
  async write(runId: string, attempt: number): Promise<void> {
    const claimed = await this.runs.claim(runId, attempt);
    if (!claimed) return;
    const lost = new AbortController();
    const signal = AbortSignal.any([this.stopping.signal, lost.signal]);
    const heartbeat = setInterval(
      () => {
        this.runs.renewLease(claimed).then(
          (isOurs) => !isOurs && lost.abort(new FencedError(`run ${runId} belongs to another replica`)),
          () => undefined,
        );
      },
      (this.config.ARTICLE_LEASE_SECONDS * 1_000) / 3,
    );
    try {
      await this.writeClaimed(claimed, signal);
    } catch (error) {
      const reason: unknown = signal.aborted ? signal.reason : error;
      if (reason instanceof FencedError) return;
      await this.runs.releaseLease(claimed).catch(() => undefined);
      throw reason;
    } finally {
      clearInterval(heartbeat);
    }
  }

  private async writeClaimed(claimed: RunRow, signal: AbortSignal): Promise<void> {
    let run = claimed;
    for (;;) {
      try {
        run = await this.steps.finishSteps(run, signal);
        const article = await this.steps.written(run);
        await throughOutage(() => this.finish(run, article));
        await this.outages.end();
        return;
      } catch (error) {
        signal.throwIfAborted();
        const next = await this.afterFailure(run, error);
        if (!next) return;
        run = next;
      }
    }
  }

  /** @returns the run, when it goes on at once with another topic. @throws the error, when its job must be repeated */
  private async afterFailure({ id, fence }: RunRow, error: unknown): Promise<RunRow | undefined> {
    if (error instanceof FencedError || isOutage(error)) throw error;
    // As it is stored now, with the steps that were finished before the failure.
    const run = await findRun(this.dataSource, id);
    if (!run || run.fence !== fence) throw new FencedError(`run ${id} belongs to another replica`);
    if (error instanceof NoTopicError) {
      const { suggestions } = error;
      const reason = suggestions.length > 0 ? runTexts.noTopicWith(suggestions) : runTexts.noTopic;
      await this.runs.end(run, () => ({ state: 'skipped', code: 'no_topic', reason }));
      return undefined;
    }
    if (error instanceof AutomationGoneError) {
      await this.runs.end(run, () => ({ state: 'skipped', code: 'cancelled', reason: plainReasons.cancelled ?? null }));
      return undefined;
    }
    const now = this.clock.now();
    const { change } = run.steps;
    const outcome = outcomeOf(error, {
      waits: run.waits,
      // A rewriting has the topic of its article, and no other one.
      blocked: change || run.refreshes_run_id ? mostBlockedTopics : (run.steps.blocked ?? 0),
      ageMs: now.getTime() - (change ? Date.parse(change.at) : run.created_at.getTime()),
      ladder: this.config.ARTICLE_RETRY_SECONDS.map((seconds) => seconds * 1_000),
    });
    this.logger.warn({ err: error, run: id, outcome: outcome.kind }, 'a step of an article failed');
    switch (outcome.kind) {
      case 'retry':
        throw error;
      case 'end':
        await this.runs.end(run, () => ({ state: outcome.state, code: outcome.code, reason: outcome.reason }));
        return undefined;
      case 'wait': {
        const until = new Date(now.getTime() + outcome.afterMs);
        await this.runs.wait(run, { until, reason: runTexts.waiting(timeInBrasilia(until)), counts: !outcome.isDown });
        if (outcome.isDown) await this.outages.begin(error);
        return undefined;
      }
      case 'next-topic':
        return this.runs.store(run, async (manager) => {
          await this.topics.settle(manager, run.id, 'blocked', runTexts.policy);
          return {
            steps: { ...withoutTopic, blocked: (run.steps.blocked ?? 0) + 1 },
            change: { title: null, topicId: null, progress: null },
          };
        });
    }
  }

  /** Stores the article: of our own blog it is published, or a draft when it breaks rules; a customer's is approved or waits for its owner. */
  private async finish(run: RunRow, article: WrittenArticle): Promise<void> {
    try {
      await this.runs.end(run, (manager) => this.store(manager, run, article));
    } catch (error) {
      // The transaction may have been committed although its confirmation was lost.
      if (error instanceof FencedError && (await this.hasEnded(run))) return;
      throw error;
    }
  }

  private async store(manager: EntityManager, run: RunRow, article: WrittenArticle): Promise<RunEnd> {
    const automation = await findAutomationOfRun(manager, run);
    if (run.origin === 'editorial') return this.publish(manager, run, article, automation);
    const texts = run.refreshes_run_id ? this.refreshes : this.customerArticles;
    const end = automation && (await texts.finish(manager, run, article, automation));
    return end ?? { state: 'skipped', code: 'cancelled', reason: plainReasons.cancelled ?? null };
  }

  private async publish(
    manager: EntityManager,
    run: RunRow,
    { fields, html, report }: WrittenArticle,
    automation: AutomationCopy | undefined,
  ): Promise<RunEnd> {
    const author = this.config.BLOG_AUTHORS[0]!;
    const cover = run.steps.cover && run.steps.cover !== 'none' ? run.steps.cover : undefined;
    const { id } = await this.articles.create(manager, {
      title: fields.title,
      slug: fields.slug,
      content: automation?.settings.disclosure ? `${html}\n<p><em>${disclosure(author)}</em></p>` : html,
      excerpt: fields.excerpt,
      category: fields.category,
      tags: fields.tags,
      author,
      metaTitle: fields.metaTitle,
      metaDescription: fields.metaDescription,
      featuredImage: cover?.featured_image ?? null,
      image: cover?.image ?? null,
      published: report.passed,
      at: this.clock.now(),
    });
    const made = { article: { id, title: fields.title }, quality: qualityOf(report) };
    if (report.passed) return { state: 'published', code: null, reason: null, ...made };
    return { state: 'needs_review', code: 'gate', reason: runTexts.gate(brokenRules(report)), ...made };
  }

  private async hasEnded({ id, fence }: RunRow): Promise<boolean> {
    const row = await rowOf(
      this.dataSource.manager,
      'select 1 from article_runs where id = $1 and fence = $2 and article_id is not null and state <> all($3)',
      [id, fence, openStates],
    );
    return row !== undefined;
  }
}
