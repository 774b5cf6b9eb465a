import { randomInt } from 'node:crypto';
import { Clock, CONFIG } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { timeInBrasilia } from '../calendar/brasilia.js';
import type { BlogConfig } from '../config/config.js';
import type { Judgement, SiteProblem } from '../sites/judge-reply.js';
import type { SiteRow } from '../sites/site-turns.service.js';
import { deliveryTexts, siteProblemTexts } from '../texts/delivery-texts.js';
import { DeliveryOutcomes } from './delivery-outcomes.service.js';
import type { DeliveryRow, SentArticle } from './delivery-row.js';
import { isPassing, nextStep } from './next-step.js';

/** How often a picture is tried, over all attempts, before the article goes without it. */
export const maxPictureTries = 3;

export type Problem = Extract<Judgement, { ok: false }>;

/** The message about an article would be longer than firewalls let through. */
export const tooLarge: Problem = { ok: false, code: 'refused', facts: { status: 413 }, retryAfterSeconds: null };

/** Codes that a site has for a picture it could not have or does not take. */
export const isAboutPicture = (code: SiteProblem): boolean => code === 'refused' || code === 'waf';

/** What follows from a failed attempt, whether the site was called or its plugin asked. */
@Injectable()
export class DeliveryFailures {
  constructor(
    private readonly outcomes: DeliveryOutcomes,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<BlogConfig, 'DELIVERY_RETRY_SECONDS'>,
  ) {}

  /** @param hasPickup whether the site's plugin can be expected to ask for the article */
  async apply(
    manager: EntityManager,
    { problem, hasPickup, ...about }: { site: SiteRow; delivery: DeliveryRow; article: SentArticle; problem: Problem; hasPickup: boolean },
  ): Promise<void> {
    const { delivery } = about;
    const { code, facts, retryAfterSeconds } = problem;
    const now = this.clock.now();
    const refusals = isPassing(code) ? 0 : delivery.refusals + 1;
    const sentence = problem === tooLarge ? deliveryTexts.tooLarge : siteProblemTexts[code](facts, timeInBrasilia(now));
    const step = nextStep({
      ...{ code, retryAfterSeconds, attempt: delivery.attempt, refusals, hasPickup },
      ...{ pauses: this.config.DELIVERY_RETRY_SECONDS, chance: randomInt(1_000) / 1_000 },
    });
    if (code === 'unknown_article') await forgetDraft(manager, delivery);
    const failure = { ...about, code, reason: sentence };
    switch (step.kind) {
      case 'retry': {
        const next = new Date(now.getTime() + step.afterSeconds * 1_000);
        return this.outcomes.retry(manager, { ...failure, refusals, next, reason: deliveryTexts.retryAt(sentence, timeInBrasilia(next)) });
      }
      case 'waiting_pickup':
        return this.outcomes.leaveToPlugin(manager, failure);
      case 'blocked':
        return this.outcomes.block(manager, failure);
      case 'given_up':
        return this.outcomes.giveUp(manager, failure);
      case 'gone':
        return this.outcomes.gone(manager, failure);
      case 'edited_by_owner':
        return this.outcomes.edited(manager, delivery);
      case 'withdrawn':
        return this.outcomes.withdrawn(manager, delivery, sentence);
    }
  }
}

/** The site does not have the draft any more: it is sent again, by messages that the site does not know. */
async function forgetDraft(manager: EntityManager, { id }: DeliveryRow): Promise<void> {
  await manager.query(`update deliveries set steps = '{}', round = round + 1 where id = $1`, [id]);
}
