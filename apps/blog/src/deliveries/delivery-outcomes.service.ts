import { articleDelivered, articleFailed, articleSiteRefused, pickupIntervalSeconds, pluginPostAnswer } from '@decola/contracts';
import { rowOf } from '@decola/database';
import { Outbox } from '@decola/messaging';
import { Clock, CONFIG } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { timeInBrasilia } from '../calendar/brasilia.js';
import type { BlogConfig } from '../config/config.js';
import type { SiteProblem } from '../sites/judge-reply.js';
import { nextAskOf, waitsUntil } from '../sites/pick-up.js';
import { deliveryTexts, siteProblemTexts } from '../texts/delivery-texts.js';
import type { DeliveryRow, SentArticle } from './delivery-row.js';
import type { SiteRow } from '../sites/site-turns.service.js';

/** Deliveries in a row that may fail before the automation pauses. */
const failuresUntilPause = 5;
const dayMs = 24 * 60 * 60 * 1000;

export type DeliveryProblem = SiteProblem | 'no_token';

interface About {
  site: SiteRow;
  delivery: DeliveryRow;
  article: SentArticle;
}
interface Failure extends About {
  code: DeliveryProblem;
  /** The sentence that the customer reads. */
  reason: string;
}

/** What follows from an attempt, in the transaction that stores it. */
@Injectable()
export class DeliveryOutcomes {
  constructor(
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<BlogConfig, 'DELIVERY_LOOK_SECONDS'>,
  ) {}

  /** The draft is on the site. @param answer of the plugin */
  async prepared(manager: EntityManager, { id }: DeliveryRow, answer: unknown): Promise<void> {
    const post = pluginPostAnswer.parse(answer);
    await manager.query(
      `update deliveries set state = 'illustrating', steps = steps || '{"prepared":true}', post_id = coalesce($2, post_id),
         content_hash = coalesce($3, content_hash), edit_url = coalesce($4, edit_url), updated_at = $5 where id = $1`,
      [id, post.post_id ?? null, post.content_hash ?? null, post.edit_url ?? null, this.clock.now()],
    );
  }

  /** What became of the picture. */
  async illustrated(manager: EntityManager, { id }: DeliveryRow, media: { done?: true; failures?: number }): Promise<void> {
    await manager.query(`update deliveries set steps = steps || jsonb_build_object('media', $2::jsonb) where id = $1`, [
      id,
      JSON.stringify(media),
    ]);
  }

  /** The plugin has published the article, or keeps it as a draft. @param answer of the plugin */
  async onSite(manager: EntityManager, about: About, answer: unknown): Promise<void> {
    const post = pluginPostAnswer.parse(answer);
    await this.delivered(manager, {
      ...about,
      isPublished: post.status !== 'draft',
      ...{ postId: post.post_id ?? null, publicUrl: post.url ?? null, editUrl: post.edit_url ?? null },
    });
  }

  /** The article is on the site. */
  async delivered(
    manager: EntityManager,
    {
      site,
      delivery,
      article,
      isPublished,
      postId,
      publicUrl,
      editUrl,
    }: About & { isPublished: boolean; postId: number | null; publicUrl: string | null; editUrl: string | null },
  ): Promise<void> {
    const now = this.clock.now();
    const firstLook = new Date(now.getTime() + (this.config.DELIVERY_LOOK_SECONDS[0] ?? 0) * 1_000);
    await manager.query(
      `update deliveries set state = $2, code = null, reason = null, next_attempt_at = null, delivered_revision = revision, is_forced = false, refusals = 0,
         post_id = coalesce($3, post_id), public_url = case when $2 = 'published' then coalesce($4, public_url) end, edit_url = coalesce($5, edit_url),
         published_at = $6, looks = 0, seen_at = null, look_at = case when $2 = 'published' and coalesce($4, public_url) is not null then $7::timestamptz end,
         status_at = $8, updated_at = $6
       where id = $1`,
      [
        ...[delivery.id, isPublished ? 'published' : 'accepted', postId, publicUrl, editUrl, now, firstLook],
        site.kind === 'plugin' ? new Date(now.getTime() + dayMs) : null,
      ],
    );
    await manager.query(
      `update sites set failures = 0, problem_code = null, problem_reason = null, mail_due_at = null, checked_at = $2, updated_at = $2 where id = $1`,
      [site.id, now],
    );
    await this.announce(manager, { site, delivery, article, publicUrl: isPublished ? publicUrl : null, seen: false });
  }

  /** Tells automations that the article is there. */
  async announce(
    manager: EntityManager,
    { site, delivery, article, publicUrl, seen }: About & { publicUrl: string | null; seen: boolean },
  ): Promise<void> {
    if (!delivery.blog_automation_id) return;
    await this.outbox.add(
      manager,
      articleDelivered,
      {
        ...{
          blogAutomationId: delivery.blog_automation_id,
          userId: delivery.user_id,
          articleId: article.id,
          siteHost: site.host,
          publicUrl,
          seen,
        },
        occurrenceAt: article.occurrence_at?.toISOString() ?? null,
        at: this.clock.now().toISOString(),
      },
      { subject: delivery.blog_automation_id },
    );
  }

  async retry(
    manager: EntityManager,
    { delivery, code, reason, refusals, next }: Failure & { refusals: number; next: Date },
  ): Promise<void> {
    await manager.query(
      `update deliveries set state = 'retrying', code = $2, reason = $3, refusals = $4, next_attempt_at = $5, updated_at = $6 where id = $1`,
      [delivery.id, code, reason, refusals, next, this.clock.now()],
    );
  }

  /** Our calls do not get in: this article, and the next ones, are left to the site's plugin. */
  async leaveToPlugin(manager: EntityManager, { site, delivery, code }: About & { code: DeliveryProblem }): Promise<void> {
    await manager.query('update sites set pickup_code = $2, updated_at = $3 where id = $1', [site.id, code, this.clock.now()]);
    // From here its plugin's attempts are counted. Not from zero: something of it may be on the site.
    await manager.query('update deliveries set attempt = 1, refusals = 0 where id = $1', [delivery.id]);
    await this.waitForPlugin(manager, site, delivery, code);
  }

  /** The delivery waits until the plugin asks; after a day without a sign of it the site is called after all. */
  async waitForPlugin(manager: EntityManager, site: SiteRow, { id }: Pick<DeliveryRow, 'id'>, code: string | null): Promise<void> {
    const now = this.clock.now();
    const nextAsk = nextAskOf(site, now, pickupIntervalSeconds);
    const isLate = nextAsk <= now;
    await manager.query(
      `update deliveries set state = 'waiting_pickup', code = coalesce($2, code), reason = $3, next_attempt_at = $4, updated_at = $5 where id = $1`,
      [
        ...[id, code, isLate ? deliveryTexts.pickupIsLate : deliveryTexts.waitsForPickup(timeInBrasilia(nextAsk))],
        ...[isLate ? waitsUntil(site, now) : nextAsk, now],
      ],
    );
  }

  /** Its owner has to do something. They are mailed once for each problem of the site. */
  async block(manager: EntityManager, failure: Failure): Promise<void> {
    await this.end(manager, failure, 'blocked');
    await manager.query(
      `update sites set mail_due_at = case when problem_code is null then $4 else mail_due_at end, problem_code = $2, problem_reason = $3, updated_at = $4
       where id = $1`,
      [failure.site.id, failure.code, failure.reason, this.clock.now()],
    );
  }

  async giveUp(manager: EntityManager, failure: Failure): Promise<void> {
    await this.end(manager, { ...failure, reason: deliveryTexts.givenUp }, 'given_up');
  }

  /** The site wants nothing more: neither this article nor the ones that wait. */
  async gone(manager: EntityManager, failure: Failure): Promise<void> {
    const { site } = failure;
    const reason = siteProblemTexts.gone();
    await this.end(manager, { ...failure, reason }, 'gone');
    await manager.query(
      `update deliveries set state = 'gone', code = 'gone', reason = $2, next_attempt_at = null, updated_at = $3
       where site_id = $1 and next_attempt_at is not null`,
      [site.id, reason, this.clock.now()],
    );
    await manager.query('update sites set problem_code = $2, problem_reason = $3, updated_at = $4 where id = $1', [
      ...[site.id, 'gone', reason, this.clock.now()],
    ]);
    await this.pauseAutomation(manager, failure, 'gone', deliveryTexts.gonePause(site.host));
  }

  async edited(manager: EntityManager, { id }: DeliveryRow): Promise<void> {
    await manager.query(
      `update deliveries set state = 'edited_by_owner', code = 'edited_by_owner', reason = $2, next_attempt_at = null, look_at = null, updated_at = $3
       where id = $1`,
      [id, siteProblemTexts.edited_by_owner(), this.clock.now()],
    );
  }

  /** @param reason null when the owner asked for it here */
  async withdrawn(manager: EntityManager, { id }: DeliveryRow, reason: string | null = null): Promise<void> {
    await manager.query(
      `update deliveries set state = 'withdrawn', code = $2, reason = $3, next_attempt_at = null, look_at = null, status_at = null, updated_at = $4
       where id = $1`,
      [id, reason === null ? null : 'trashed', reason, this.clock.now()],
    );
  }

  /** There is no article any more. */
  async cancel(manager: EntityManager, delivery: DeliveryRow): Promise<void> {
    await this.withdrawn(manager, delivery);
  }

  /** Ends a delivery that failed for good. */
  private async end(manager: EntityManager, failure: Failure, state: 'blocked' | 'given_up' | 'gone'): Promise<void> {
    const { site, delivery, article, code, reason } = failure;
    const now = this.clock.now();
    await manager.query(`update deliveries set state = $2, code = $3, reason = $4, next_attempt_at = null, updated_at = $5 where id = $1`, [
      delivery.id,
      state,
      code,
      reason,
      now,
    ]);
    const counted = await rowOf<{ failures: number }>(
      manager,
      'update sites set failures = failures + 1 where id = $1 returning failures',
      [site.id],
    );
    if (!delivery.blog_automation_id) return;
    await this.outbox.add(
      manager,
      articleFailed,
      {
        ...{ blogAutomationId: delivery.blog_automation_id, userId: delivery.user_id, code, reason },
        occurrenceAt: (article.occurrence_at ?? now).toISOString(),
        at: now.toISOString(),
      },
      { subject: delivery.blog_automation_id },
    );
    if (counted?.failures === failuresUntilPause)
      await this.pauseAutomation(manager, failure, 'failures', deliveryTexts.fiveFailures(site.host));
  }

  private async pauseAutomation(
    manager: EntityManager,
    { site, delivery }: About,
    cause: 'gone' | 'failures',
    reason: string,
  ): Promise<void> {
    if (!delivery.blog_automation_id) return;
    await this.outbox.add(
      manager,
      articleSiteRefused,
      {
        ...{ blogAutomationId: delivery.blog_automation_id, userId: delivery.user_id, siteHost: site.host, cause, reason },
        at: this.clock.now().toISOString(),
      },
      { subject: delivery.blog_automation_id },
    );
  }
}
