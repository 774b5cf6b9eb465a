import { rowOf } from '@decola/database';
import { Clock, CONFIG } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { BlogConfig } from '../config/config.js';
import { SiteCalls } from '../sites/site-calls.service.js';
import { notSeenTexts } from '../texts/delivery-texts.js';
import { DeliveryOutcomes } from './delivery-outcomes.service.js';
import { type DeliveryRow, findDelivery, findSentArticle, type SentArticle } from './delivery-row.js';
import { judgePage, type NotSeen } from './judge-page.js';
import { type SiteRow, SiteTurns } from '../sites/site-turns.service.js';

/** How many of the last looks pass page caches. */
const looksPastCaches = 2;

/** Reads the public page of an article, until it is there. A young “not found” may be a cache, so only the last look says that it is not. */
@Injectable()
export class Looks {
  constructor(
    private readonly dataSource: DataSource,
    private readonly turns: SiteTurns,
    private readonly calls: SiteCalls,
    private readonly outcomes: DeliveryOutcomes,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<BlogConfig, 'DELIVERY_LOOK_SECONDS'>,
  ) {}

  async look(site: SiteRow, deliveryId: string): Promise<void> {
    const db = this.dataSource.manager;
    const delivery = await findDelivery(db, deliveryId);
    const article = delivery && (await findSentArticle(db, delivery.article_id));
    if (!article || !delivery.public_url || !['published', 'not_seen', 'seen'].includes(delivery.state)) return this.stop(site, deliveryId);
    const url = delivery.public_url;
    const schedule = this.config.DELIVERY_LOOK_SECONDS;
    const isPastCaches = delivery.looks >= schedule.length - looksPastCaches;
    const problem = await this.problemOf(url, article, isPastCaches ? delivery.revision : null);
    await this.turns.store(site, async (manager) => {
      // It was sent again meanwhile: what was seen is of the revision before.
      const same = await rowOf(manager, 'select 1 from deliveries where id = $1 and state = $2 and revision = $3 for update', [
        ...[delivery.id, delivery.state, delivery.revision],
      ]);
      if (!same) return;
      const now = this.clock.now();
      if (problem === null) {
        await manager.query(
          `update deliveries set state = 'seen', code = null, reason = null, seen_at = $2, look_at = null, looks = looks + 1, updated_at = $2 where id = $1`,
          [delivery.id, now],
        );
        if (delivery.state !== 'seen') await this.outcomes.announce(manager, { site, delivery, article, publicUrl: url, seen: true });
        return;
      }
      const next = nextLook(delivery, schedule, now);
      // Whatever keeps our messages out keeps our looks out as well: that says nothing about visitors.
      if (next === null && site.pickup_code !== null && isOfFirewalls(problem)) {
        await manager.query('update deliveries set look_at = null, looks = looks + 1 where id = $1', [delivery.id]);
        return;
      }
      await manager.query(
        next === null
          ? `update deliveries set state = 'not_seen', code = $2, reason = $3, look_at = null, looks = looks + 1, updated_at = $4 where id = $1`
          : `update deliveries set looks = looks + 1, look_at = $2 where id = $1`,
        next === null ? [delivery.id, problem, notSeenTexts[problem], now] : [delivery.id, next],
      );
    });
  }

  /** @param revision also read around page caches, with this revision in the address; null: not */
  private async problemOf(url: string, article: SentArticle, revision: number | null): Promise<NotSeen | 'cache' | null> {
    const read = async (address: string) => judgePage(await this.calls.get(address, 'text/html'), { title: article.title, url });
    const problem = await read(url);
    if (problem === null || revision === null) return problem;
    const fresh = new URL(url);
    fresh.searchParams.set('decola', String(revision));
    return (await read(fresh.href)) === null ? 'cache' : problem;
  }

  private async stop(site: SiteRow, deliveryId: string): Promise<void> {
    await this.turns.store(site, (manager) => manager.query('update deliveries set look_at = null where id = $1', [deliveryId]));
  }
}

const isOfFirewalls = (problem: NotSeen | 'cache'): boolean => problem === 'unreachable' || problem === 'login';

/** When to look again after a look that did not find the article; null after the last one. */
function nextLook({ looks, published_at }: DeliveryRow, schedule: readonly number[], now: Date): Date | null {
  const seconds = schedule[looks + 1];
  if (seconds === undefined || !published_at) return null;
  return new Date(Math.max(published_at.getTime() + seconds * 1_000, now.getTime()));
}
