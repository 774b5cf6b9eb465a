import { rowsOf } from '@decola/database';
import { Clock, CONFIG, Logger, periodically, type PeriodicWork } from '@decola/service-kit';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BillingAccounts } from '../accounts/billing-accounts.js';
import type { BillingConfig } from '../config/config.js';
import { SubscriptionPublisher } from './subscription-publisher.js';
import { listSubscriptions } from './subscription-rows.js';
import { SubscriptionSync } from './subscription-sync.js';

/** Accounts of one run; the next run takes the rest. */
const batchSize = 50;

/**
 * Ends access at its boundary: the moment at which it runs out by the clock (end of a grace period or of a canceled period), for which Stripe
 * sends no event.
 */
@Injectable()
export class AccessExpiryJob implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private work: PeriodicWork | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly accounts: BillingAccounts,
    private readonly sync: SubscriptionSync,
    private readonly publisher: SubscriptionPublisher,
    private readonly clock: Clock,
    private readonly logger: Logger,
    @Inject(CONFIG) private readonly config: BillingConfig,
  ) {}

  onApplicationBootstrap(): void {
    this.work = periodically(() => this.run(), {
      intervalMs: this.config.BOUNDARY_INTERVAL_MS,
      onError: (error) => this.logger.error({ err: error }, 'accounts whose access ends now could not be read'),
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.work?.stop();
  }

  /** Ends access of every account whose boundary has passed. @returns how many accounts that were. */
  async run(): Promise<number> {
    const due = await rowsOf<{ user_id: string }>(
      this.dataSource,
      'select user_id from billing_accounts where next_boundary_at <= $1 order by next_boundary_at limit $2',
      [this.clock.now(), batchSize],
    );
    for (const { user_id: userId } of due)
      // A failure of one account must not delay the others.
      await this.endAccess(userId).catch((error: unknown) =>
        this.logger.error({ err: error, user: userId }, 'access that ends now could not be ended'),
      );
    return due.length;
  }

  private async endAccess(userId: string): Promise<void> {
    await this.accounts.withLock(userId, async (manager, account) => {
      const [subscription] = await listSubscriptions(manager, userId);
      const cause = subscription?.status === 'past_due' ? 'grace_ended' : 'ended';
      // Stripe may know better, for example of a payment just made; when it does not answer, the clock alone decides.
      if (subscription)
        await this.sync
          .refresh(manager, account, subscription.id, { quick: true, cause })
          .catch((error: unknown) => this.logger.warn({ err: error }, 'Stripe did not answer before access ended'));
      await this.publisher.publish(manager, account, { cause });
    });
  }
}
