import { Logger, clientNetwork } from '@decola/service-kit';
import { secondsToWait, SharedRateLimits } from '@decola/service-kit/rate-limits';
import type { RateLimiterRedis } from 'rate-limiter-flexible';
import { authEndpointOf, type EndpointLimit } from './auth-endpoints.js';
import type { GatewayConfig } from '../config/config.js';

/** Rate limits per person and per client address. Addresses of one IPv6 network count as one (`clientNetwork`). Redis counts for all replicas. */
export class RateLimits {
  private constructor(
    private readonly shared: SharedRateLimits,
    private readonly requests: RateLimiterRedis,
    private readonly auth: RateLimiterRedis,
    private readonly users: RateLimiterRedis,
    private readonly invalidWebhooks: RateLimiterRedis,
    private readonly exports: RateLimiterRedis,
    private readonly news: RateLimiterRedis,
    private readonly endpoints: Record<EndpointLimit, RateLimiterRedis>,
  ) {}

  static create(config: GatewayConfig, logger: Logger): RateLimits {
    const shared = new SharedRateLimits({ url: config.REDIS_URL, prefix: `${config.REDIS_PREFIX}rate:`, logger });
    const limiter = (name: string, points: number, seconds: number) => shared.limiter(name, points, seconds);
    return new RateLimits(
      shared,
      limiter('requests', config.RATE_LIMIT_REQUESTS_PER_MINUTE, 60),
      limiter('auth', config.RATE_LIMIT_AUTH_PER_5_MINUTES, 300),
      limiter('people', config.RATE_LIMIT_USER_REQUESTS_PER_MINUTE, 60),
      limiter('webhooks', config.RATE_LIMIT_WEBHOOK_FAILURES_PER_MINUTE, 60),
      limiter('exports', config.RATE_LIMIT_EXPORTS_PER_DAY, 86_400),
      limiter('news', 1, 86_400),
      {
        // A fifth per minute gives the same number in five minutes, but never all at once.
        token: limiter('token', Math.ceil(config.RATE_LIMIT_TOKEN_PER_5_MINUTES / 5), 60),
        verify: limiter('verify', config.RATE_LIMIT_VERIFY_PER_5_MINUTES, 300),
        account: limiter('account', config.RATE_LIMIT_ACCOUNT_PER_5_MINUTES, 300),
        secondFactor: limiter('second-factors', config.RATE_LIMIT_MFA_PER_2_MINUTES, 120),
      },
    );
  }

  /** To be awaited before the first request, so that a new replica knows what the others have counted. */
  waitForRedis(): Promise<void> {
    return this.shared.waitForRedis();
  }

  /** Counts a request of an address. @returns seconds to wait, or null when the request is within the limits */
  async countRequest(address: string, api: string, method: string, pathname: string): Promise<number | null> {
    const network = clientNetwork(address);
    const wait = await secondsToWait(this.requests.consume(network));
    if (wait !== null || api !== 'auth') return wait;
    const endpoint = authEndpointOf(method, pathname);
    const pause = await secondsToWait(this.auth.consume(network));
    if (pause !== null || endpoint === null) return pause;
    return secondsToWait(this.endpoints[endpoint.limit].consume(`${endpoint.name}:${network}`));
  }

  /** Counts a request of a person, from any address. @returns seconds to wait, or null */
  countUserRequest(userId: string): Promise<number | null> {
    return secondsToWait(this.users.consume(userId));
  }

  /**
   * `countRequest` and `countUserRequest` in one trip to Redis, for a request of an API without limits of its own. The person is not counted when the
   * address has to wait.
   */
  countRequestOf(userId: string, address: string): Promise<number | null> {
    return this.shared.countAll([
      [this.requests, clientNetwork(address)],
      [this.users, userId],
    ]);
  }

  /** Counts a data export of a person. @returns seconds to wait, or null */
  countExport(userId: string): Promise<number | null> {
    return secondsToWait(this.exports.consume(userId));
  }

  /** Reverts `countExport` for an export that failed. */
  async uncountExport(userId: string): Promise<void> {
    await this.exports.reward(userId).catch(() => undefined);
  }

  /** Claims a piece of news that every replica hears, and one of them passes on. @returns whether this replica is the one */
  async claimNews(id: string): Promise<boolean> {
    return (await secondsToWait(this.news.consume(id))) === null;
  }

  /** @returns seconds to wait for an address that sent too many invalid webhooks, or null */
  async webhookWaitSeconds(address: string): Promise<number | null> {
    const state = await this.invalidWebhooks.get(clientNetwork(address));
    return state !== null && state.remainingPoints <= 0 ? Math.ceil(state.msBeforeNext / 1000) : null;
  }

  /** Counts an invalid webhook of an address. Valid ones have no limit. */
  async countInvalidWebhook(address: string): Promise<void> {
    await secondsToWait(this.invalidWebhooks.consume(clientNetwork(address)));
  }

  close(): void {
    this.shared.close();
  }
}
