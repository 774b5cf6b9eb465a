import { containsSession, type DoneAnswer, misplacedSessionText, plainText, type UpdateArticleBody } from '@decola/contracts';
import { lockIds } from '@decola/messaging';
import { Clock } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { articleFromHtml } from '../articles/article-html.js';
import { redeliver } from '../deliveries/open-delivery.js';
import { customerTexts } from '../texts/customer-texts.js';
import { keepRevision } from '../customer-articles/customer-article-revisions.js';
import { type CustomerArticleRow, findCustomerArticle } from '../customer-articles/customer-article-row.js';
import { isErased } from '../customer-articles/customer-articles.service.js';
import { remainingClaims } from '../customer-articles/doubtful-claims.js';
import { unsafeTermsIn } from '../customer-articles/safe-words.js';

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();
const refused = (error: string): DoneAnswer => ({ success: false, error });

/** Changes of owners to their articles. */
@Injectable()
export class ArticleEdits {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Stores a new revision of an article, and keeps the one before. Sites that have the article get the new one. */
  update(userId: string, body: UpdateArticleBody): Promise<DoneAnswer> {
    return this.dataSource.transaction(async (manager) => {
      await lockIds(manager, [userId]);
      const article = await findCustomerArticle(manager, { id: body.articleId, userId });
      if (!article || (await isErased(manager, userId))) return refused(customerTexts.notFound);
      if (article.state === 'rewriting') return refused(customerTexts.rewriting);
      if (article.state === 'rejected' || article.state === 'expired') return refused(customerTexts.notEditable);
      const changed = changedArticle(article, body);
      return 'error' in changed ? refused(changed.error) : this.store(manager, article, changed);
    });
  }

  private async store(manager: EntityManager, before: CustomerArticleRow, after: Changed): Promise<DoneAnswer> {
    const isSame =
      after.title === before.title &&
      after.content_html === before.content_html &&
      Object.entries(after.meta).every(([name, value]) => before.meta[name as keyof typeof before.meta] === value);
    if (isSame) return { success: true };
    const now = this.clock.now();
    await keepRevision(manager, before, 'edited', now);
    await manager.query(
      `update customer_articles set revision = revision + 1, title = $2, content_html = $3, meta = $4, claims = $5, updated_at = $6 where id = $1`,
      [before.id, after.title, after.content_html, JSON.stringify(after.meta), JSON.stringify(after.claims), now],
    );
    await manager.query('update article_runs set title = $2, updated_at = $3 where id = $1', [before.run_id, after.title, now]);
    if (before.state === 'approved') await redeliver(manager, before.id, now);
    return { success: true };
  }
}

type Changed = Pick<CustomerArticleRow, 'title' | 'content_html' | 'meta' | 'claims'>;

/** The article with a change, its HTML cleaned; or why the change is refused. */
function changedArticle(before: CustomerArticleRow, { title, content_html: html, meta }: UpdateArticleBody): Changed | { error: string } {
  if (containsSession({ title, html, ...meta })) return { error: misplacedSessionText };
  const { html: clean, text } =
    html == null ? { html: before.content_html, text: null } : articleFromHtml(html, { site: `https://${before.site_key}` });
  const changed: Changed = {
    title: title == null ? before.title : oneLine(title),
    content_html: clean,
    meta: {
      metaTitle: meta?.metaTitle == null ? before.meta.metaTitle : oneLine(meta.metaTitle),
      metaDescription: meta?.metaDescription == null ? before.meta.metaDescription : oneLine(meta.metaDescription),
      focusKeyword: meta?.focusKeyword == null ? before.meta.focusKeyword : oneLine(meta.focusKeyword),
    },
    claims: text ? remainingClaims(before.claims, plainText(text)) : before.claims,
  };
  if (changed.title === '') return { error: customerTexts.titleEmpty };
  if (text && oneLine(plainText(text)) === '') return { error: customerTexts.contentEmpty };
  const unsafe = unsafeTermsIn({ ...changed, tags: before.tags });
  return unsafe.length > 0 ? { error: customerTexts.words(unsafe) } : changed;
}
