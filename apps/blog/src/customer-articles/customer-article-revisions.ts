import { createHash, randomUUID } from 'node:crypto';
import type { Database } from '@decola/database';
import type { CustomerArticleRow } from './customer-article-row.js';

/** So many revisions of an article are kept. */
const mostRevisions = 20;

/** Keeps what an article says, before its owner or a rewriting changes it. */
export async function keepRevision(db: Database, article: CustomerArticleRow, cause: 'edited' | 'rewritten', at: Date): Promise<void> {
  const { title, content_html, excerpt, meta } = article;
  const content = JSON.stringify({ title, content_html, excerpt, meta });
  await db.query(
    `insert into article_revisions (article_id, revision, origin, content, cause, change_id, after_hash, created_at)
     values ($1, $2, 'customer', $3, $4, $5, $6, $7)`,
    [article.id, article.revision, content, cause, randomUUID(), createHash('sha256').update(content).digest('hex'), at],
  );
  await db.query('delete from article_revisions where article_id = $1 and revision <= $2', [article.id, article.revision - mostRevisions]);
}
