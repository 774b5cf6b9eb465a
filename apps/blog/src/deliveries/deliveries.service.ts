import { CONFIG, Logger, periodically, type PeriodicWork } from '@decola/service-kit';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { BlogConfig } from '../config/config.js';
import { Inventory } from '../sites/inventory.service.js';
import { DeliveryAttempts } from './delivery-attempts.service.js';
import { Looks } from './looks.service.js';
import { SiteStatus } from './site-status.service.js';
import { LostTurnError, SiteTurns, type Turn } from '../sites/site-turns.service.js';

/** Sites that one replica works on at a time: a slow one must not delay the others. */
const maxAtOnce = 16;

/** Does what is due at customers' sites: deliveries, looks at their pages, daily questions, lists of their posts. Replicas share the sites by leases. */
@Injectable()
export class Deliveries implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private work: PeriodicWork | undefined;
  private isStopping = false;
  private starting: Promise<void> | undefined;
  private readonly underWay = new Set<Promise<void>>();

  constructor(
    @Inject(CONFIG) private readonly config: Pick<BlogConfig, 'DELIVERY_INTERVAL_MS'>,
    private readonly turns: SiteTurns,
    private readonly attempts: DeliveryAttempts,
    private readonly looks: Looks,
    private readonly status: SiteStatus,
    private readonly inventory: Inventory,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.work = periodically(() => this.startDue(), {
      intervalMs: this.config.DELIVERY_INTERVAL_MS,
      onError: (error) => this.logger.error({ err: error }, 'due deliveries could not be read'),
    });
  }

  // Before the shutdown of other modules closes the database. Turns end within the time limits of their calls.
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await this.work?.stop();
    await this.starting;
    await Promise.all(this.underWay);
  }

  private startDue(): Promise<void> {
    this.starting ??= this.startAll().finally(() => (this.starting = undefined));
    return this.starting;
  }

  private async startAll(): Promise<void> {
    while (!this.isStopping && this.underWay.size < maxAtOnce) {
      const turn = await this.turns.next();
      if (!turn) return;
      const carriedOut = this.carryOut(turn).finally(() => {
        this.underWay.delete(carriedOut);
        // A site with a long queue goes on at once. An error is reported by the periodic work, which tries the same next.
        if (!this.isStopping) this.startDue().catch(() => undefined);
      });
      this.underWay.add(carriedOut);
    }
  }

  /** A turn that fails keeps its lease, so that it is repeated, but not at once. */
  private async carryOut(turn: Turn): Promise<void> {
    const { site, work, deliveryId } = turn;
    try {
      if (work === 'deliver') await this.attempts.attempt(site, deliveryId!);
      else if (work === 'look') await this.looks.look(site, deliveryId!);
      else if (work === 'status') await this.status.ask(site);
      else await this.inventory.refresh(site);
      await this.turns.release(site);
    } catch (error) {
      if (error instanceof LostTurnError) return;
      this.logger.error(
        { err: error, site: site.id, delivery: deliveryId, work },
        'work at a customer’s site was interrupted; it is repeated',
      );
    }
  }
}
