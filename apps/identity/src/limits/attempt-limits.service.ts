import { createHash } from 'node:crypto';
import { CONFIG, Logger, clientNetwork } from '@decola/service-kit';
import { SharedRateLimits } from '@decola/service-kit/rate-limits';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { type RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { tooManyRequests } from '../auth-protocol/auth.errors.js';
import type { IdentityConfig } from '../config/config.js';

/** Attempts per account and network in one window that need not wait. */
const freeAttempts = 5;
/** The same while the account is under attack, for a network from which nobody ever signed in to it. */
const freeAttemptsUnderAttack = 1;
/** Wrong attempts from all networks together, in one window, that count as an attack on the account. */
const attackThreshold = 50;
const windowSeconds = 900;
/** The first wait under attack; each further one is twice as long. With one second each, many networks could still make many attempts. */
const firstWaitUnderAttackSeconds = 60;
const longestWaitSeconds = 300;
const hourSeconds = 3_600;

export interface Attempt {
  /** What is checked: `password`, `current_password` or `code`. */
  kind: string;
  /** E-mail address or user id, whether such an account exists or not. */
  account: string;
  /** IP address; addresses of one network count together (`clientNetwork`). */
  ip: string | null;
  /** Whether somebody signed in to the account from this network before. Asked only under attack. */
  isKnownNetwork: () => Promise<boolean>;
}

/**
 * Limits attempts at passwords and codes. After some wrong attempts each further one must wait, twice as long every time, but at most
 * minutes and only for the network that made them: attacks from elsewhere never lock the owner out. While Redis is away each replica counts
 * for itself. Also counts the mails of an hour.
 */
@Injectable()
export class AttemptLimits implements OnModuleInit, OnApplicationShutdown {
  private readonly shared: SharedRateLimits;
  /** Attempts per account and network, refused ones too. */
  private readonly attempts: RateLimiterRedis;
  /** One attempt per wait, per account and network. */
  private readonly turns: RateLimiterRedis;
  /** Turns taken, per account and network. */
  private readonly turnsTaken: RateLimiterRedis;
  /** Wrong attempts per account. */
  private readonly wrong: RateLimiterRedis;
  private readonly mails: RateLimiterRedis;

  constructor(@Inject(CONFIG) config: IdentityConfig, logger: Logger) {
    this.shared = new SharedRateLimits({ url: config.REDIS_URL, prefix: `${config.REDIS_PREFIX}identity:`, logger });
    const limiter = (name: string, points: number, seconds: number) => this.shared.limiter(name, points, seconds);
    this.attempts = limiter('tries', freeAttempts, windowSeconds);
    this.turns = limiter('turns', 1, longestWaitSeconds);
    this.turnsTaken = limiter('taken', windowSeconds, windowSeconds);
    this.wrong = limiter('wrong', attackThreshold, windowSeconds);
    this.mails = limiter('mails', config.MAILS_PER_HOUR, hourSeconds);
  }

  onModuleInit(): Promise<void> {
    return this.shared.waitForRedis();
  }

  /**
   * Calls `verify` within the limits. A right attempt clears the wrong ones of its network.
   * @returns what `verify` returns
   * @throws AuthError 429, without calling `verify`, while the network must wait
   */
  async check({ kind, account, ip, isKnownNetwork }: Attempt, verify: () => Promise<boolean>): Promise<boolean> {
    // Digests, so that Redis holds no addresses.
    const accountKey = digest(`${kind}\n${account}`);
    const key = digest(`${kind}\n${account}\n${ip === null ? '' : clientNetwork(ip)}`);
    // Counted before they are checked, so that attempts at the same moment see each other.
    const [wrong, counted] = await Promise.all([this.wrong.get(accountKey), this.attempts.penalty(key)]);
    const attempts = countOf(counted);
    const isAttacked = countOf(wrong) >= attackThreshold && !(await isKnownNetwork());
    const free = isAttacked ? freeAttemptsUnderAttack : freeAttempts;
    const firstWait = isAttacked ? firstWaitUnderAttackSeconds : 1;
    if (attempts > free) await this.takeTurn(key, firstWait);
    await this.wrong.penalty(accountKey);
    if (!(await verify())) {
      // The last free attempt begins the first wait.
      if (attempts === free) await this.turns.penalty(key, 1, { customDuration: firstWait });
      return false;
    }
    await Promise.all([this.wrong.reward(accountKey), this.attempts.delete(key), this.turns.delete(key), this.turnsTaken.delete(key)]);
    return true;
  }

  /**
   * After the free attempts there is one per wait; the one that takes it begins the next, which is twice as long as the one before. Refused
   * attempts do not count: a crowd of them at one moment lengthens no wait.
   * @throws AuthError 429 when it is already taken
   */
  private async takeTurn(key: string, firstWaitSeconds: number): Promise<void> {
    const taken = countOf(await this.turnsTaken.get(key));
    const waitSeconds = Math.min(firstWaitSeconds * 2 ** taken, longestWaitSeconds);
    try {
      await this.turns.consume(key, 1, { customDuration: waitSeconds });
    } catch (refused) {
      if (refused instanceof RateLimiterRes) throw tooManyRequests(Math.max(1, Math.ceil(refused.msBeforeNext / 1000)));
      throw refused;
    }
    await this.turnsTaken.penalty(key);
  }

  /** Seconds until mails may be sent again after the hour's are used up; null while some are left. */
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
const countOf = (state: RateLimiterRes | null) => state?.consumedPoints ?? 0;
