import { randomUUID } from 'node:crypto';
import { articleImage, type GenerateArticleImageAnswer } from '@decola/contracts';
import { rowOf } from '@decola/database';
import { Clock, Logger } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import pTimeout, { TimeoutError } from 'p-timeout';
import { DataSource } from 'typeorm';
import { articleImageTexts } from '../texts/images-texts.js';
import { type Cover, Pictures } from './pictures.service.js';

/** The gateway answers for us after 118 s. */
const defaultWaitMs = 110_000;

interface ArticleRow {
  id: string;
  title: string;
  excerpt: string | null;
  featured_image: string | null;
  image: unknown;
}

/** Makes new covers of articles that exist, for the administrator's button. */
@Injectable()
export class ArticleImages {
  /** Covers that are being made, by article: pressing twice makes one. */
  private readonly underWay = new Map<string, Promise<GenerateArticleImageAnswer>>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly pictures: Pictures,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Waits for the cover as long as the caller's request lives. One that takes longer is stored nevertheless. */
  async generate(articleId: string, userId: string, { waitMs = defaultWaitMs } = {}): Promise<GenerateArticleImageAnswer> {
    const running = this.underWay.get(articleId) ?? this.start(articleId, userId);
    try {
      return await pTimeout(running, { milliseconds: waitMs });
    } catch (error) {
      if (!(error instanceof TimeoutError)) throw error;
      running.catch((late: unknown) => this.logger.error({ err: late, article: articleId }, 'a cover was not made'));
      return { success: false, error: articleImageTexts.takesLonger };
    }
  }

  private start(articleId: string, userId: string): Promise<GenerateArticleImageAnswer> {
    const made = this.make(articleId, userId).finally(() => this.underWay.delete(articleId));
    this.underWay.set(articleId, made);
    return made;
  }

  private async make(articleId: string, userId: string): Promise<GenerateArticleImageAnswer> {
    const article = await rowOf<ArticleRow>(
      this.dataSource.manager,
      'select id, title, excerpt, featured_image, image from blog_articles where id = $1',
      [articleId],
    );
    if (!article) return { success: false, error: articleImageTexts.unknownArticle };
    const cover = await this.coverOf(article, userId);
    if (!cover) return { success: false, error: articleImageTexts.notGenerated };
    const saved = await rowOf(
      this.dataSource.manager,
      'update blog_articles set featured_image = $2, image = $3, updated_at = $4 where id = $1 returning id',
      [articleId, cover.featured_image, JSON.stringify(cover.image), this.clock.now()],
    );
    return saved ? { success: true, imageUrl: cover.featured_image } : { success: false, error: articleImageTexts.unknownArticle };
  }

  /** @returns null when the model failed and the article keeps the picture that it has */
  private async coverOf(article: ArticleRow, userId: string): Promise<Cover | null> {
    const { id, title, excerpt, featured_image: old } = article;
    try {
      const generated = await this.pictures.generate({ title, brief: excerpt, alt: title, runId: null, userId });
      if (generated) return generated;
    } catch (error) {
      this.logger.warn({ err: error, article: id }, 'the model gave no picture');
      if (old !== null && old !== '') return null;
    }
    // Who presses again wants another drawing.
    return this.pictures.draw(isDrawn(article) ? randomUUID() : id);
  }
}

function isDrawn({ featured_image: src, image }: ArticleRow): boolean {
  const facts = articleImage.safeParse(image);
  return facts.success && facts.data.origin === 'drawn' && facts.data.src === src;
}
