import type { ArticleDecision, CustomerArticle } from '@decola/contracts';
import { type Database, rowOf } from '@decola/database';

export interface CustomerArticleRow extends Omit<CustomerArticle, 'approval_until' | 'created_at' | 'updated_at'> {
  decision: ArticleDecision | null;
  approval_until: Date | null;
  mails: number;
}

const columns =
  'id, user_id, blog_automation_id, run_id, site_key, revision, title, slug, content_html, excerpt, category, tags, meta, image, claims, publish_mode, state, reason, decision, approval_until, mails';

/** An article by its run, or by its id and owner, locked until the transaction ends. */
export async function findCustomerArticle(
  db: Database,
  by: { runId: string } | { id: string; userId: string },
): Promise<CustomerArticleRow | undefined> {
  return 'runId' in by
    ? rowOf<CustomerArticleRow>(db, `select ${columns} from customer_articles where run_id = $1 for update`, [by.runId])
    : rowOf<CustomerArticleRow>(db, `select ${columns} from customer_articles where id = $1 and user_id = $2 for update`, [
        by.id,
        by.userId,
      ]);
}

/** An article for reading. */
export async function readCustomerArticle(db: Database, id: string): Promise<CustomerArticleRow | undefined> {
  return rowOf<CustomerArticleRow>(db, `select ${columns} from customer_articles where id = $1`, [id]);
}
