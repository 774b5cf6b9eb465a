import type { DeliveryFunctionAnswer, RetryDeliveryBody, WithdrawArticleBody } from '@decola/contracts';
import { rowOf, rowsOf } from '@decola/database';
import { Clock } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { deliveryTexts } from '../texts/delivery-texts.js';
import { SigningTokensService } from '../tokens/signing-tokens.service.js';
import type { DeliveryRow } from './delivery-row.js';

const refused = (error: string, code: string): DeliveryFunctionAnswer => ({ success: false, error, code });

/** What people do with the deliveries of their articles. */
@Injectable()
export class DeliveryFunctions {
  constructor(
    private readonly dataSource: DataSource,
    private readonly tokens: SigningTokensService,
    private readonly clock: Clock,
  ) {}

  /** Tries a delivery at once. Also one that ended; over the owner's own changes only by force. */
  retry(userId: string, { deliveryId, force }: RetryDeliveryBody): Promise<DeliveryFunctionAnswer> {
    return this.dataSource.transaction(async (manager) => {
      // Sites before deliveries, as everybody who works at a site locks them.
      await rowOf(
        manager,
        'select 1 from sites s where s.id = (select site_id from deliveries where id = $1 and user_id = $2) for update',
        [deliveryId, userId],
      );
      const delivery = await rowOf<Pick<DeliveryRow, 'id' | 'state' | 'operation' | 'code' | 'site_id'> & { lease_until: Date | null }>(
        manager,
        `select d.id, d.state, d.operation, d.code, d.site_id, s.lease_until from deliveries d join sites s on s.id = d.site_id
         where d.id = $1 and d.user_id = $2 for update of d`,
        [deliveryId, userId],
      );
      if (!delivery) return refused(deliveryTexts.notFound, 'not_found');
      const now = this.clock.now();
      if (['preparing', 'illustrating', 'publishing'].includes(delivery.state)) return refused(deliveryTexts.underWay, 'under_way');
      // The site's daily number holds for presses of a button, too.
      if (delivery.code === 'site_limit') return { success: true };
      const isAnew = ['edited_by_owner', 'withdrawn', 'gone', 'accepted', 'published', 'seen', 'not_seen'].includes(delivery.state);
      await manager.query(
        `update deliveries set state = 'pending', operation = case when $3 then 'deliver' else operation end, attempt = 0, refusals = 0,
           round = round + case when $3 then 1 else 0 end, steps = case when $3 then '{}' else steps end, is_forced = $4,
           code = null, reason = null, next_attempt_at = $2, look_at = null, updated_at = $2 where id = $1`,
        [delivery.id, now, isAnew, force === true],
      );
      // Perhaps its owner has opened the site: it is called once more before its plugin is waited for again.
      await manager.query('update sites set pickup_code = null where id = $1 and pickup_code is not null', [delivery.site_id]);
      return { success: true };
    });
  }

  /** Takes an article back on every site: where it is, its post becomes a draft; where it is not yet, it never comes. */
  withdraw(userId: string, { articleId }: WithdrawArticleBody): Promise<DeliveryFunctionAnswer> {
    return this.dataSource.transaction(async (manager) => {
      const now = this.clock.now();
      const deliveries = await rowsOf<{ id: string }>(
        manager,
        `update deliveries set
           state = case when is_untouched then 'withdrawn' else 'pending' end, operation = 'withdraw', attempt = 0, refusals = 0,
           round = round + case when operation = 'withdraw' then 0 else 1 end, code = null, reason = null, is_forced = false, look_at = null,
           next_attempt_at = case when is_untouched then null else $3::timestamptz end, updated_at = $3
         from (select id as untouched_id, (attempt = 0 and delivered_revision is null) as is_untouched from deliveries
               where article_id = $1 and user_id = $2 for update) u
         where deliveries.id = u.untouched_id and state <> 'withdrawn'
         returning deliveries.id`,
        [articleId, userId, now],
      );
      if (deliveries.length > 0) return { success: true };
      const known = await rowOf(manager, 'select 1 from deliveries where article_id = $1 and user_id = $2', [articleId, userId]);
      return known ? { success: true } : refused(deliveryTexts.articleNotFound, 'not_found');
    });
  }

  /** “Revogar agora”: the token before signs nothing any more. */
  async revokePreviousToken(userId: string): Promise<DeliveryFunctionAnswer> {
    await this.tokens.revoke(this.dataSource.manager, userId);
    return { success: true };
  }
}
