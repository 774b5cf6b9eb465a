import { Clock, CONFIG, Logger } from '@decola/service-kit';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BillingAccounts } from '../accounts/billing-accounts.js';
import type { BillingConfig } from '../config.js';
import { SubscriptionPublisher } from './subscription-publisher.js';
import { subscriptionsOf } from './subscription-rows.js';
import { SubscriptionSync } from './subscription-sync.js';

const batch = 50;

/** Access that runs out by the clock makes no event at Stripe: this job tells of it when its moment has come. */
@Injectable()
export class BoundaryJob implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<unknown> | undefined;

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
    this.timer = setInterval(() => {
      this.running ??= this.run()
        .catch((error: unknown) => this.logger.error({ err: error }, 'boundaries could not be looked at'))
        .finally(() => (this.running = undefined));
    }, this.config.BOUNDARY_INTERVAL_MS);
    this.timer.unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /** Looks at every account whose boundary has passed. @returns how many. */
  async run(): Promise<number> {
    const due = await this.dataSource.query<{ user_id: string }[]>(
      'select user_id from billing_accounts where next_boundary_at <= $1 order by next_boundary_at limit $2',
      [this.clock.now(), batch],
    );
    for (const { user_id: userId } of due) await this.cross(userId);
    return due.length;
  }

  private async cross(userId: string): Promise<void> {
    await this.accounts.locked(userId, async (manager, account) => {
      const [subscription] = await subscriptionsOf(manager, userId);
      // What Stripe says comes first; the clock decides also while Stripe is silent.
      if (subscription)
        await this.sync
          .look(manager, account, subscription.id, { quick: true, cause: subscription.status === 'past_due' ? 'grace_ended' : 'ended' })
          .catch((error: unknown) => this.logger.warn({ err: error }, 'Stripe could not be asked at a boundary'));
      await this.publisher.publish(manager, account, { cause: subscription?.status === 'past_due' ? 'grace_ended' : 'ended' });
    });
  }
}
