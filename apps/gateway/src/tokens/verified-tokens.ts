import { hash } from 'node:crypto';
import { type AuthenticatedCaller, RecentMap } from '@decola/service-kit';
import { maxAgeMs } from './published-keys.js';

/** Tokens of people who are online, in one replica: some MB. */
const defaultMax = 10_000;

/**
 * Callers by the digest of their token, whose signature and claims were verified with the current keys. Verifying a signature again would give the same result
 * until the token expires or other keys are fetched; whether its session is active is not known here.
 */
export class VerifiedTokens {
  private readonly callers: RecentMap<string, AuthenticatedCaller>;
  private usableUntil = -Infinity;
  private current = 0;

  constructor(
    private readonly clockToleranceSeconds: number,
    max = defaultMax,
    private readonly monotonic: () => number = () => performance.now(),
  ) {
    this.callers = new RecentMap(max);
  }

  get size(): number {
    return this.callers.size;
  }

  /** Names the keys that tokens are verified with now. */
  get generation(): number {
    return this.current;
  }

  /** Forgets all tokens, since new keys were fetched. They may be used for `maxAgeMs`, and so may what is verified with them. */
  renew(): void {
    this.callers.clear();
    this.current += 1;
    this.usableUntil = this.monotonic() + maxAgeMs;
  }

  /** @param generation that of before the verification, which may have used older keys */
  add(token: string, caller: AuthenticatedCaller, generation: number): void {
    if (generation === this.current) this.callers.set(digestOf(token), caller);
  }

  get(token: string): AuthenticatedCaller | undefined {
    const caller = this.callers.get(digestOf(token));
    return caller && this.isCurrent(caller.expiresAt) ? caller : undefined;
  }

  /** Whether a token that expires then (epoch seconds), and the keys that it was verified with, are still valid. */
  isCurrent(expiresAt: number): boolean {
    return this.monotonic() < this.usableUntil && expiresAt > Math.floor(Date.now() / 1000) - this.clockToleranceSeconds;
  }
}

/** Not the token itself: it is a secret. */
const digestOf = (token: string) => hash('sha256', token, 'base64');
