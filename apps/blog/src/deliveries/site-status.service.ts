import { pluginStatusAnswer } from '@decola/contracts';
import { rowsOf } from '@decola/database';
import { Clock } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { z } from 'zod';
import { messageId } from '../signatures/message-id.js';
import { sign } from '../signatures/sign.js';
import { audienceOf } from '../sites/doors.js';
import { SiteCalls } from '../sites/site-calls.service.js';
import { siteProblemTexts } from '../texts/delivery-texts.js';
import { SigningTokensService } from '../tokens/signing-tokens.service.js';
import type { DeliveryRow } from './delivery-row.js';
import { DeliveryOutcomes } from './delivery-outcomes.service.js';
import { type SiteRow, SiteTurns } from '../sites/site-turns.service.js';

const dayMs = 24 * 60 * 60 * 1000;
/** How long an article is asked about after it was delivered. */
const askedDays = 90;
/** Articles of one question. */
const atOnce = 50;
/** Articles that are due so soon are asked about along. */
const soonMs = dayMs / 2;

/** A delivery whose article a site is asked about. */
export type AskedDelivery = Pick<DeliveryRow, 'id' | 'article_id' | 'state'> & { status_at: Date };

/** The question about articles, always in the same order. */
export const statusQuestion = (host: string, due: readonly { article_id: string }[]) => ({
  host,
  article_ids: due.map(({ article_id: id }) => id).sort(),
});

/** What a plugin answers about an article. */
type ArticleOnSite = z.infer<typeof pluginStatusAnswer>['articles'][number];

/** Asks a site once a day what became of the articles there: drafts that were published, edits, the trash. */
@Injectable()
export class SiteStatus {
  constructor(
    private readonly dataSource: DataSource,
    private readonly turns: SiteTurns,
    private readonly calls: SiteCalls,
    private readonly tokens: SigningTokensService,
    private readonly outcomes: DeliveryOutcomes,
    private readonly clock: Clock,
  ) {}

  async ask(site: SiteRow): Promise<void> {
    const at = this.clock.now();
    const due = await this.dueAt(site, at);
    const articles = await this.statesOf(site, due, at);
    await this.turns.store(site, (manager) => this.applyAll(manager, { due, articles, at }));
  }

  /** Deliveries whose articles one question is about. */
  dueAt(site: Pick<SiteRow, 'id'>, at: Date): Promise<AskedDelivery[]> {
    return rowsOf<AskedDelivery>(
      this.dataSource.manager,
      `select id, article_id, state, status_at from deliveries where site_id = $1 and status_at <= $2 order by status_at, id limit ${atOnce}`,
      [site.id, new Date(at.getTime() + soonMs)],
    );
  }

  /** Stores what the site's plugin answered, and when it is asked again. @param articles undefined: it did not say */
  async applyAll(
    manager: EntityManager,
    { due, articles, at }: { due: readonly AskedDelivery[]; articles: readonly ArticleOnSite[] | undefined; at: Date },
  ): Promise<void> {
    const present = await rowsOf<Pick<DeliveryRow, 'id' | 'article_id' | 'state'>>(
      manager,
      'select id, article_id, state from deliveries where id = any($1::uuid[]) order by id for update',
      [due.map(({ id }) => id)],
    );
    for (const delivery of present) {
      // It was sent again meanwhile.
      if (delivery.state !== due.find(({ id }) => id === delivery.id)?.state) continue;
      const found = articles?.find(({ article_id: id }) => id === delivery.article_id);
      if (found) await this.apply(manager, delivery, found, at);
    }
    await manager.query(
      `update deliveries set status_at = case when published_at > $2::timestamptz - interval '${askedDays} days' and state <> 'withdrawn' then $3::timestamptz end
       where id = any($1::uuid[])`,
      [due.map(({ id }) => id), at, new Date(at.getTime() + dayMs)],
    );
  }

  /** @returns undefined when the site does not say; then it is asked again the next day */
  private async statesOf(site: SiteRow, due: readonly { article_id: string }[], at: Date) {
    const tokens = await this.tokens.of(this.dataSource.manager, site.user_id);
    if (!tokens || site.door === null || site.kind !== 'plugin' || due.length === 0) return undefined;
    const body = JSON.stringify({
      type: 'article.status',
      timestamp: at.toISOString(),
      data: statusQuestion(audienceOf(site.door), due),
    });
    const signing = tokens.previous === null ? [tokens.current] : [tokens.current, tokens.previous];
    const id = messageId('article.status', site.id, at.toISOString());
    const { judgement } = await this.calls.post(site.door, sign({ id, body, at }, signing));
    return judgement.ok ? pluginStatusAnswer.safeParse(judgement.json).data?.articles : undefined;
  }

  private async apply(
    manager: EntityManager,
    delivery: Pick<DeliveryRow, 'id' | 'state'>,
    { state, edited, url }: ArticleOnSite,
    at: Date,
  ): Promise<void> {
    // A delivery that is on its way again says more than the site.
    if (!['accepted', 'published', 'seen', 'not_seen', 'edited_by_owner'].includes(delivery.state)) return;
    if (state === 'trash' || state === 'deleted') {
      await this.outcomes.withdrawn(manager, delivery as DeliveryRow, siteProblemTexts.trashed());
    } else if (edited && delivery.state !== 'edited_by_owner') {
      await this.outcomes.edited(manager, delivery as DeliveryRow);
    } else if (state === 'publish' && delivery.state === 'accepted') {
      await manager.query(
        `update deliveries set state = 'published', public_url = coalesce($2, public_url), look_at = $3, published_at = $3, looks = 0, updated_at = $3 where id = $1`,
        [delivery.id, url ?? null, at],
      );
    } else if (delivery.state === 'not_seen') {
      // Perhaps it is there by now: one look that counts as the last.
      await manager.query('update deliveries set look_at = $2 where id = $1', [delivery.id, at]);
    } else if (state === 'draft' && (delivery.state === 'published' || delivery.state === 'seen')) {
      await manager.query(
        `update deliveries set state = 'accepted', code = null, reason = null, look_at = null, updated_at = $2 where id = $1`,
        [delivery.id, at],
      );
    }
  }
}
