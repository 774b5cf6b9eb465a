import { createHash } from 'node:crypto';
import { CONFIG, Logger, networkOf } from '@decola/service-kit';
import { SharedLimits } from '@decola/service-kit/limits';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { type RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { tooManyRequests } from '../auth/auth.errors.js';
import type { IdentityConfig } from '../config.js';

/** Wrong tries that cost nothing, per account and address, in one window. */
const freeTries = 5;
/** The same for an address that never signed in to an account which many addresses are trying at. */
const freeTriesUnderAttack = 1;
/** Wrong tries from all addresses together, in one window, that make it an attack. */
const attackTries = 50;
const windowSeconds = 900;
/** The first wait; each further one is twice as long. Many addresses with a second each would still be many tries. */
const firstWaitUnderAttackSeconds = 60;
const longestWaitSeconds = 300;
const hourSeconds = 3_600;

export interface Try {
  /** What is proven, such as `password`. */
  of: string;
  /** Whose: an address or a user id, of people that exist and of others alike. */
  account: string;
  /** Those of one network count as one (`networkOf`). */
  address: string | null;
  /** Whether this address has proven itself for this account before; asked only under attack. */
  isKnownAddress: () => Promise<boolean>;
}

/**
 * Limits on proving a secret. After some wrong tries each further one must wait, longer every time, but never longer than minutes and
 * only where the wrong ones came from: whoever guesses from elsewhere locks nobody out. While Redis is away each replica counts alone.
 */
@Injectable()
export class Tries implements OnModuleInit, OnApplicationShutdown {
  private readonly shared: SharedLimits;
  private readonly made: RateLimiterRedis;
  private readonly turns: RateLimiterRedis;
  private readonly wrong: RateLimiterRedis;
  private readonly mails: RateLimiterRedis;

  constructor(@Inject(CONFIG) config: IdentityConfig, logger: Logger) {
    this.shared = new SharedLimits({ url: config.REDIS_URL, prefix: `${config.REDIS_PREFIX}identity:`, logger });
    const limiter = (name: string, points: number, seconds: number) => this.shared.limiter(name, points, seconds);
    this.made = limiter('tries', freeTries, windowSeconds);
    this.turns = limiter('turns', 1, longestWaitSeconds);
    this.wrong = limiter('wrong', attackTries, windowSeconds);
    this.mails = limiter('mails', config.MAILS_PER_HOUR, hourSeconds);
  }

  onModuleInit(): Promise<void> {
    return this.shared.contact();
  }

  /**
   * Checks a secret within the limits. A right one forgets the wrong ones before it.
   * @throws AuthError 429 without a check when it must wait
   */
  async check({ of, account, address, isKnownAddress }: Try, isRight: () => Promise<boolean>): Promise<boolean> {
    // Nobody's address is kept in Redis.
    const accountKey = digest(`${of}\n${account}`);
    const key = digest(`${of}\n${account}\n${address === null ? '' : networkOf(address)}`);
    const [wrong, made] = await Promise.all([this.wrong.get(accountKey), this.made.get(key)]);
    const before = used(made);
    const isAttacked = used(wrong) >= attackTries && !(await isKnownAddress());
    const free = isAttacked ? freeTriesUnderAttack : freeTries;
    const firstWait = isAttacked ? firstWaitUnderAttackSeconds : 1;
    const waitAfter = (tries: number) => Math.min(firstWait * 2 ** (tries - free), longestWaitSeconds);
    if (before >= free) await this.takeTurn(key, waitAfter(before));
    const now = used(await this.made.penalty(key));
    if (before < free && now > free) {
      // Many at the same moment: those beyond the free ones were never made.
      await this.made.reward(key);
      throw tooManyRequests(1);
    }
    // Counted before it is known, so that many at the same moment count each other.
    await this.wrong.penalty(accountKey);
    if (!(await isRight())) {
      // The last free one begins the first wait.
      if (now === free) await this.turns.penalty(key, 1, { customDuration: waitAfter(now) });
      return false;
    }
    await Promise.all([this.wrong.reward(accountKey), this.made.delete(key), this.turns.delete(key)]);
    return true;
  }

  /** Beyond the free ones there is one try per wait, whoever comes first. */
  private async takeTurn(key: string, waitSeconds: number): Promise<void> {
    try {
      await this.turns.consume(key, 1, { customDuration: waitSeconds });
    } catch (refused) {
      if (refused instanceof RateLimiterRes) throw tooManyRequests(Math.max(1, Math.ceil(refused.msBeforeNext / 1000)));
      throw refused;
    }
  }

  /** How long there will be no mail, because the hour's are used up; null when there is one. */
  async secondsUntilMails(): Promise<number | null> {
    const state = await this.mails.get('all');
    return state !== null && state.remainingPoints <= 0 ? Math.max(1, Math.ceil(state.msBeforeNext / 1000)) : null;
  }

  async countMail(): Promise<void> {
    await this.mails.penalty('all');
  }

  onApplicationShutdown(): void {
    this.shared.close();
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest('base64url');
const used = (state: RateLimiterRes | null) => state?.consumedPoints ?? 0;
