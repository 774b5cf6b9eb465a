import { articleImage, type ArticleImage, type MigrateBlogImagesAnswer, type PictureLeft, pictureOf } from '@decola/contracts';
import { DIRECT_DATABASE_URL, rowOf, rowsOf, withSessionLock } from '@decola/database';
import { Logger } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { imageMigrationTexts, pictureRefusalTexts } from '../texts/images-texts.js';
import { addressTaskOf, contentPicturesOf, type PictureTask } from './content-pictures.js';
import { PictureRefusedError } from './images.errors.js';
import { Pictures, type StoredPicture } from './pictures.service.js';

/** When no further picture is begun. A download and an encoding still fit into the gateway's time. */
const defaultBudgetMs = 100_000;
const maxLeft = 100;
/** Key of the advisory lock that lets one replica migrate at a time: the first characters of "images". */
const migrationLock = 0x696d6167;

interface ArticleRow {
  id: string;
  title: string;
  content: string;
  featured_image: string | null;
  image: unknown;
}

interface Counts {
  migrated: number;
  errors: number;
  total: number;
  left: PictureLeft[];
}

/** What is known about pictures that were tried in one call, by their address: the same picture may be in several articles. */
type Known = Map<string, StoredPicture | PictureRefusedError>;

/**
 * Brings the pictures of all articles here: those inside the text, those of other sites, and ours without size or text. What could not be had stays as it is
 * and is tried again by the next call; what was migrated needs nothing any more.
 */
@Injectable()
export class ImageMigration {
  constructor(
    private readonly dataSource: DataSource,
    private readonly pictures: Pictures,
    private readonly logger: Logger,
    @Inject(DIRECT_DATABASE_URL) private readonly directUrl: string,
  ) {}

  async migrate({ budgetMs = defaultBudgetMs }: { budgetMs?: number } = {}): Promise<MigrateBlogImagesAnswer> {
    const counts = await withSessionLock(this.directUrl, migrationLock, () => this.migrateAll(performance.now() + budgetMs));
    if (!counts) return { success: false, error: imageMigrationTexts.isRunning };
    this.logger.info({ migrated: counts.migrated, errors: counts.errors, total: counts.total }, 'pictures of articles were migrated');
    return { success: true, ...counts };
  }

  private async migrateAll(deadline: number): Promise<Counts> {
    const counts: Counts = { migrated: 0, errors: 0, total: 0, left: [] };
    const known: Known = new Map();
    const articles = await rowsOf<{ id: string }>(
      this.dataSource.manager,
      `select id from blog_articles where featured_image is not null or content ~* '<img' order by created_at desc, id`,
    );
    // One article at a time is in memory: older ones have megabytes of pictures in their text.
    for (const { id } of articles) await this.migrateArticle(id, deadline, counts, known);
    return counts;
  }

  private async migrateArticle(id: string, deadline: number, counts: Counts, known: Known): Promise<void> {
    const article = await rowOf<ArticleRow>(
      this.dataSource.manager,
      'select id, title, content, featured_image, image from blog_articles where id = $1',
      [id],
    );
    if (!article) return;
    const content = contentPicturesOf(article.content);
    const coverTask = coverTaskOf(article);
    counts.total += content.pictures.length + (coverTask ? 1 : 0);
    /** @returns the picture to show from now on; null when the old one stays */
    const attempt = async (task: PictureTask): Promise<StoredPicture | null> => {
      if (performance.now() >= deadline) return null;
      const picture = await this.carryOut(task, known);
      if (picture instanceof PictureRefusedError) {
        counts.errors += 1;
        if (counts.left.length < maxLeft) counts.left.push(leftOf(article, task, picture));
        return null;
      }
      return picture;
    };
    const coverPicture = coverTask && (await attempt(coverTask));
    const cover: ArticleImage | null = coverPicture && { ...coverPicture, alt: altOf(article), origin: 'stored' };
    let replaced = 0;
    for (const { task, replace } of content.pictures) {
      const picture = await attempt(task);
      if (!picture) continue;
      replace(picture, article.title);
      replaced += 1;
    }
    if (!cover && replaced === 0) return;
    const html = replaced > 0 ? content.html() : article.content;
    if (await this.save(article, html, cover)) counts.migrated += replaced + (cover ? 1 : 0);
  }

  /** @returns whether the article is still as it was read. One that somebody has changed meanwhile waits for the next call. */
  private async save(article: ArticleRow, html: string, cover: ArticleImage | null): Promise<boolean> {
    const saved = await rowOf(
      this.dataSource.manager,
      `update blog_articles set content = $2, featured_image = coalesce($3, featured_image), image = coalesce($4, image)
       where id = $1 and content = $5 and featured_image is not distinct from $6 returning id`,
      [article.id, html, cover?.src ?? null, cover && JSON.stringify(cover), article.content, article.featured_image],
    );
    return saved !== undefined;
  }

  private async carryOut(task: PictureTask, known: Known): Promise<StoredPicture | PictureRefusedError> {
    const address = addressOf(task);
    // Pictures inside a text are their own address, of megabytes; they are not remembered.
    const isShort = address.length < 2_000;
    const earlier = isShort ? known.get(address) : undefined;
    if (earlier) return earlier;
    const outcome = await this.pictureOf(task).catch((error: unknown) => {
      if (error instanceof PictureRefusedError) return error;
      throw error;
    });
    if (isShort) known.set(address, outcome);
    return outcome;
  }

  private async pictureOf(task: PictureTask): Promise<StoredPicture> {
    if (task.kind === 'store') return this.pictures.storeFrom(task.source);
    if (task.kind === 'path' && !(await this.pictures.has(task.address))) return this.pictures.storeFrom(task.source);
    return this.pictures.measure(task.address);
  }
}

/** The picture's address as the article has it. */
const addressOf = (task: PictureTask): string => (task.kind === 'measure' ? task.address : task.source);

function coverTaskOf({ featured_image: address, image }: ArticleRow): PictureTask | null {
  if (address === null) return null;
  const task = addressTaskOf(address);
  if (task) return task;
  const facts = articleImage.safeParse(image);
  if (facts.success && facts.data.src === address) return null;
  return pictureOf(address) ? { kind: 'measure', address } : null;
}

const altOf = ({ title, image }: ArticleRow) => {
  const facts = articleImage.safeParse(image);
  return facts.success && facts.data.alt !== '' ? facts.data.alt : title;
};

function leftOf({ id, title }: ArticleRow, task: PictureTask, { reason }: PictureRefusedError): PictureLeft {
  return { articleId: id, title, name: nameOf(addressOf(task)), reason: pictureRefusalTexts[reason] };
}

/** The last part of an address, short enough for a list. */
function nameOf(address: string): string {
  if (/^data:/i.test(address)) return imageMigrationTexts.inText;
  const url = new URL(address, 'https://here.invalid');
  const last = url.pathname.split('/').findLast((part) => part !== '') ?? url.hostname;
  return last.slice(-80);
}
