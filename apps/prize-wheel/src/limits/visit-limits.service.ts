import { CONFIG } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { type RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { PrizeWheelConfig } from '../config/config.js';
import { WheelRateLimits } from './wheel-rate-limits.service.js';

const minute = 60;
/** How many times as much as without a proof is answered with one. */
const withProof = 10;
/** How many times as much is allowed while a wheel stands at an event. */
const atEvent = 10;
const longestProofSeconds = 600;

/** What a spin or a look-up may do: go on, go on with a proof of work, or wait. */
export type Allowance = { kind: 'free' } | { kind: 'proof' } | { kind: 'wait'; seconds: number };

/** Whose spins count together, and how. */
export interface Visit {
  automationId: string;
  /** Digest of the visitor's network. */
  network: Buffer;
  /** The wheel stands at an event now: many visitors share its network. */
  isEvent: boolean;
}

/**
 * Counts spins and look-ups of handles per wheel and network. Families and carriers share addresses, so the first step asks for a proof of work instead of
 * refusing. Redis counts for all replicas; while it is away each counts for itself.
 */
@Injectable()
export class VisitLimits {
  private readonly spins: RateLimiterRedis;
  private readonly checks: RateLimiterRedis;
  private readonly proofs: RateLimiterRedis;
  private readonly freeSpins: number;
  private readonly freeChecks: number;

  constructor(@Inject(CONFIG) config: PrizeWheelConfig, shared: WheelRateLimits) {
    this.freeSpins = config.RATE_LIMIT_WHEEL_SPINS_PER_MINUTE;
    this.freeChecks = config.RATE_LIMIT_WHEEL_CHECKS_PER_MINUTE;
    this.spins = shared.limiter('spins', this.freeSpins, minute);
    this.checks = shared.limiter('checks', this.freeChecks, minute);
    this.proofs = shared.limiter('proofs', 1, longestProofSeconds);
  }

  /** @param points 1, or 2 for a client that does not say when its form was shown */
  async countSpin(visit: Visit, points: number): Promise<Allowance> {
    return allowance(await this.spins.penalty(keyOf(visit), points), this.freeSpins, visit);
  }

  /** Takes back what `countSpin` counted, for a repeat of a spin that was answered before. */
  async uncountSpin(visit: Visit, points: number): Promise<void> {
    await this.spins.reward(keyOf(visit), points);
  }

  /** Look-ups are never refused: above their limit each costs a proof. */
  async countCheck(visit: Visit): Promise<Allowance> {
    const counted = allowance(await this.checks.penalty(keyOf(visit)), this.freeChecks, visit);
    return counted.kind === 'wait' ? { kind: 'proof' } : counted;
  }

  /** @returns whether nobody used this id before. @param seconds how long the id could be used */
  async useOnce(id: string, seconds: number): Promise<boolean> {
    try {
      await this.proofs.consume(id, 1, { customDuration: seconds });
      return true;
    } catch (refused) {
      if (refused instanceof RateLimiterRes) return false;
      throw refused;
    }
  }
}

const keyOf = ({ automationId, network }: Visit): string => `${automationId}:${network.toString('base64url')}`;

function allowance({ consumedPoints, msBeforeNext }: RateLimiterRes, free: number, { isEvent }: Visit): Allowance {
  const unproven = free * (isEvent ? atEvent : 1);
  if (consumedPoints <= unproven) return { kind: 'free' };
  if (consumedPoints <= unproven * withProof) return { kind: 'proof' };
  return { kind: 'wait', seconds: Math.max(1, Math.ceil(msBeforeNext / 1_000)) };
}
