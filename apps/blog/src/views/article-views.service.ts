import { createHmac, randomBytes } from 'node:crypto';
import { productTimeZone } from '@decola/contracts';
import { type Database, rowOf } from '@decola/database';
import { type Caller, Clock, isAdminMaster, Logger, periodically, type PeriodicWork } from '@decola/service-kit';
import type { FunctionClient } from '@decola/table-api';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { isCountableProgram } from './countable-views.js';

const countEveryMs = 5_000;
const forgetEveryMs = 10 * 60 * 1_000;
/** Rows of one statement, so that nobody waits long for it. */
const batchRows = 5_000;
const saltBytes = 32;
/** Key of the advisory lock of the replica that counts. */
const countingLock = 7_333_001;
/** Marks and salts of earlier days than yesterday are deleted, so each is gone after 48 hours. */
const keptDays = 1;

/** Writes a day as `2026-11-22`. */
const dayFormat = new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone: productTimeZone });

/** Who reports a view. */
export interface Viewer {
  caller: Caller;
  client: FunctionClient;
}

/**
 * Counts the readers of articles: each once a day and article. A reader is an HMAC of network and program by the salt of the day, so nobody can be followed
 * from one day to the next, and no address is stored. A view only inserts a mark; marks are added to the articles every few seconds, so that readers of the
 * same article never wait for each other.
 */
@Injectable()
export class ArticleViews implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private works: PeriodicWork[] = [];
  private salt: { day: string; bytes: Buffer } | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.works = [
      periodically(() => this.count(), {
        intervalMs: countEveryMs,
        onError: (error) => this.logger.warn({ err: error }, 'views of articles could not be added up; they are kept for the next time'),
      }),
      periodically(() => this.forget(), {
        intervalMs: forgetEveryMs,
        onError: (error) => this.logger.warn({ err: error }, 'marks of old views could not be deleted; tried again soon'),
      }),
    ];
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.works.map((work) => work.stop()));
  }

  /** Marks a view of a published article. Unknown slugs, bots, those who write the blog, and a second view on the same day change nothing. */
  async viewed(db: Database, slug: string, { caller, client }: Viewer): Promise<void> {
    // PostgreSQL has no texts with this character.
    if (slug.includes('\0') || isAdminMaster(caller) || !isCountableProgram(client.userAgent)) return;
    const day = this.today();
    const visitor = createHmac('sha256', await this.saltOf(db, day))
      .update(JSON.stringify([client.network, client.userAgent]))
      .digest();
    await db.query(
      `insert into article_view_marks (article_id, day, visitor) select id, $2, $3 from blog_articles where slug = $1 and published
       on conflict do nothing`,
      [slug, day, visitor],
    );
  }

  /** Adds marks to the articles' numbers, each exactly once. Another replica that does it at the same time leaves it to this one. */
  async count(): Promise<void> {
    for (;;) {
      const counted = await this.dataSource.transaction(async (manager) => {
        const lock = await rowOf<{ held: boolean }>(manager, 'select pg_try_advisory_xact_lock($1) as held', [countingLock]);
        if (!lock?.held) return 0;
        const result = await rowOf<{ counted: number }>(
          manager,
          `with counted as (
             update article_view_marks m set is_counted = true
             from (select article_id, day, visitor from article_view_marks where not is_counted limit ${batchRows}) o
             where (m.article_id, m.day, m.visitor) = (o.article_id, o.day, o.visitor) returning m.article_id),
           sums as (select article_id, count(*)::integer as views from counted group by article_id),
           added as (update blog_articles a set view_count = a.view_count + s.views from sums s where a.id = s.article_id)
           select coalesce(sum(views), 0)::integer as counted from sums`,
        );
        return result?.counted ?? 0;
      });
      if (counted < batchRows) return;
    }
  }

  /** Deletes marks and salts of earlier days than yesterday. */
  async forget(): Promise<void> {
    // What is not counted yet would be lost with its mark.
    await this.count();
    const today = this.today();
    if (this.salt?.day !== today) this.salt = undefined;
    for (const table of ['article_view_marks', 'view_salts'])
      await this.dataSource.query(`delete from ${table} where day < $1::date - ${keptDays}`, [today]);
  }

  private today(): string {
    return dayFormat.format(this.clock.now());
  }

  /** The same for all replicas: whoever sees the first view of a day makes it. It is kept in memory once it is certain to be stored. */
  private async saltOf(db: Database, day: string): Promise<Buffer> {
    if (this.salt?.day === day) return this.salt.bytes;
    const find = () => rowOf<{ salt: Buffer }>(db, 'select salt from view_salts where day = $1', [day]);
    const known = await find();
    if (known) {
      this.salt = { day, bytes: known.salt };
      return known.salt;
    }
    await db.query('insert into view_salts (day, salt) values ($1, $2) on conflict do nothing', [day, randomBytes(saltBytes)]);
    return (await find())!.salt;
  }
}
