import { setImmediate as yieldToRequests } from 'node:timers/promises';
import { shinglesOf } from '@decola/contracts';
import { rowsOf } from '@decola/database';
import { RecentMap } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { textOfHtml } from '../articles/article-text.js';
import type { TopicScope } from '../topics/topic-memory.service.js';

/** Most articles that a new one is compared with, newest first. */
const mostCompared = 200;
/** Articles whose comparison values are kept in memory: a thousand numbers each. */
const mostKept = 500;

export interface EarlierArticle {
  id: string;
  title: string;
  slug: string;
}

/** An article that a new one may not repeat word for word. */
export interface ComparedArticle {
  title: string;
  shingles: ReadonlySet<number>;
}

interface ArticleOfTable {
  id: string;
  title: string;
  updated_at: Date;
}

/** Earlier articles, which a new one may link to and may not repeat. */
@Injectable()
export class EarlierArticles {
  /** Shingles by article, valid while the article was not changed: reading them from HTML costs milliseconds each. */
  private readonly shingles = new RecentMap<string, { changedAt: number; shingles: ReadonlySet<number> }>(mostKept);

  constructor(private readonly dataSource: DataSource) {}

  /** Titles of all that readers of our own blog can find, newest first. */
  async published(): Promise<EarlierArticle[]> {
    return rowsOf(this.dataSource, 'select id, title, slug from blog_articles where published order by created_at desc limit 1000');
  }

  /** Word for word comparison values of the newest articles of our own blog, drafts too. */
  async ofOwnBlog(): Promise<ComparedArticle[]> {
    const articles = await rowsOf<ArticleOfTable>(
      this.dataSource,
      `select id, title, updated_at from blog_articles order by created_at desc limit ${mostCompared}`,
    );
    return this.compared(articles, 'select content from blog_articles where id = $1');
  }

  /** Titles of an owner's articles of a site, newest first. @param exceptRun whose own article is left out; null for none */
  async titlesOfCustomer({ userId, siteKey }: TopicScope, exceptRun: string | null): Promise<{ title: string }[]> {
    return rowsOf(
      this.dataSource,
      `select title from customer_articles where user_id = $1 and site_key = $2 and run_id is distinct from $3::uuid
       order by created_at desc limit 1000`,
      [userId, siteKey, exceptRun],
    );
  }

  /** The same values of an owner's newest articles of a site, without those that the owner did not want. */
  async ofCustomer({ userId, siteKey }: TopicScope, exceptRun: string | null): Promise<ComparedArticle[]> {
    const articles = await rowsOf<ArticleOfTable>(
      this.dataSource,
      `select id, title, updated_at from customer_articles where user_id = $1 and site_key = $2 and run_id is distinct from $3::uuid
         and state <> 'rejected' order by created_at desc limit ${mostCompared}`,
      [userId, siteKey, exceptRun],
    );
    return this.compared(articles, 'select content_html as content from customer_articles where id = $1');
  }

  private async compared(articles: readonly ArticleOfTable[], content: string): Promise<ComparedArticle[]> {
    const found: ComparedArticle[] = [];
    for (const { id, title, updated_at: at } of articles) {
      const stored = this.shingles.get(id);
      const shingles = stored?.changedAt === at.getTime() ? stored.shingles : await this.read(id, content);
      this.shingles.set(id, { changedAt: at.getTime(), shingles });
      found.push({ title, shingles });
    }
    return found;
  }

  private async read(id: string, content: string): Promise<ReadonlySet<number>> {
    const [row] = await rowsOf<{ content: string }>(this.dataSource, content, [id]);
    await yieldToRequests();
    return shinglesOf(textOfHtml(row?.content ?? ''));
  }
}
