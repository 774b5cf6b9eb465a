import { rowOf } from '@decola/database';
import { Clock, CONFIG } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { BlogConfig } from '../config/config.js';
import { PictureStore } from '../images/picture-store.service.js';
import { messageId } from '../signatures/message-id.js';
import { sign } from '../signatures/sign.js';
import { audienceOf } from '../sites/doors.js';
import type { Judgement, SiteProblem } from '../sites/judge-reply.js';
import { asksBySelf } from '../sites/pick-up.js';
import { Pings } from '../sites/ping.service.js';
import { type FormFile, type SiteCall, SiteCalls } from '../sites/site-calls.service.js';
import { storeFoundSite } from '../sites/store-site.js';
import { deliveryTexts } from '../texts/delivery-texts.js';
import { type SigningTokens, SigningTokensService } from '../tokens/signing-tokens.service.js';
import { DeliveryFailures, isAboutPicture, maxPictureTries, tooLarge } from './delivery-failures.service.js';
import { DeliveryOutcomes } from './delivery-outcomes.service.js';
import {
  articleMessage,
  maxBodyBytes,
  mediaMessage,
  type Message,
  prepareMessage,
  publishMessage,
  sentPicture,
  withdrawMessage,
  withdrawnMessage,
} from './delivery-messages.js';
import { type DeliveryRow, findDelivery, findSentArticle, type SentArticle } from './delivery-row.js';
import { isPassing } from './next-step.js';
import { storeResult, SupersededError } from './store-result.js';
import { logAttempt, type SiteRow, SiteTurns } from '../sites/site-turns.service.js';

/** The call failed: the attempt ends here. */
class AttemptFailedError extends Error {
  override readonly name = 'AttemptFailedError';
  constructor(readonly problem: Extract<Judgement, { ok: false }>) {
    super(problem.code);
  }
}

/** What an attempt works with. */
interface Attempt {
  site: SiteRow;
  delivery: DeliveryRow;
  tokens: readonly string[];
  host: string;
  door: string;
}

/**
 * One attempt of a delivery. Each call's outcome is stored before the next call, and every message has the same id in every attempt: whatever is lost or
 * killed, the site ends with one post.
 */
@Injectable()
export class DeliveryAttempts {
  constructor(
    private readonly dataSource: DataSource,
    private readonly turns: SiteTurns,
    private readonly pings: Pings,
    private readonly calls: SiteCalls,
    private readonly tokens: SigningTokensService,
    private readonly pictures: PictureStore,
    private readonly outcomes: DeliveryOutcomes,
    private readonly failures: DeliveryFailures,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<BlogConfig, 'DELIVERY_LEASE_SECONDS' | 'SITE_URL'>,
  ) {}

  /**
   * @throws LostTurnError when another replica has taken the site, errors of the database, and UnknownKeyError when this replica lacks the key of the
   * customer's token: then the attempt is repeated
   */
  async attempt(site: SiteRow, deliveryId: string): Promise<void> {
    // Before the attempt is counted.
    const tokens = await this.tokens.of(this.dataSource.manager, site.user_id);
    const delivery = await this.begin(site, deliveryId);
    if (!delivery) return;
    const article = await findSentArticle(this.dataSource.manager, delivery.article_id);
    if (!article) return this.turns.store(site, (manager) => this.outcomes.cancel(manager, delivery));
    if (!tokens) {
      return this.turns.store(site, (manager) =>
        this.outcomes.block(manager, { site, delivery, article, code: 'no_token', reason: deliveryTexts.noToken }),
      );
    }
    try {
      const attempt = await this.reach(site, delivery, tokens);
      await (delivery.operation === 'withdraw' ? this.withdraw(attempt, article) : this.deliver(attempt, article));
    } catch (error) {
      if (error instanceof SupersededError) return;
      if (!(error instanceof AttemptFailedError)) throw error;
      await this.fail(site, delivery, article, error.problem).catch(ignoreSuperseded);
    }
  }

  private store<Result>(site: SiteRow, delivery: DeliveryRow, change: (manager: EntityManager) => Promise<Result>): Promise<Result> {
    return storeResult(this.turns, { site, delivery }, change);
  }

  /**
   * Counts the attempt before its first call, so that one whose replica is killed counts too.
   * @returns undefined when it is not due any more, or is left to the site's plugin
   */
  private begin(site: SiteRow, deliveryId: string): Promise<DeliveryRow | undefined> {
    return this.turns.store(site, async (manager) => {
      const now = this.clock.now();
      if (site.pickup_code !== null && asksBySelf(site, now)) {
        const due = await rowOf<{ id: string }>(manager, `select id from deliveries where id = $1 and next_attempt_at <= $2 for update`, [
          deliveryId,
          now,
        ]);
        if (due) await this.outcomes.waitForPlugin(manager, site, due, site.pickup_code);
        return undefined;
      }
      await manager.query(
        `update deliveries set attempt = attempt + 1, state = case when operation = 'deliver' then 'preparing' else 'publishing' end,
           revision = coalesce((select a.revision from customer_articles a where a.id = article_id), revision),
           steps = case when revision = coalesce((select a.revision from customer_articles a where a.id = article_id), revision) then steps else '{}' end,
           next_attempt_at = $2, updated_at = $3
         where id = $1 and next_attempt_at <= $3`,
        [deliveryId, new Date(now.getTime() + this.config.DELIVERY_LEASE_SECONDS * 1_000), now],
      );
      const delivery = await findDelivery(manager, deliveryId);
      return delivery && ['preparing', 'publishing'].includes(delivery.state) ? delivery : undefined;
    });
  }

  /** Finds where the site answers, and proves a new token, before anything else is sent. */
  private async reach(site: SiteRow, delivery: DeliveryRow, tokens: SigningTokens): Promise<Attempt> {
    const isProven = site.kind === 'other' || site.proven_fingerprint === tokens.fingerprint;
    const signing = tokens.previous === null ? [tokens.current] : [tokens.current, tokens.previous];
    if (site.door !== null && site.kind !== null && isProven)
      // This site has proven the new token: the one before is not for it any more.
      return this.attemptOf(site, delivery, site.kind === 'plugin' ? [tokens.current] : signing);
    const found = await this.pings.find(site.origin_url, signing, site.door);
    await this.store(site, delivery, async (manager) => {
      const at = this.clock.now();
      for (const { log } of found.calls) await logAttempt(manager, delivery, 'ping', log, at);
      if (!found.found) return;
      await storeFoundSite(manager, site, found, found.provenToken === 0 ? tokens.fingerprint : null, at);
      await this.tokens.settle(manager, site.user_id);
    });
    if (!found.found) throw new AttemptFailedError(found.problem);
    const hasProof = found.kind === 'other' || found.provenToken !== null;
    // Our plugin accepts the signature before it answers, so this is somebody who only copies its answers.
    if (!hasProof) throw new AttemptFailedError({ ok: false, code: 'token', facts: {}, retryAfterSeconds: null });
    return this.attemptOf({ ...site, door: found.door, kind: found.kind }, delivery, found.provenToken === 0 ? [tokens.current] : signing);
  }

  private attemptOf(site: SiteRow, delivery: DeliveryRow, tokens: readonly string[]): Attempt {
    const door = site.door ?? site.origin_url;
    return { site, delivery, tokens, door, host: audienceOf(door) };
  }

  private async deliver(attempt: Attempt, article: SentArticle): Promise<void> {
    if (attempt.site.kind === 'other') return this.deliverElsewhere(attempt, article);
    const { site, delivery, host } = attempt;
    if (!delivery.steps.prepared) {
      const { judgement } = await this.send(attempt, prepareMessage(host, article, delivery));
      await this.store(site, delivery, (manager) => this.outcomes.prepared(manager, delivery, judgement.json));
    }
    const isImageMissing = await this.illustrate(attempt, article);
    await this.setState(attempt, 'publishing');
    const { judgement } = await this.send(attempt, publishMessage(host, article, delivery, isImageMissing));
    await this.store(site, delivery, (manager) => this.outcomes.onSite(manager, { site, delivery, article }, judgement.json));
  }

  private async deliverElsewhere(attempt: Attempt, article: SentArticle): Promise<void> {
    const { site, delivery, host } = attempt;
    await this.setState(attempt, 'publishing');
    const { judgement } = await this.send(attempt, articleMessage(host, article, delivery, this.config.SITE_URL));
    const url = judgement.json?.['url'];
    await this.store(site, delivery, (manager) =>
      this.outcomes.delivered(manager, {
        ...{ site, delivery, article },
        isPublished: article.publish_mode === 'publish',
        ...{ postId: null, publicUrl: typeof url === 'string' && this.calls.isCallable(url) ? url : null, editUrl: null },
      }),
    );
  }

  private async withdraw(attempt: Attempt, article: SentArticle): Promise<void> {
    const { site, delivery, host } = attempt;
    await this.send(attempt, site.kind === 'other' ? withdrawnMessage(host, article.id) : withdrawMessage(host, article.id));
    await this.store(site, delivery, (manager) => this.outcomes.withdrawn(manager, delivery));
  }

  /** Sends the picture: its address first, its bytes where the site cannot fetch it. @returns whether the article goes without one that it should have */
  private async illustrate(attempt: Attempt, article: SentArticle): Promise<boolean> {
    const { delivery } = attempt;
    const picture = sentPicture(article, this.config.SITE_URL);
    if (!picture || delivery.steps.media?.done) return false;
    if ((delivery.steps.media?.failures ?? 0) >= maxPictureTries) return true;
    const bytes = await this.pictures.read(picture.url.slice(picture.url.lastIndexOf('/') + 1));
    if (!bytes) return true;
    try {
      await this.sendPicture(attempt, article, { ...picture, bytes });
    } catch (error) {
      if (!(error instanceof AttemptFailedError)) throw error;
      const failures = (delivery.steps.media?.failures ?? 0) + 1;
      await this.store(attempt.site, delivery, (manager) => this.outcomes.illustrated(manager, delivery, { failures }));
      if (!isAboutPicture(error.problem.code)) throw error;
      if (failures >= maxPictureTries) return true;
      // What the site says about the picture is no refusal of the article.
      throw new AttemptFailedError({ ...error.problem, code: 'picture' });
    }
    await this.store(attempt.site, delivery, (manager) => this.outcomes.illustrated(manager, delivery, { done: true }));
    return false;
  }

  private async sendPicture(attempt: Attempt, article: SentArticle, picture: { url: string; alt: string; bytes: Buffer }): Promise<void> {
    const { delivery, host } = attempt;
    try {
      await this.send(attempt, mediaMessage(host, article, delivery, picture));
    } catch (error) {
      if (!(error instanceof AttemptFailedError) || !isAboutPicture(error.problem.code)) throw error;
      const file = { name: `${article.slug}.jpg`, type: 'image/jpeg', bytes: picture.bytes };
      await this.send(attempt, mediaMessage(host, article, delivery, { ...picture, url: null }), file);
    }
  }

  private async setState({ site, delivery }: Attempt, state: string): Promise<void> {
    await this.store(site, delivery, (manager) =>
      manager.query('update deliveries set state = $2, updated_at = $3 where id = $1', [delivery.id, state, this.clock.now()]),
    );
  }

  /** @throws AttemptFailedError unless the site did what it was asked */
  private async send(
    { site, delivery, tokens, door }: Attempt,
    { type, data }: Message,
    file?: FormFile,
  ): Promise<SiteCall & { judgement: Extract<Judgement, { ok: true }> }> {
    const at = this.clock.now();
    const body = JSON.stringify({ type, timestamp: at.toISOString(), data });
    if (Buffer.byteLength(body) > maxBodyBytes) throw new AttemptFailedError(tooLarge);
    const id = messageId(delivery.article_id, type, delivery.revision, delivery.round);
    const call = await this.calls.post(door, sign({ id, body, at }, tokens), file ? { file } : {});
    await this.store(site, delivery, (manager) => logAttempt(manager, delivery, type, call.log, at));
    const { judgement } = call;
    if (!judgement.ok) throw new AttemptFailedError(judgement);
    // The plugin is not there any more: something else answered.
    if (site.kind === 'plugin' && !judgement.isPlugin)
      throw new AttemptFailedError({ ok: false, code: 'not_plugin', facts: {}, retryAfterSeconds: null });
    return { ...call, judgement };
  }

  private async fail(
    site: SiteRow,
    delivery: DeliveryRow,
    article: SentArticle,
    problem: Extract<Judgement, { ok: false }>,
  ): Promise<void> {
    await this.store(site, delivery, async (manager) => {
      // Another door may answer, or the door is not the plugin's any more: the next attempt looks again.
      await forgetDoor(manager, site, problem.code);
      await this.failures.apply(manager, { site, delivery, article, problem, hasPickup: asksBySelf(site, this.clock.now()) });
    });
  }
}

function ignoreSuperseded(error: unknown): void {
  if (!(error instanceof SupersededError)) throw error;
}

async function forgetDoor(manager: EntityManager, site: SiteRow, code: SiteProblem): Promise<void> {
  if (isPassing(code) || code === 'edited_by_owner' || code === 'trashed' || code === 'refused') return;
  await manager.query('update sites set door = null, proven_fingerprint = null where id = $1', [site.id]);
}
