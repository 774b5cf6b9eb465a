import { CONFIG, clientNetwork } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { type RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { PrizeWheelConfig } from '../config/config.js';
import { WheelKeys } from '../keys/wheel-keys.service.js';
import { tooMany } from '../refusals/too-many.js';
import { WheelRateLimits } from './wheel-rate-limits.service.js';

const minute = 60;

/** Limits how many codes of prizes a network may try. Redis counts for all replicas; while it is away each counts for itself. */
@Injectable()
export class LookupLimits {
  private readonly lookups: RateLimiterRedis;

  constructor(
    @Inject(CONFIG) config: PrizeWheelConfig,
    private readonly keys: WheelKeys,
    shared: WheelRateLimits,
  ) {
    this.lookups = shared.limiter('lookups', config.RATE_LIMIT_WHEEL_LOOKUPS_PER_MINUTE, minute);
  }

  /** @param address null for requests that did not come through the gateway: they are not counted @returns whether it was counted @throws Refusal 429 */
  async count(address: string | null): Promise<boolean> {
    if (address === null) return false;
    try {
      await this.lookups.consume(this.keyOf(address));
      return true;
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      throw tooMany(Math.max(1, Math.ceil(refused.msBeforeNext / 1_000)));
    }
  }

  /** Takes back what `count` counted. */
  async uncount(address: string | null): Promise<void> {
    if (address !== null) await this.lookups.reward(this.keyOf(address));
  }

  /** A digest, so that Redis holds no addresses. */
  private keyOf(address: string): string {
    return this.keys.network('lookups', clientNetwork(address)).toString('base64url');
  }
}
