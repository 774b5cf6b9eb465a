import { type PickupResult, pickupIntervalSeconds, pluginInventoryAnswer, pluginStatusAnswer } from '@decola/contracts';
import { rowOf, rowsOf } from '@decola/database';
import { Clock, CONFIG } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { BlogConfig } from '../config/config.js';
import { PictureStore } from '../images/picture-store.service.js';
import { messageId } from '../signatures/message-id.js';
import { audienceOf } from '../sites/doors.js';
import { Inventory } from '../sites/inventory.service.js';
import { type Judgement, judgeReply } from '../sites/judge-reply.js';
import { type HandedOperation, solvedByAsking } from '../sites/pick-up.js';
import { sitePickups } from '../sites/site-call-metrics.js';
import { logAttempt, type SiteRow, SiteTurns } from '../sites/site-turns.service.js';
import { deliveryTexts } from '../texts/delivery-texts.js';
import { DeliveryFailures, isAboutPicture, maxPictureTries, type Problem, tooLarge } from './delivery-failures.service.js';
import {
  maxBodyBytes,
  mediaMessage,
  type Message,
  prepareMessage,
  publishMessage,
  sentPicture,
  withdrawMessage,
} from './delivery-messages.js';
import { DeliveryOutcomes } from './delivery-outcomes.service.js';
import { type DeliveryRow, findDelivery, findSentArticle, type SentArticle } from './delivery-row.js';
import { type AskedDelivery, SiteStatus, statusQuestion } from './site-status.service.js';
import { storeResult, SupersededError } from './store-result.js';

const inProgress = ['preparing', 'illustrating', 'publishing'];
/** Deliveries that may end without an operation while one is looked for. */
const mostSkipped = 20;
const excerptLength = 500;

/** An operation for a plugin, and what it is about. */
export interface PickupMessage {
  operation: HandedOperation;
  data: Record<string, unknown>;
}

/**
 * What a plugin that asks is to do next, and what follows from what it did. The steps are those of an attempt by calls (`DeliveryAttempts`), with the same messages
 * and ids, so that either may go on where the other one stopped.
 */
@Injectable()
export class PickupWork {
  constructor(
    private readonly dataSource: DataSource,
    private readonly turns: SiteTurns,
    private readonly pictures: PictureStore,
    private readonly outcomes: DeliveryOutcomes,
    private readonly failures: DeliveryFailures,
    private readonly status: SiteStatus,
    private readonly inventory: Inventory,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<BlogConfig, 'DELIVERY_RETRY_SECONDS' | 'DELIVERY_LEASE_SECONDS' | 'SITE_URL'>,
  ) {}

  /** @returns null when there is nothing to do @throws LostTurnError */
  async next(site: SiteRow): Promise<PickupMessage | null> {
    for (let skipped = 0; skipped < mostSkipped; skipped++) {
      const delivery = await this.begin(site);
      if (!delivery) return this.nextQuestion(site);
      const message = await this.messageOf(site, delivery);
      if (message) return message;
    }
    return null;
  }

  /** Stores what came of an operation. One that the plugin was not handed last is old: its result is stored, or its delivery was ordered anew. */
  async accept(site: SiteRow, { id, status, response }: PickupResult): Promise<void> {
    const operation = site.pickup_operation;
    if (operation?.id !== id) return;
    const body = JSON.stringify(response);
    const judgement = ofPlugin(judgeReply({ status, headers: {}, body, url: `https://${site.site_key}/` }, this.clock.now()));
    sitePickups.inc({ problem: judgement.ok ? 'none' : judgement.code });
    if (operation.delivery) await this.acceptDelivery(site, operation, { judgement, status, body });
    else await this.acceptAnswer(site, operation, judgement);
    site.pickup_operation = null;
  }

  /** Takes the delivery that is to go on: one that is under way, else the oldest that waits for the plugin or only for a call that gets in. */
  private begin(site: SiteRow): Promise<DeliveryRow | undefined> {
    return this.turns.store(site, async (manager) => {
      const now = this.clock.now();
      const chosen = await rowOf<Pick<DeliveryRow, 'id' | 'state' | 'attempt'>>(
        manager,
        `select id, state, attempt from deliveries where site_id = $1 and (
           (next_attempt_at is not null and (next_attempt_at <= $2 or state = 'waiting_pickup' or state = any($3) or (state = 'retrying' and code = any($4))))
           or (state = 'blocked' and code = any($4)))
         order by state = any($3) desc, created_at, id limit 1 for update`,
        [site.id, now, inProgress, solvedByAsking],
      );
      if (!chosen) return undefined;
      await manager.query(
        `update deliveries d set
           attempt = case when d.state = 'blocked' then 1 when d.state = any($4) then d.attempt else d.attempt + 1 end,
           refusals = case when d.state = 'blocked' then 0 else d.refusals end,
           state = case when d.state = any($4) and d.revision = p.revision then d.state when d.operation = 'deliver' then 'preparing' else 'publishing' end,
           steps = case when d.revision = p.revision then d.steps else '{}' end, revision = p.revision, next_attempt_at = $2, updated_at = $3
         from (select coalesce((select a.revision from customer_articles a join deliveries o on o.article_id = a.id where o.id = $1),
                               (select o.revision from deliveries o where o.id = $1)) as revision) p
         where d.id = $1`,
        [chosen.id, new Date(now.getTime() + this.patienceMs(site)), now, inProgress],
      );
      return findDelivery(manager, chosen.id);
    });
  }

  /** How long a delivery stays the plugin's: it may ask again to go on with it. */
  private patienceMs({ pickup_code: code }: SiteRow): number {
    return (code === null ? this.config.DELIVERY_LEASE_SECONDS : 2 * pickupIntervalSeconds) * 1_000;
  }

  /** @returns null when the delivery ended without a message */
  private async messageOf(site: SiteRow, delivery: DeliveryRow): Promise<PickupMessage | null> {
    const article = await findSentArticle(this.dataSource.manager, delivery.article_id);
    if (!article) {
      await this.turns.store(site, (manager) => this.outcomes.cancel(manager, delivery));
      return null;
    }
    // The plugin took what it was handed and never said what came of it.
    if (delivery.attempt > this.config.DELIVERY_RETRY_SECONDS.length + 1) {
      const failure = { site, delivery, article, code: 'refused' as const, reason: deliveryTexts.pickupSilent };
      await this.storeFor(site, delivery, (manager) => this.outcomes.block(manager, failure));
      return null;
    }
    const { type, data } = await this.stepOf(site, delivery, article);
    if (Buffer.byteLength(JSON.stringify(data)) > maxBodyBytes) {
      await this.storeFor(site, delivery, (manager) =>
        this.failures.apply(manager, { site, delivery, article, problem: tooLarge, hasPickup: false }),
      );
      return null;
    }
    if (type === 'article.publish' || type === 'article.withdraw')
      await this.storeFor(site, delivery, (manager) =>
        manager.query(`update deliveries set state = 'publishing', updated_at = $2 where id = $1`, [delivery.id, this.clock.now()]),
      );
    const { id, revision, operation, round } = delivery;
    return {
      operation: {
        ...{ id: messageId(delivery.article_id, type, revision, round), type, at: this.clock.now().toISOString() },
        delivery: { id, revision, operation, round },
      },
      data,
    };
  }

  /** The first step whose result is not stored. */
  private async stepOf(site: SiteRow, delivery: DeliveryRow, article: SentArticle): Promise<Message> {
    const host = hostOf(site);
    if (delivery.operation === 'withdraw') return withdrawMessage(host, article.id);
    if (!delivery.steps.prepared) return prepareMessage(host, article, delivery);
    const picture = delivery.steps.media?.done ? null : sentPicture(article, this.config.SITE_URL);
    if (!picture) return publishMessage(host, article, delivery, false);
    const isTried = (delivery.steps.media?.failures ?? 0) < maxPictureTries;
    const bytes = isTried ? await this.pictures.read(picture.url.slice(picture.url.lastIndexOf('/') + 1)) : null;
    return bytes ? mediaMessage(host, article, delivery, { ...picture, bytes }) : publishMessage(host, article, delivery, true);
  }

  /** What a site that lets no call in is asked instead: what became of its articles, and what it has published. */
  private async nextQuestion(site: SiteRow): Promise<PickupMessage | null> {
    if (site.pickup_code === null) return null;
    const now = this.clock.now();
    const message = (type: string, due: Date, rest: Partial<HandedOperation>, data: Record<string, unknown>): PickupMessage => ({
      operation: { id: messageId(type, site.id, due.toISOString()), type, at: now.toISOString(), ...rest },
      data,
    });
    const due = await this.status.dueAt(site, now);
    const [first] = due;
    if (first && first.status_at <= now)
      return message('article.status', first.status_at, { deliveryIds: due.map(({ id }) => id) }, statusQuestion(hostOf(site), due));
    const listed = await rowOf<{ due: Date }>(
      this.dataSource.manager,
      'select inventory_due_at as due from sites where id = $1 and inventory_due_at <= $2',
      [site.id, now],
    );
    return listed ? message('site.inventory', listed.due, {}, { host: hostOf(site) }) : null;
  }

  private async acceptDelivery(
    site: SiteRow,
    { type, at, delivery: order }: HandedOperation,
    { judgement, status, body }: { judgement: Judgement; status: number; body: string },
  ): Promise<void> {
    const delivery = order && (await findDelivery(this.dataSource.manager, order.id));
    const article = delivery && (await findSentArticle(this.dataSource.manager, delivery.article_id));
    const log = { status, code: judgement.ok ? null : judgement.code, ms: this.msSince(at), excerpt: body.slice(0, excerptLength) };
    const clear = async (manager: EntityManager): Promise<void> => {
      await manager.query('update sites set pickup_operation = null where id = $1', [site.id]);
    };
    if (!article) return this.turns.store(site, clear);
    await this.storeFor(site, { ...delivery, ...order }, async (manager) => {
      await clear(manager);
      await logAttempt(manager, delivery, type, log, this.clock.now());
      const about = { site, delivery, article };
      const problem = type === 'article.media' ? await this.acceptPicture(manager, delivery, judgement) : problemOf(judgement);
      if (problem) return this.failures.apply(manager, { ...about, problem, hasPickup: false });
      if (!judgement.ok || type === 'article.media') return;
      if (type === 'article.prepare') await this.outcomes.prepared(manager, delivery, judgement.json);
      else if (type === 'article.publish') await this.outcomes.onSite(manager, about, judgement.json);
      else await this.outcomes.withdrawn(manager, delivery);
    });
  }

  /** @returns what is a failure of the whole attempt; null: the article goes on, after some tries without its picture */
  private async acceptPicture(manager: EntityManager, delivery: DeliveryRow, judgement: Judgement): Promise<Problem | null> {
    const failures = (delivery.steps.media?.failures ?? 0) + (judgement.ok ? 0 : 1);
    await this.outcomes.illustrated(manager, delivery, judgement.ok ? { done: true } : { failures });
    const problem = problemOf(judgement);
    if (!problem || !isAboutPicture(problem.code)) return problem;
    // What the site says about the picture is no refusal of the article.
    return failures >= maxPictureTries ? null : { ...problem, code: 'picture' };
  }

  private acceptAnswer(site: SiteRow, { deliveryIds = [] }: HandedOperation, judgement: Judgement): Promise<void> {
    const json = judgement.ok ? judgement.json : null;
    return this.turns.store(site, async (manager) => {
      await manager.query('update sites set pickup_operation = null where id = $1', [site.id]);
      if (deliveryIds.length === 0) return this.inventory.store(manager, site, pluginInventoryAnswer.safeParse(json).data?.posts ?? null);
      const due = await rowsOf<AskedDelivery>(
        manager,
        'select id, article_id, state, status_at from deliveries where id = any($1::uuid[]) and site_id = $2',
        [deliveryIds, site.id],
      );
      await this.status.applyAll(manager, { due, articles: pluginStatusAnswer.safeParse(json).data?.articles, at: this.clock.now() });
    });
  }

  /** As `storeResult`; what was ordered anew meanwhile is left alone. */
  private async storeFor(site: SiteRow, delivery: DeliveryRow, change: (manager: EntityManager) => Promise<unknown>): Promise<void> {
    await storeResult(this.turns, { site, delivery }, change).catch((error: unknown) => {
      if (!(error instanceof SupersededError)) throw error;
    });
  }

  private msSince(at: string): number {
    return Math.max(0, this.clock.now().getTime() - Date.parse(at));
  }
}

const hostOf = ({ site_key: key }: SiteRow): string => audienceOf(`https://${key}`);

const problemOf = (judgement: Judgement): Problem | null => (judgement.ok ? null : judgement);

/** What another program answers in the name of the plugin says nothing. */
const ofPlugin = (judgement: Judgement): Judgement =>
  judgement.ok && !judgement.isPlugin ? { ok: false, code: 'not_plugin', facts: {}, retryAfterSeconds: null } : judgement;
