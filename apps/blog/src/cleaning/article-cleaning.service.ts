import { randomUUID } from 'node:crypto';
import { type CleanArticlesAnswer, countWords, cutAfterWord, fieldLimits, readingMinutes } from '@decola/contracts';
import { rowOf, rowsOf } from '@decola/database';
import { Clock, Logger } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { excerptOfText, textOfHtml } from '../articles/article-text.js';
import { cleaningTexts } from '../texts/cleaning-texts.js';
import { hashOf, reviseArticle, revisedColumnsOf, type RevisedColumns, revisionsOfChange } from './article-revisions.js';
import { repairContent } from './content-repairs.js';

/** When no further article is begun: the gateway gives up after 118 s. */
const defaultBudgetMs = 100_000;

interface ArticleRow extends RevisedColumns {
  id: string;
  title: string;
}

const isBlank = (text: string | null): boolean => text === null || text.trim() === '';

/** Repairs the articles of the product's own blog, and undoes that. Every change keeps what was there before. */
@Injectable()
export class ArticleCleaning {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Cleans all articles. It may be repeated: what is right stays as it is. */
  async clean({ budgetMs = defaultBudgetMs }: { budgetMs?: number } = {}): Promise<CleanArticlesAnswer> {
    const deadline = performance.now() + budgetMs;
    const changeId = randomUUID();
    const articles = await rowsOf<{ id: string }>(this.dataSource.manager, 'select id from blog_articles order by created_at desc, id');
    const isDeadPath = await this.deadPaths();
    const counts = { cleaned: 0, errors: 0, total: articles.length, unfinished: 0 };
    for (const { id } of articles) {
      if (performance.now() >= deadline) {
        counts.unfinished += 1;
        continue;
      }
      try {
        if (await this.dataSource.transaction((manager) => this.cleanArticle(manager, id, changeId, isDeadPath))) counts.cleaned += 1;
      } catch (error) {
        // One article that cannot be cleaned keeps none of the others from it.
        counts.errors += 1;
        this.logger.error({ articleId: id, err: error }, 'an article could not be cleaned');
      }
    }
    this.logger.info({ ...counts, changeId }, 'articles were cleaned');
    return { success: true, ...counts, cleaning_id: counts.cleaned > 0 ? changeId : null };
  }

  /** Gives the articles of a cleaning, or one of them, what they were before, unless somebody has changed them since. */
  async undo(changeId: string, articleId: string | null): Promise<CleanArticlesAnswer> {
    const revisions = await revisionsOfChange(this.dataSource.manager, changeId, articleId);
    if (revisions.length === 0) return { success: false, error: cleaningTexts.nothingToUndo };
    const undoId = randomUUID();
    let cleaned = 0;
    for (const { article_id: id, content: before, after_hash: afterHash } of revisions) {
      const isUndone = await this.dataSource.transaction(async (manager) => {
        const article = await this.lock(manager, id);
        if (!article || hashOf(article) !== afterHash) return false;
        await reviseArticle(manager, id, { before: article, after: before, cause: 'undone', changeId: undoId, at: this.clock.now() });
        return true;
      });
      if (isUndone) cleaned += 1;
    }
    const counts = { cleaned, errors: revisions.length - cleaned, total: revisions.length, unfinished: 0 };
    this.logger.info({ ...counts, changeId }, 'a cleaning of articles was undone');
    return { success: true, ...counts, cleaning_id: cleaned > 0 ? undoId : null };
  }

  private lock(manager: EntityManager, id: string): Promise<ArticleRow | undefined> {
    return rowOf<ArticleRow>(
      manager,
      `select id, title, content, excerpt, read_time, word_count, meta_title, meta_description from blog_articles where id = $1 for update`,
      [id],
    );
  }

  /** @returns whether the article changed */
  private async cleanArticle(
    manager: EntityManager,
    id: string,
    changeId: string,
    isDeadPath: (path: string) => boolean,
  ): Promise<boolean> {
    const before = await this.lock(manager, id);
    if (!before) return false;
    const after = cleanedColumns(before, isDeadPath);
    if (hashOf(after) === hashOf(before)) return false;
    await reviseArticle(manager, id, { before, after, cause: 'cleaned', changeId, at: this.clock.now() });
    return true;
  }

  /** Links to articles that were deleted, withdrawn or never there. An old address of an article that is published leads to it. */
  private async deadPaths(): Promise<(path: string) => boolean> {
    const rows = await rowsOf<{ slug: string }>(
      this.dataSource.manager,
      `select slug from blog_articles where published
       union select s.slug from article_slugs s join blog_articles a on a.id = s.article_id and a.published`,
    );
    const slugs = new Set(rows.map(({ slug }) => slug));
    return (path) => {
      const slug = /^\/blog\/([^/?#]+)\/?(?:[?#].*)?$/.exec(path)?.[1];
      return slug !== undefined && slug !== 'rss.xml' && !slugs.has(slug);
    };
  }
}

/** The columns of an article after its repair: what follows from the text is filled in where it is missing, or where the text changed. */
function cleanedColumns(article: ArticleRow, isDeadPath: (path: string) => boolean): RevisedColumns {
  const content = repairContent(article.content, { title: article.title, isDeadPath });
  const text = textOfHtml(content);
  const words = countWords(text);
  const wasRewritten = content !== article.content;
  const excerpt = isBlank(article.excerpt) ? excerptOfText(text) || null : article.excerpt;
  const description = excerpt === null ? null : cutAfterWord(excerpt, fieldLimits.metaDescription.max);
  return revisedColumnsOf({
    content,
    excerpt,
    word_count: words,
    read_time: wasRewritten || article.read_time === null ? (words === 0 ? null : readingMinutes(words)) : article.read_time,
    meta_title: isBlank(article.meta_title) ? cutAfterWord(article.title, fieldLimits.metaTitle.max) : article.meta_title,
    meta_description: isBlank(article.meta_description) ? description : article.meta_description,
  });
}
