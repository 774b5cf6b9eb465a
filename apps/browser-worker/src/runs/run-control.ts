import { setTimeout as wait } from 'node:timers/promises';
import type { RunAction } from '@decola/contracts';
import type { AccountLease } from '../accounts/account-lease.js';
import { StopError, StoppingError } from '../driver/driver.errors.js';
import type { RunGuard } from '../driver/site-tab.js';

/** Resolves after `ms` milliseconds, or rejects when the signal is aborted before. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

const sleepByTimer: Sleep = (ms, signal) => wait(ms, undefined, { signal });

/** Ends a run from outside: when the account's lease is lost, when the worker stops, and when the account's quiet hours begin. */
export class RunControl implements RunGuard {
  /** The action under way, for the stop signal. */
  action: RunAction | null = null;

  constructor(
    private readonly lease: AccountLease,
    private readonly stopping: AbortSignal,
    private readonly end: { readonly at: Date; readonly now: () => Date } | null = null,
    private readonly random: () => number = Math.random,
    /** How pauses pass; by a timer unless the clock is a simulated one. */
    private readonly sleep: Sleep = sleepByTimer,
  ) {}

  get fencingToken(): number {
    return this.lease.fencingToken;
  }

  /** @throws StopError `lease_lost` when another worker may hold the account. */
  assertMayGoOn(): void {
    if (this.lease.held) return;
    throw new StopError({ class: 'lease_lost', row: null, action: this.action, evidence: { fencingToken: this.lease.fencingToken } });
  }

  /** To be called between two steps. @throws StoppingError when the worker stops or the run's time is over, and as `assertMayGoOn`. */
  betweenSteps(): void {
    this.assertMayGoOn();
    if (this.stopping.aborted || this.leftMs <= 0) throw new StoppingError();
  }

  /** Milliseconds until the run's time is over; Infinity when it has no end. */
  private get leftMs(): number {
    return this.end === null ? Infinity : this.end.at.getTime() - this.end.now().getTime();
  }

  /** A random duration within the bounds, in ms, uniformly distributed. */
  draw({ min, max }: { min: number; max: number }): number {
    return min + this.random() * Math.max(0, max - min);
  }

  /** Pauses for a random duration within the bounds, or until the run has to end. @throws as `betweenSteps`. */
  async pause(bounds: { min: number; max: number }): Promise<void> {
    this.betweenSteps();
    const drawnMs = this.draw(bounds);
    const { leftMs } = this;
    const ms = Math.min(drawnMs, leftMs);
    if (ms > 0) await this.sleep(ms, AbortSignal.any([this.lease.lost, this.stopping])).catch(() => undefined);
    this.betweenSteps();
    // A timer may fire a moment before the clock reaches the end of the run: a pause that was cut short by it is the run's last step.
    if (drawnMs >= leftMs) throw new StoppingError();
  }
}
