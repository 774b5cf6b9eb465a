import { createHash } from 'node:crypto';
import { type Database, rowsOf } from '@decola/database';

/** The columns of an article that a revision keeps. */
export interface RevisedColumns {
  content: string;
  excerpt: string | null;
  read_time: number | null;
  word_count: number | null;
  meta_title: string | null;
  meta_description: string | null;
}

/** So many revisions of an article are kept. */
const mostRevisions = 20;

const columns = ['content', 'excerpt', 'read_time', 'word_count', 'meta_title', 'meta_description'] as const;

/** The columns of a row that revisions keep, without its others. */
export const revisedColumnsOf = (row: RevisedColumns): RevisedColumns =>
  Object.fromEntries(columns.map((column) => [column, row[column]])) as unknown as RevisedColumns;

/** Tells whether the columns are still as a change left them. */
export const hashOf = (row: RevisedColumns): string =>
  createHash('sha256')
    .update(JSON.stringify(columns.map((column) => row[column])))
    .digest('hex');

/** Writes the columns, and keeps what they were. The article is locked by the caller. */
export async function reviseArticle(
  manager: Database,
  articleId: string,
  {
    before,
    after,
    cause,
    changeId,
    at,
  }: { before: RevisedColumns; after: RevisedColumns; cause: 'cleaned' | 'undone'; changeId: string; at: Date },
): Promise<void> {
  await manager.query(
    `insert into article_revisions (article_id, revision, origin, content, cause, change_id, after_hash, created_at)
     select $1, coalesce(max(revision), 0) + 1, 'editorial', $2, $3, $4, $5, $6 from article_revisions where article_id = $1`,
    [articleId, JSON.stringify(revisedColumnsOf(before)), cause, changeId, hashOf(after), at],
  );
  await manager.query(
    `delete from article_revisions where article_id = $1
     and revision <= (select max(revision) from article_revisions where article_id = $1) - $2`,
    [articleId, mostRevisions],
  );
  await manager.query(
    `update blog_articles set content = $2, excerpt = $3, read_time = $4, word_count = $5, meta_title = $6, meta_description = $7, updated_at = $8
     where id = $1`,
    [articleId, ...columns.map((column) => after[column]), at],
  );
}

/** What the articles of a change were before it. */
export interface KeptRevision {
  article_id: string;
  content: RevisedColumns;
  after_hash: string;
}

export const revisionsOfChange = (db: Database, changeId: string, articleId: string | null): Promise<KeptRevision[]> =>
  rowsOf<KeptRevision>(
    db,
    `select article_id, content, after_hash from article_revisions
     where change_id = $1 and ($2::uuid is null or article_id = $2) and origin = 'editorial' order by article_id`,
    [changeId, articleId],
  );
