import { CONFIG, Logger } from '@decola/service-kit';
import { SharedRateLimits } from '@decola/service-kit/rate-limits';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { PrizeWheelConfig } from '../config/config.js';

/** The one connection to Redis, by which replicas share their counters. */
@Injectable()
export class WheelRateLimits extends SharedRateLimits implements OnModuleInit, OnApplicationShutdown {
  constructor(@Inject(CONFIG) config: Pick<PrizeWheelConfig, 'REDIS_URL' | 'REDIS_PREFIX'>, logger: Logger) {
    super({ url: config.REDIS_URL, prefix: `${config.REDIS_PREFIX}wheel:`, logger });
  }

  onModuleInit(): Promise<void> {
    return this.waitForRedis();
  }

  onApplicationShutdown(): void {
    this.close();
  }
}
