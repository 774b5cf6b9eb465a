import type { DoubtfulClaim } from '@decola/contracts';
import { rowOf } from '@decola/database';
import { Clock } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { articleFromHtml } from '../articles/article-html.js';
import type { AutomationCopy } from '../blog-automations/automation-copy.js';
import { dateInBrasilia, dayInBrasilia } from '../calendar/brasilia.js';
import { redeliver } from '../deliveries/open-delivery.js';
import type { RunEnd } from '../runs/run-end.js';
import { qualityOf } from '../runs/run-quality.js';
import type { RunRow } from '../runs/run-row.js';
import type { WrittenArticle } from '../runs/written-article.js';
import { customerDisclosure, customerTexts } from '../texts/customer-texts.js';
import { refreshTexts } from '../texts/refresh-texts.js';
import { type CustomerArticleRow, findCustomerArticle } from './customer-article-row.js';
import { keepRevision } from './customer-article-revisions.js';
import { CustomerArticles } from './customer-articles.service.js';
import { doubtfulClaims } from './doubtful-claims.js';
import { unsafeTermsIn } from './safe-words.js';
import { staleYearOf } from './stale-years.js';

/** A new text of an article, as it is stored. */
export interface RefreshRow {
  id: string;
  user_id: string;
  article_id: string;
  run_id: string;
  /** Of the article that the text was made from. */
  revision: number;
  title: string;
  content_html: string;
  excerpt: string;
  meta: CustomerArticleRow['meta'];
  claims: DoubtfulClaim[];
  quality: unknown;
}

const columns = 'id, user_id, article_id, run_id, revision, title, content_html, excerpt, meta, claims, quality';

/**
 * New texts of articles that are on their owners' sites. Until a text is approved the article stays as it is, so that nothing else is sent meanwhile; then it is
 * the article's next revision, and updates its post. What the owner changed meanwhile is never replaced.
 */
@Injectable()
export class ArticleRefreshes {
  constructor(
    private readonly articles: CustomerArticles,
    private readonly clock: Clock,
  ) {}

  /** Stores the finished text of a run. @returns how the run ends; undefined when nobody wants the text any more */
  async finish(manager: EntityManager, run: RunRow, written: WrittenArticle, automation: AutomationCopy): Promise<RunEnd | undefined> {
    const open = await rowOf(manager, `select 1 from article_refreshes where run_id = $1 and state = 'writing' for update`, [run.id]);
    const article = run.refreshes_run_id ? await findCustomerArticle(manager, { runId: run.refreshes_run_id }) : undefined;
    if (!open || !article) return undefined;
    const claims = doubtfulClaims(run.steps.review, written.text);
    const end = this.endOf(run, written, claims, automation);
    const quality = qualityOf(written.report);
    const { fields } = written;
    const refresh = await rowOf<RefreshRow>(
      manager,
      `update article_refreshes set title = $2, content_html = $3, excerpt = $4, meta = $5, claims = $6, quality = $7, updated_at = $8
       where run_id = $1 returning ${columns}`,
      [
        ...[run.id, fields.title, automation.settings.disclosure ? `${written.html}\n<p><em>${customerDisclosure}</em></p>` : written.html],
        fields.excerpt,
        JSON.stringify({ metaTitle: fields.metaTitle, metaDescription: fields.metaDescription, focusKeyword: fields.focusKeyword }),
        ...[JSON.stringify(claims), JSON.stringify(quality), this.clock.now()],
      ],
    );
    if (end.state !== 'approved') {
      const problem = end.code === 'gate' ? end.reason : null;
      await this.wait(manager, run.id, problem, automation.settings.approval !== 'never');
    } else if (!(await this.apply(manager, refresh!, article)))
      return { state: 'skipped', code: 'cancelled', reason: refreshTexts.changed, quality };
    return { ...end, article: { id: article.id, title: fields.title }, quality };
  }

  /** Makes a text the article's next revision, and sends it. @returns false, and changes nothing, when the owner has changed the article meanwhile */
  async apply(manager: EntityManager, refresh: RefreshRow, article: CustomerArticleRow): Promise<boolean> {
    if (article.state !== 'approved' || article.revision !== refresh.revision) return false;
    const now = this.clock.now();
    await keepRevision(manager, article, 'rewritten', now);
    await manager.query(
      `update customer_articles set revision = revision + 1, title = $2, content_html = $3, excerpt = $4, meta = $5, claims = $6, quality = $7,
         updated_at = $8 where id = $1`,
      [
        ...[article.id, refresh.title, refresh.content_html, refresh.excerpt, JSON.stringify(refresh.meta)],
        ...[JSON.stringify(refresh.claims), JSON.stringify(refresh.quality), now],
      ],
    );
    await manager.query('update article_runs set title = $2, updated_at = $3 where id = $1', [article.run_id, refresh.title, now]);
    await manager.query(
      `update article_refreshes set state = 'done', problem = null, until = null, mail_due_at = null, updated_at = $2 where id = $1`,
      [refresh.id, now],
    );
    await redeliver(manager, article.id, now);
    return true;
  }

  /** There is no new text: its reasons are proposed again, and the owner reads why. */
  async fail(manager: EntityManager, runId: string, problem: string): Promise<void> {
    await this.close(manager, runId, 'failed', problem);
  }

  /** The owner does not want the text: its reasons do not come back for a while. */
  async discard(manager: EntityManager, runId: string, problem: string | null): Promise<void> {
    await this.close(manager, runId, 'discarded', problem);
  }

  /** The text that waits for an owner's decision, locked. */
  async findWaiting(manager: EntityManager, articleId: string): Promise<RefreshRow | undefined> {
    return rowOf<RefreshRow>(manager, `select ${columns} from article_refreshes where article_id = $1 and state = 'waiting' for update`, [
      articleId,
    ]);
  }

  /** Why a text may not be sent, whoever approves it; null when it may. */
  refusalOf(refresh: RefreshRow, { tags }: CustomerArticleRow): string | null {
    const unsafe = unsafeTermsIn({ ...refresh, tags });
    return unsafe.length > 0 ? customerTexts.words(unsafe) : null;
  }

  private async close(manager: EntityManager, runId: string, state: 'failed' | 'discarded', problem: string | null): Promise<void> {
    const now = this.clock.now();
    const closed = await rowOf<{ article_id: string; reasons: string[] }>(
      manager,
      `update article_refreshes set state = $2, problem = $3, until = null, mail_due_at = null, updated_at = $4
       where run_id = $1 and state in ('writing', 'waiting') returning article_id, reasons`,
      [runId, state, problem, now],
    );
    if (!closed) return;
    await manager.query(
      `update refresh_proposals set state = $3, decided_at = case when $3 = 'dismissed' then $4::timestamptz end, updated_at = $4
       where article_id = $1 and reason = any($2) and state = 'accepted'`,
      [closed.article_id, closed.reasons, state === 'failed' ? 'proposed' : 'dismissed', now],
    );
  }

  private endOf(run: RunRow, written: WrittenArticle, claims: readonly DoubtfulClaim[], automation: AutomationCopy) {
    const end = this.articles.endOf(run, written, claims, automation);
    const { writtenIn } = run.steps.refresh ?? {};
    if (end.state === 'needs_review' || writtenIn === undefined) return end;
    // The reason for which the text was written is mended by its title and headings at least.
    const { text } = articleFromHtml(written.html);
    const headings = { blocks: text.blocks.filter(({ kind }) => kind === 'heading') };
    const now = Number(dayInBrasilia(this.clock.now()).slice(0, 4));
    const stale = staleYearOf({ title: written.fields.title, text: headings }, { writtenIn, now });
    return stale ? { state: 'needs_review' as const, code: 'gate' as const, reason: refreshTexts.staleYear(stale.year) } : end;
  }

  private async wait(manager: EntityManager, runId: string, problem: string | null, isMailed: boolean): Promise<void> {
    const now = this.clock.now();
    const until = this.articles.untilFrom(now);
    await manager.query(
      `update article_refreshes set state = 'waiting', problem = $2, until = $3, mail_due_at = $4, updated_at = $5 where run_id = $1`,
      [runId, problem ?? refreshTexts.waiting(dateInBrasilia(until)), until, isMailed ? now : null, now],
    );
  }
}
