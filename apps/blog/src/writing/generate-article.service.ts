import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  containsSession,
  foldText,
  type GenerateArticleAnswer,
  type GenerateArticleBody,
  isOpenRun,
  keywordProblem,
  misplacedSessionText,
} from '@decola/contracts';
import { rowOf, rowsOf } from '@decola/database';
import { lockIds } from '@decola/messaging';
import { Clock, CONFIG } from '@decola/service-kit';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { BlogConfig } from '../config/config.js';
import { LanguageModel } from '../model/language-model.service.js';
import { generateTexts, runTexts } from '../texts/writing-texts.js';
import { ArticleRuns } from './article-runs.service.js';
import { startOfDayInBrasilia } from '../calendar/brasilia.js';
import { findRun, type RunRow } from '../runs/run-row.js';

/** A request for the same keyword within this time joins the run of the one before. */
const joinMs = 10 * 60 * 1000;
const lookEveryMs = 500;

type Opened = { runId: string } | { error: string };

/** Articles that an editor asks for by hand. */
@Injectable()
export class GenerateArticle implements BeforeApplicationShutdown {
  private readonly stopping = new AbortController();

  constructor(
    private readonly dataSource: DataSource,
    private readonly runs: ArticleRuns,
    private readonly model: LanguageModel,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: BlogConfig,
  ) {}

  /** Those who wait are answered; their articles go on. */
  beforeApplicationShutdown(): void {
    this.stopping.abort();
  }

  /** Opens a run, or joins one, and waits for its article for a while. */
  async generate(userId: string, { keyword: typed, run_id: wanted, retry }: GenerateArticleBody): Promise<GenerateArticleAnswer> {
    if (!this.model.isConfigured) return { success: false, error: generateTexts.notConfigured };
    if (retry && wanted) return this.repeat(userId, wanted);
    const keyword = typed.trim().replace(/\s+/g, ' ');
    const problem = keywordProblem(keyword) ?? (containsSession({ keyword }) ? misplacedSessionText : null);
    if (problem) return { success: false, error: problem };
    const opened = await this.open(userId, keyword, wanted ?? randomUUID());
    if ('error' in opened) return { success: false, error: opened.error };
    return this.waitFor(opened.runId);
  }

  private async repeat(userId: string, id: string): Promise<GenerateArticleAnswer> {
    const opened = await this.dataSource.transaction(async (manager): Promise<Opened> => {
      await lockIds(manager, [userId]);
      const run = await findRun(manager, id);
      if (run?.origin !== 'editorial') return { error: generateTexts.notFound };
      const refusal = isOpenRun(run.state) ? null : await this.limitOf(manager, userId);
      if (refusal) return { error: refusal };
      // A run that goes on, or has its article, is joined.
      await this.runs.reopen(manager, id);
      return { runId: id };
    });
    return 'error' in opened ? { success: false, error: opened.error } : this.waitFor(opened.runId);
  }

  private open(userId: string, keyword: string, id: string): Promise<Opened> {
    return this.dataSource.transaction(async (manager): Promise<Opened> => {
      // One request of a person at a time, so that two clicks open one run; the same lock as the erasure's.
      await lockIds(manager, [userId]);
      if (await rowOf(manager, 'select 1 from erased_users where user_id = $1', [userId])) return { error: generateTexts.notFound };
      const now = this.clock.now();
      const known = await findRun(manager, id);
      if (known) return known.user_id === userId && known.origin === 'editorial' ? { runId: id } : { error: generateTexts.notFound };
      const recent = await rowsOf<{ id: string; keyword: string }>(
        manager,
        `select id, keyword from article_runs where user_id = $1 and blog_automation_id is null and origin = 'editorial'
           and state not in ('skipped', 'failed') and created_at > $2 order by created_at desc`,
        [userId, new Date(now.getTime() - joinMs)],
      );
      const same = recent.find((run) => foldText(run.keyword) === foldText(keyword));
      if (same) return { runId: same.id };
      const refusal = await this.limitOf(manager, userId);
      if (refusal) return { error: refusal };
      await this.runs.openByHand(manager, { id, userId, keyword });
      return { runId: id };
    });
  }

  /** Why a person may not ask for another article today; null when they may. */
  private async limitOf(manager: EntityManager, userId: string): Promise<string | null> {
    const today = await rowOf<{ n: number }>(
      manager,
      'select count(*)::int as n from article_runs where user_id = $1 and blog_automation_id is null and created_at >= $2',
      [userId, startOfDayInBrasilia(this.clock.now())],
    );
    const { AI_MANUAL_PER_DAY: most } = this.config;
    return (today?.n ?? 0) >= most ? generateTexts.manualPerDay(most) : null;
  }

  private async waitFor(runId: string): Promise<GenerateArticleAnswer> {
    const deadline = performance.now() + this.config.ARTICLE_WAIT_SECONDS * 1_000;
    for (;;) {
      const run = await findRun(this.dataSource, runId);
      if (!run) return { success: false, error: runTexts.cancelled, run_id: runId };
      if (!isOpenRun(run.state)) return this.answerOf(run);
      if (run.state === 'waiting_provider') return { success: false, error: run.reason ?? runTexts.provider, run_id: runId };
      if (performance.now() >= deadline || this.stopping.signal.aborted)
        return { success: false, error: generateTexts.slow, run_id: runId };
      await sleep(lookEveryMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    }
  }

  private async answerOf({ id, article_id: articleId, reason }: RunRow): Promise<GenerateArticleAnswer> {
    const article = articleId
      ? await rowOf<{ id: string; title: string; slug: string; published: boolean }>(
          this.dataSource.manager,
          'select id, title, slug, published from blog_articles where id = $1',
          [articleId],
        )
      : undefined;
    if (!article) return { success: false, error: reason ?? runTexts.error, run_id: id };
    return { success: true, article, run_id: id, reason: article.published ? null : reason };
  }
}
