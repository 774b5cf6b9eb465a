import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import { createClient } from 'redis';

const longestPauseMs = 5_000;
/** Longest wait for Redis when a replica starts. */
const firstContactMs = 1_000;

export interface SharedLimitsOptions {
  url: string;
  /** What the names of all keys begin with. */
  prefix: string;
  logger: { warn(message: string): void };
}

/**
 * Counters in Redis that all replicas of a service share. While Redis is away each replica counts for itself: nobody waits for it, and nobody goes without
 * a limit.
 */
export class SharedLimits {
  private readonly redis: ReturnType<typeof createClient>;
  private readonly prefix: string;
  private isClosed = false;

  constructor({ url, prefix, logger }: SharedLimitsOptions) {
    this.prefix = prefix;
    this.redis = createClient({
      url,
      disableOfflineQueue: true,
      socket: { reconnectStrategy: (tries) => Math.min(100 * 2 ** tries, longestPauseMs) },
    });
    let isTold = false;
    this.redis.on('error', (error: Error) => {
      if (!isTold) logger.warn(`Redis is away, limits are counted per replica: ${error.message}`);
      isTold = true;
    });
    this.redis.on('ready', () => (isTold = false));
    // The client forgets a connection that it was still making when it was destroyed; that one ends as soon as it is made.
    this.redis.on('connect', () => {
      if (this.isClosed) this.redis.destroy();
    });
    this.redis.connect().catch(() => undefined); // the client goes on trying
  }

  /** Resolves when Redis answers, or soon without it: a replica that starts gives nobody what the others have counted already. */
  contact(): Promise<void> {
    if (this.redis.isReady) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, firstContactMs);
      this.redis.once('ready', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** @param points how many are free in the time that begins with the first. */
  limiter(name: string, points: number, durationSeconds: number): RateLimiterRedis {
    return new RateLimiterRedis({
      // The client's type names its protocol version; the limiter's does not.
      storeClient: this.redis as never,
      useRedisPackage: true,
      keyPrefix: `${this.prefix}${name}`,
      points,
      duration: durationSeconds,
      insuranceLimiter: new RateLimiterMemory({ points, duration: durationSeconds }),
    });
  }

  close(): void {
    this.isClosed = true;
    this.redis.destroy();
  }
}
