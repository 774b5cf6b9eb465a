import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type ApprovalAnswer, type DecideByMailBody, type DoneAnswer, isWaitingArticle } from '@decola/contracts';
import { type Database, rowOf } from '@decola/database';
import { Clock } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { approvalMs } from '../customer-articles/customer-articles.service.js';
import { type CustomerArticleRow, readCustomerArticle } from '../customer-articles/customer-article-row.js';
import { approvalTexts } from '../texts/approval-texts.js';
import { ArticleDecisions } from './article-decisions.service.js';

/** How long an opened page may decide. */
const nonceMs = 24 * 60 * 60 * 1000;

interface ApprovalRow {
  article_id: string;
  user_id: string;
  nonce_key: string;
  expires_at: Date;
}

interface Opened {
  approval: ApprovalRow;
  article: CustomerArticleRow;
}

/** 256 bits. */
const tokenPattern = /^[\w-]{43}$/;
const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');

/**
 * Links of mails by which an article is decided without a login. Programs that check mails open every link, and some press what they find: opening one changes
 * nothing and stores nothing, and a decision needs the nonce that the opened page carries.
 */
@Injectable()
export class ApprovalLinks {
  constructor(
    private readonly dataSource: DataSource,
    private readonly decisions: ArticleDecisions,
    private readonly clock: Clock,
  ) {}

  /** Makes a link's token, of which only a hash is stored. */
  async issue(db: Database, { id, user_id: userId }: { id: string; user_id: string }): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    const now = this.clock.now();
    await db.query(
      'insert into approvals (user_id, article_id, token_hash, nonce_key, expires_at, created_at) values ($1, $2, $3, $4, $5, $6)',
      [userId, id, hashOf(token), randomBytes(32).toString('base64url'), new Date(now.getTime() + approvalMs), now],
    );
    return token;
  }

  /** What the page of a link shows. */
  async page(token: string): Promise<ApprovalAnswer> {
    const opened = await this.open(token);
    if (!opened) return { state: 'unknown' };
    const { approval, article } = opened;
    const { title, decision, state, approval_until: until } = article;
    const now = this.clock.now();
    if (!isWaitingArticle(state))
      return decision === null || state === 'expired' ? { state: 'expired', title } : { state: 'decided', title, decision };
    if (approval.expires_at <= now || !until || until <= now) return { state: 'expired', title };
    const wasChanged = await rowOf(this.dataSource.manager, `select 1 from article_runs where id = $1 and steps->>'change' is not null`, [
      article.run_id,
    ]);
    return {
      state: 'open',
      article: {
        ...{ title, contentHtml: article.content_html, excerpt: article.excerpt, category: article.category, tags: article.tags },
        ...{ image: article.image, claims: article.claims, siteKey: article.site_key, publishMode: article.publish_mode },
      },
      reason: article.reason,
      until: until.toISOString(),
      canChange: wasChanged === undefined,
      nonce: nonceOf(opened, new Date(now.getTime() + nonceMs)),
    };
  }

  /** Decides the article of a link. */
  async decide(token: string, { decision, note, nonce }: DecideByMailBody): Promise<DoneAnswer> {
    const opened = await this.open(token);
    if (!opened) return { success: false, error: approvalTexts.linkUnknown };
    const { approval, article } = opened;
    const read = readNonce(opened, nonce, this.clock.now());
    if (approval.expires_at <= this.clock.now() || read === null) return { success: false, error: approvalTexts.linkOld };
    return this.decisions.decide({ userId: article.user_id, articleId: article.id, decision, note: note ?? null, revision: read.revision });
  }

  private async open(token: string): Promise<Opened | undefined> {
    if (!tokenPattern.test(token)) return undefined;
    const approval = await rowOf<ApprovalRow>(
      this.dataSource.manager,
      'select article_id, user_id, nonce_key, expires_at from approvals where token_hash = $1',
      [hashOf(token)],
    );
    const article = approval && (await readCustomerArticle(this.dataSource, approval.article_id));
    return approval && article && { approval, article };
  }
}

const macOf = ({ approval }: Opened, revision: number, until: number): string =>
  createHmac('sha256', approval.nonce_key).update(`${approval.article_id}.${revision}.${until}`).digest('base64url');

/** Names the revision that the page shows, so that nobody approves a text that they have not seen. */
function nonceOf(opened: Opened, until: Date): string {
  const { revision } = opened.article;
  return `${revision}.${until.getTime()}.${macOf(opened, revision, until.getTime())}`;
}

/** @returns what the nonce of a page says; null when it is not ours, or too old */
function readNonce(opened: Opened, nonce: string, now: Date): { revision: number } | null {
  const [revision, until, mac, ...more] = nonce.split('.');
  if (!revision || !until || !mac || more.length > 0) return null;
  const [given, expected] = [mac, macOf(opened, Number(revision), Number(until))].map((text) => Buffer.from(text));
  if (given!.length !== expected!.length || !timingSafeEqual(given!, expected!)) return null;
  return Number(until) > now.getTime() ? { revision: Number(revision) } : null;
}
