import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pTimeout, { TimeoutError } from 'p-timeout';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { periodically, type PeriodicWork } from './periodic.js';
import { type Redis, redisClient } from './redis.js';

const maxReconnectDelayMs = 5_000;
/** How long a starting replica waits for Redis. */
const firstConnectionMs = 1_000;
const connectTimeoutMs = 2_000;
/** Redis is pinged regularly, because the client itself waits for a response for ever. */
const ping = { everyMs: 1_000, timeoutMs: 2_000 };

/**
 * Counts one point in each key until a limit is exceeded, as `RateLimiterRedis` counts: replicas of both kinds share the counters. Arguments: period in seconds
 * and points of each key. Returns the rest of the period of the limit that is exceeded, in ms, or nothing.
 */
const countInOrder = `
for i = 1, #KEYS do
  local seconds = ARGV[2 * i - 1]
  local consumed = redis.call('incr', KEYS[i])
  if consumed == 1 then redis.call('expire', KEYS[i], seconds) end
  if consumed > tonumber(ARGV[2 * i]) then
    local ttl = redis.call('pttl', KEYS[i])
    if ttl == -1 then
      redis.call('expire', KEYS[i], seconds)
      ttl = 1000 * seconds
    end
    return ttl
  end
end
return false`;
const countInOrderDigest = createHash('sha1').update(countInOrder).digest('hex');

/** A limiter and the key to count in it. */
export type Count = readonly [limiter: RateLimiterRedis, key: string];

export interface SharedRateLimitsOptions {
  url: string;
  /** Prefix of all keys. */
  prefix: string;
  logger: { warn(message: string): void };
}

/**
 * Rate limits with counters in Redis that all replicas of a service share. While Redis is unavailable, each replica counts by itself: no request waits for
 * Redis, and none is without a limit.
 */
export class SharedRateLimits {
  private readonly redis: Redis;
  private readonly prefix: string;
  private readonly pinging: PeriodicWork;
  private isClosed = false;

  constructor({ url, prefix, logger }: SharedRateLimitsOptions) {
    this.prefix = prefix;
    this.redis = redisClient({
      url,
      disableOfflineQueue: true,
      socket: { connectTimeout: connectTimeoutMs, reconnectStrategy: (tries) => Math.min(100 * 2 ** tries, maxReconnectDelayMs) },
    });
    let isLogged = false;
    this.redis.on('error', (error: Error) => {
      if (!isLogged) logger.warn(`Redis is unavailable, limits are counted per replica: ${error.message}`);
      isLogged = true;
    });
    this.redis.on('ready', () => (isLogged = false));
    // `destroy` does not end a connection attempt that is under way; its connection must be closed when it is made.
    this.redis.on('connect', () => {
      if (this.isClosed) this.redis.destroy();
    });
    this.connect();
    this.pinging = periodically(() => this.checkConnection(), { intervalMs: ping.everyMs, onError: () => undefined });
  }

  private connect(): void {
    this.redis.connect().catch(() => undefined); // the client keeps trying
  }

  /** Replaces a connection that does not respond; the commands that wait for it fail. */
  private async checkConnection(): Promise<void> {
    if (!this.redis.isReady) return;
    let hasResponded = false;
    const response = this.redis.ping().then(() => (hasResponded = true));
    try {
      await pTimeout(response, { milliseconds: ping.timeoutMs });
    } catch (error) {
      if (!(error instanceof TimeoutError)) return;
      // A process that had no processor for so long runs its timers before it reads what arrived meanwhile.
      await nextTurn();
      if (hasResponded || this.isClosed) return;
      this.redis.destroy();
      this.connect();
    }
  }

  /**
   * Resolves when Redis responds, or after a short time without it. A replica that starts should wait for it, so that it does not count from zero what
   * others have counted already.
   */
  async waitForRedis(): Promise<void> {
    if (this.redis.isReady) return;
    const ready = new Promise<void>((resolve) => this.redis.once('ready', () => resolve()));
    await pTimeout(ready, { milliseconds: firstConnectionMs, message: false });
  }

  /** @param points how many are allowed within the period, which begins with the first one */
  limiter(name: string, points: number, durationSeconds: number): RateLimiterRedis {
    return new RateLimiterRedis({
      // The limiter's type does not know the client's protocol version.
      storeClient: this.redis as never,
      useRedisPackage: true,
      keyPrefix: `${this.prefix}${name}`,
      points,
      duration: durationSeconds,
      insuranceLimiter: new RateLimiterMemory({ points, duration: durationSeconds }),
    });
  }

  /**
   * Counts in several limits in one trip, in their order, and in none after the first that refuses: as a sequence of `consume`.
   * @returns seconds to wait; null when all limits admit it
   */
  async countAll(counts: readonly Count[]): Promise<number | null> {
    const keys = counts.map(([limiter, key]) => limiter.getKey(key));
    const values = counts.flatMap(([{ duration, points }]) => [String(duration), String(points)]);
    let msBeforeNext: unknown;
    try {
      msBeforeNext = await this.redis
        .evalSha(countInOrderDigest, { keys, arguments: values })
        .catch((error: Error) =>
          error.message.startsWith('NOSCRIPT') ? this.redis.eval(countInOrder, { keys, arguments: values }) : Promise.reject(error),
        );
    } catch {
      // Each limiter knows what to do without Redis.
      for (const [limiter, key] of counts) {
        const wait = await secondsToWait(limiter.consume(key));
        if (wait !== null) return wait;
      }
      return null;
    }
    return msBeforeNext === null ? null : Math.ceil(Number(msBeforeNext) / 1000);
  }

  close(): void {
    this.isClosed = true;
    void this.pinging.stop();
    this.redis.destroy();
  }
}

/** @returns seconds to wait when the limit refuses it, or null */
export async function secondsToWait(consumption: Promise<RateLimiterRes>): Promise<number | null> {
  try {
    await consumption;
    return null;
  } catch (refused) {
    if (refused instanceof RateLimiterRes) return Math.ceil(refused.msBeforeNext / 1000);
    throw refused;
  }
}
