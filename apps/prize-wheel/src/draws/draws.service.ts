import { Outbox } from '@decola/messaging';
import { Clock, CONFIG, parseKeyRing, Sealer } from '@decola/service-kit';
import { type OnApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { PrizeWheelConfig } from '../config/config.js';
import { WheelKeys } from '../keys/wheel-keys.service.js';
import { Coupons } from './coupons.js';
import { drawBatch } from './draw-batch.js';
import { DrawLane } from './draw-lane.js';
import { ErasedHandles } from './erased-handles.js';
import type { RoundTools } from './rounds.js';
import { Seeds } from './seeds.js';
import { earlierParticipations, repeatedOutcome, type Spin, type SpinOutcome } from './spin.js';
import { StockCache } from './stock-cache.js';

/** Draws of this replica, and what they need of the service's keys. */
@Injectable()
export class Draws implements OnApplicationShutdown {
  readonly seeds: Seeds;
  readonly coupons: Coupons;
  readonly erasedHandles: ErasedHandles;
  private readonly cache = new StockCache();
  private readonly lane: DrawLane;

  constructor(
    @Inject(CONFIG) config: PrizeWheelConfig,
    keys: WheelKeys,
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {
    const sealer = new Sealer(parseKeyRing(config.SEED_KEY_RING, 'SEED_KEY_RING'));
    this.seeds = new Seeds(sealer);
    this.coupons = new Coupons(sealer, keys);
    this.erasedHandles = new ErasedHandles(keys);
    this.lane = new DrawLane((spins) => this.drawAll(spins));
  }

  spin(spin: Spin): Promise<SpinOutcome> {
    return this.lane.spin(spin);
  }

  /** What a handle won on a wheel before. @param spinKeyHash decides whether it is the caller's own */
  async earlier(
    automationId: string,
    handle: string,
    spinKeyHash: Buffer | null,
  ): Promise<Extract<SpinOutcome, { kind: 'repeated' }> | undefined> {
    const [row] = await earlierParticipations(this.dataSource.manager, [{ automationId, handle }]);
    return row && repeatedOutcome(row, spinKeyHash, this.coupons);
  }

  /** What a change of a wheel needs that may begin or end a round. */
  roundTools(): RoundTools {
    return { seeds: this.seeds, now: this.clock.now() };
  }

  /** After the last request: spins whose bodies arrive late are drawn too. */
  async onApplicationShutdown(): Promise<void> {
    await this.lane.drain();
  }

  private async drawAll(spins: readonly Spin[]): Promise<SpinOutcome[]> {
    const { cache, outbox, coupons, erasedHandles } = this;
    try {
      return await this.dataSource.transaction((manager) =>
        drawBatch(manager, spins, { ...this.roundTools(), cache, outbox, coupons, erasedHandles }),
      );
    } catch (error) {
      // What the batch wrote into the cache did not happen.
      cache.clear();
      throw error;
    }
  }
}
