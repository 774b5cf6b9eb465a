import { Logger, networkOf } from '@decola/service-kit';
import { SharedLimits } from '@decola/service-kit/limits';
import { type RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { authEndpointOf, type EndpointLimit } from './auth-endpoints.js';
import type { GatewayConfig } from './config.js';

/** Limits by person, and by address: those of one network count as one (`networkOf`). */
export class RateLimits {
  private constructor(
    private readonly shared: SharedLimits,
    private readonly requests: RateLimiterRedis,
    private readonly auth: RateLimiterRedis,
    private readonly people: RateLimiterRedis,
    private readonly webhookFailures: RateLimiterRedis,
    private readonly exports: RateLimiterRedis,
    private readonly endpoints: Record<EndpointLimit, RateLimiterRedis>,
  ) {}

  static create(config: GatewayConfig, logger: Logger): RateLimits {
    const shared = new SharedLimits({ url: config.REDIS_URL, prefix: `${config.REDIS_PREFIX}rate:`, logger });
    const limiter = (name: string, points: number, seconds: number) => shared.limiter(name, points, seconds);
    return new RateLimits(
      shared,
      limiter('requests', config.RATE_LIMIT_REQUESTS_PER_MINUTE, 60),
      limiter('auth', config.RATE_LIMIT_AUTH_PER_5_MINUTES, 300),
      limiter('people', config.RATE_LIMIT_USER_REQUESTS_PER_MINUTE, 60),
      limiter('webhooks', config.RATE_LIMIT_WEBHOOK_FAILURES_PER_MINUTE, 60),
      limiter('exports', config.RATE_LIMIT_EXPORTS_PER_DAY, 86_400),
      {
        // By the minute: as many in five of them, and never all at once.
        token: limiter('token', Math.ceil(config.RATE_LIMIT_TOKEN_PER_5_MINUTES / 5), 60),
        verify: limiter('verify', config.RATE_LIMIT_VERIFY_PER_5_MINUTES, 300),
        account: limiter('account', config.RATE_LIMIT_ACCOUNT_PER_5_MINUTES, 300),
        secondFactor: limiter('second-factors', config.RATE_LIMIT_MFA_PER_2_MINUTES, 120),
      },
    );
  }

  /** Awaited before the first request. */
  contact(): Promise<void> {
    return this.shared.contact();
  }

  /** Counts a request of this address. @returns seconds to wait, or null when the request may go on. */
  async take(address: string, api: string, method: string, pathname: string): Promise<number | null> {
    const network = networkOf(address);
    const wait = await secondsToWait(this.requests.consume(network));
    if (wait !== null || api !== 'auth') return wait;
    const endpoint = authEndpointOf(method, pathname);
    const pause = await secondsToWait(this.auth.consume(network));
    if (pause !== null || endpoint === null) return pause;
    return secondsToWait(this.endpoints[endpoint.limit].consume(`${endpoint.name}:${network}`));
  }

  /** Counts a request of this person, from wherever. @returns seconds to wait, or null. */
  takePerson(userId: string): Promise<number | null> {
    return secondsToWait(this.people.consume(userId));
  }

  /** Counts a copy of this person's data. @returns seconds to wait, or null. */
  takeExport(userId: string): Promise<number | null> {
    return secondsToWait(this.exports.consume(userId));
  }

  /** The copy could not be made: it does not count. */
  async giveBackExport(userId: string): Promise<void> {
    await this.exports.reward(userId).catch(() => undefined);
  }

  /** @returns seconds to wait for an address whose webhooks were refused too often, or null. */
  async webhookWait(address: string): Promise<number | null> {
    const state = await this.webhookFailures.get(networkOf(address));
    return state !== null && state.remainingPoints <= 0 ? Math.ceil(state.msBeforeNext / 1000) : null;
  }

  async webhookRefused(address: string): Promise<void> {
    await secondsToWait(this.webhookFailures.consume(networkOf(address)));
  }

  close(): void {
    this.shared.close();
  }
}

async function secondsToWait(consumption: Promise<RateLimiterRes>): Promise<number | null> {
  try {
    await consumption;
    return null;
  } catch (refused) {
    if (refused instanceof RateLimiterRes) return Math.ceil(refused.msBeforeNext / 1000);
    throw refused;
  }
}
