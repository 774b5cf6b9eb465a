import { type DoubtfulClaim, siteKeyOf } from '@decola/contracts';
import { type Database, rowOf } from '@decola/database';
import { Clock, CONFIG } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { BlogConfig } from '../config/config.js';
import { openDelivery } from '../deliveries/open-delivery.js';
import { approvalTexts } from '../texts/approval-texts.js';
import { customerDisclosure } from '../texts/customer-texts.js';
import { runTexts } from '../texts/writing-texts.js';
import type { RunEnd } from '../runs/run-end.js';
import type { WrittenArticle } from '../runs/written-article.js';
import type { AutomationCopy } from '../blog-automations/automation-copy.js';
import { dateInBrasilia } from '../calendar/brasilia.js';
import { brokenRules, qualityOf } from '../runs/run-quality.js';
import type { RunRow } from '../runs/run-row.js';
import { keepRevision } from './customer-article-revisions.js';
import { type CustomerArticleRow, findCustomerArticle } from './customer-article-row.js';
import { doubtfulClaims } from './doubtful-claims.js';

/** An owner who does not decide in this time does not want the article. */
export const approvalMs = 7 * 24 * 60 * 60 * 1000;

/** Rules whose remarks are doubts about what an article says, not about its form. */
const doubtfulRules: ReadonlySet<string> = new Set(['advice', 'words']);

/** Stores articles for customers' sites: one for each run. They never stand among the articles of our own blog. */
@Injectable()
export class CustomerArticles {
  constructor(
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: BlogConfig,
  ) {}

  /**
   * Stores the finished article of a run, or its new text. What its owner does not want to see is approved, and its delivery opened.
   * @returns how the run ends; undefined when the automation names no site any more
   */
  async finish(manager: EntityManager, run: RunRow, written: WrittenArticle, automation: AutomationCopy): Promise<RunEnd | undefined> {
    const siteKey = siteKeyOf(automation.webhookUrl ?? '');
    if (siteKey === null) return undefined;
    const { fields, report } = written;
    const claims = doubtfulClaims(run.steps.review, written.text);
    const end = this.endOf(run, written, claims, automation);
    const isWaiting = end.state !== 'approved';
    const now = this.clock.now();
    const id = await this.store(manager, run, {
      ...{
        siteKey,
        title: fields.title,
        slug: fields.slug,
        excerpt: fields.excerpt,
        tags: fields.tags,
        category: written.category,
        claims,
        now,
      },
      content: automation.settings.disclosure ? `${written.html}\n<p><em>${customerDisclosure}</em></p>` : written.html,
      meta: { metaTitle: fields.metaTitle, metaDescription: fields.metaDescription, focusKeyword: fields.focusKeyword },
      image: run.steps.cover && run.steps.cover !== 'none' ? run.steps.cover.image : null,
      quality: qualityOf(report),
      publishMode: automation.settings.publishMode ?? 'publish',
      state: end.state,
      reason: end.reason,
      until: isWaiting ? new Date(now.getTime() + approvalMs) : null,
      isMailed: isWaiting && automation.settings.approval !== 'never',
    });
    if (!isWaiting) await this.deliver(manager, { id, user_id: run.user_id, blog_automation_id: automation.id }, automation.webhookUrl!);
    return { ...end, article: { id, title: fields.title }, quality: qualityOf(report) };
  }

  /** Lets an article wait for its owner again whose rewriting failed. @returns how the run ends; undefined when there is no such article */
  async keepAsItWas(manager: EntityManager, run: RunRow, reason: string): Promise<RunEnd | undefined> {
    const article = await rowOf<{ id: string; title: string }>(
      manager,
      `update customer_articles set state = 'waiting_approval', reason = $2, decision = null, decided_at = null, approval_until = $3, mail_due_at = $4, mails = 0,
         updated_at = $4 where run_id = $1 and state = 'rewriting' returning id, title`,
      [run.id, approvalTexts.notRewritten(reason), this.untilFrom(this.clock.now()), this.clock.now()],
    );
    return article && { state: 'waiting_approval', code: 'approval', reason: approvalTexts.notRewritten(reason), article };
  }

  /** Opens the delivery of an approved article. */
  async deliver(
    manager: EntityManager,
    article: Pick<CustomerArticleRow, 'id' | 'user_id' | 'blog_automation_id'>,
    webhookUrl: string,
  ): Promise<void> {
    await openDelivery(manager, {
      ...{ articleId: article.id, userId: article.user_id, blogAutomationId: article.blog_automation_id, webhookUrl },
      ...{ siteKey: siteKeyOf(webhookUrl)!, at: this.clock.now(), perDay: this.config.ARTICLES_PER_SITE_PER_DAY },
    });
  }

  untilFrom(now: Date): Date {
    return new Date(now.getTime() + approvalMs);
  }

  /** Whether the article may be sent, or waits for its owner. */
  endOf(
    run: RunRow,
    { report }: WrittenArticle,
    claims: readonly DoubtfulClaim[],
    { settings: { approval = 'in_doubt' } }: AutomationCopy,
  ): { state: 'approved' | 'waiting_approval' | 'needs_review'; code: 'approval' | 'gate' | null; reason: string | null } {
    if (!report.passed) return { state: 'needs_review', code: 'gate', reason: runTexts.gate(brokenRules(report)) };
    const hasDoubts = claims.length > 0 || report.soft.some(({ rule }) => doubtfulRules.has(rule));
    // Whoever asked for a change wants to see it.
    const waits = run.steps.change || approval === 'always' || (approval === 'in_doubt' && hasDoubts);
    if (!waits) return { state: 'approved', code: null, reason: null };
    const until = dateInBrasilia(this.untilFrom(this.clock.now()));
    return { state: 'waiting_approval', code: 'approval', reason: approvalTexts.waiting(until) };
  }

  private async store(
    manager: EntityManager,
    run: RunRow,
    article: {
      siteKey: string;
      title: string;
      slug: string;
      content: string;
      excerpt: string;
      category: string | null;
      tags: readonly string[];
      meta: object;
      image: object | null;
      quality: object;
      claims: readonly DoubtfulClaim[];
      publishMode: string;
      state: string;
      reason: string | null;
      until: Date | null;
      isMailed: boolean;
      now: Date;
    },
  ): Promise<string> {
    const before = await findCustomerArticle(manager, { runId: run.id });
    if (before) await keepRevision(manager, before, 'rewritten', article.now);
    const stored = await rowOf<{ id: string }>(
      manager,
      `insert into customer_articles as a (run_id, user_id, blog_automation_id, site_key, title, slug, content_html, excerpt, category, tags, meta, image,
         quality, claims, publish_mode, state, reason, approval_until, mail_due_at, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $20)
       on conflict on constraint customer_articles_once do update set revision = a.revision + 1, title = excluded.title,
         content_html = excluded.content_html, excerpt = excluded.excerpt, meta = excluded.meta, quality = excluded.quality, claims = excluded.claims,
         state = excluded.state, reason = excluded.reason, approval_until = excluded.approval_until, mail_due_at = excluded.mail_due_at, mails = 0,
         decision = null, decided_at = null, updated_at = excluded.updated_at
       returning id`,
      [
        ...[run.id, run.user_id, run.blog_automation_id, article.siteKey, article.title, article.slug, article.content, article.excerpt],
        ...[article.category, article.tags, JSON.stringify(article.meta), article.image && JSON.stringify(article.image)],
        ...[JSON.stringify(article.quality), JSON.stringify(article.claims), article.publishMode, article.state, article.reason],
        ...[article.until, article.isMailed ? article.now : null, article.now],
      ],
    );
    return stored!.id;
  }
}

/** Whether a person was erased: what they ask for meanwhile is done for nobody. */
export async function isErased(db: Database, userId: string): Promise<boolean> {
  return (await rowOf(db, 'select 1 from erased_users where user_id = $1', [userId])) !== undefined;
}
