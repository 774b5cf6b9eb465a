import { rowsOf } from '@decola/database';
import { Outbox } from '@decola/messaging';
import { Clock, CONFIG, Logger, periodically, type PeriodicWork, UnopenedEnvelopeError } from '@decola/service-kit';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { PrizeWheelConfig } from '../config/config.js';
import { Draws } from '../draws/draws.service.js';
import { changeWheel } from '../draws/locked-wheel.js';
import { announceStates, type ChangedPrize, changedPrizeColumns } from '../draws/prize-states.js';
import { closeRound } from '../draws/rounds.js';

/** Prizes of one transaction. */
const batchRows = 500;
/** Wheels of one run; the next run takes the rest. */
const mostWheels = 100;

/** Ends what has its time: prizes that nobody collected, and rounds of promotions that are over. Every replica may run it: rows are claimed. */
@Injectable()
export class PrizeJobs implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private works: PeriodicWork[] = [];

  constructor(
    private readonly draws: Draws,
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly logger: Logger,
    @Inject(CONFIG) private readonly config: Pick<PrizeWheelConfig, 'WHEEL_JOBS_INTERVAL_MS'>,
  ) {}

  onApplicationBootstrap(): void {
    this.works = [
      this.start(() => this.expirePrizes(), 'prizes whose time is over were not expired'),
      this.start(() => this.endPromotions(), 'rounds of promotions that are over were not closed'),
    ];
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.works.map((work) => work.stop()));
  }

  private start(work: () => Promise<unknown>, failure: string): PeriodicWork {
    return periodically(work, {
      intervalMs: this.config.WHEEL_JOBS_INTERVAL_MS,
      onError: (error) => this.logger.error({ err: error }, failure),
    });
  }

  /** Their units do not come back: the winners had them. @returns how many prizes expired */
  async expirePrizes(): Promise<number> {
    for (let expired = 0; ;) {
      const batch = await this.expireBatch();
      expired += batch;
      if (batch < batchRows) return expired;
    }
  }

  private expireBatch(): Promise<number> {
    const now = this.clock.now();
    return this.dataSource.transaction(async (manager) => {
      const prizes = await rowsOf<ChangedPrize>(
        manager,
        `update prize_wheel_participations p set state = 'expired'
         from wheels w, (select id from prize_wheel_participations where state = 'won' and valid_until <= $1
           order by valid_until limit ${batchRows} for update skip locked) due
         where p.id = due.id and w.automation_id = p.automation_id returning ${changedPrizeColumns}`,
        [now],
      );
      await announceStates(manager, this.outbox, prizes, now);
      return prizes.length;
    });
  }

  /** Closes open rounds of promotions that are over, which shows their seeds. @returns how many rounds it closed */
  async endPromotions(): Promise<number> {
    const due = await rowsOf<{ automation_id: string }>(
      this.dataSource.manager,
      `select automation_id from wheel_draws where is_open and ends_at <= $1 order by ends_at limit ${mostWheels}`,
      [this.clock.now()],
    );
    let closed = 0;
    let unopened: UnopenedEnvelopeError | undefined;
    for (const { automation_id: automationId } of due) {
      try {
        if (await this.endPromotion(automationId)) closed += 1;
      } catch (error) {
        // The key of this wheel's seed is missing here: its promotion ends later, and those of other wheels now.
        if (!(error instanceof UnopenedEnvelopeError)) throw error;
        unopened = error;
      }
    }
    if (unopened) throw unopened;
    return closed;
  }

  private async endPromotion(automationId: string): Promise<boolean> {
    const tools = this.draws.roundTools();
    const isClosed = await this.dataSource.transaction((manager) =>
      changeWheel(manager, automationId, async (wheel) => {
        // Another replica was first, or the owner moved the end.
        if (!wheel.isOpen || wheel.endsAt === null || wheel.endsAt > tools.now) return false;
        await closeRound(manager, wheel, tools);
        return true;
      }),
    );
    return isClosed ?? false;
  }
}
