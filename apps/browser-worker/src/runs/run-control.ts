import { setTimeout as sleep } from 'node:timers/promises';
import type { RunAction } from '@decola/contracts';
import type { AccountLease } from '../accounts/account-lease.js';
import { StopError, StoppingError } from '../driver/errors.js';
import type { RunGuard } from '../driver/site-tab.js';

/** What may end a run from outside: the lease, and the worker that is asked to stop. */
export class RunControl implements RunGuard {
  /** The action under way, for the stop signal. */
  action: RunAction | null = null;

  constructor(
    private readonly lease: AccountLease,
    private readonly stopping: AbortSignal,
    private readonly random: () => number = Math.random,
  ) {}

  get fencingToken(): number {
    return this.lease.fencingToken;
  }

  /** @throws StopError `lease_lost`: somebody else may hold the account, so nothing more is done with it. */
  assertMayGoOn(): void {
    if (this.lease.held) return;
    throw new StopError({ class: 'lease_lost', row: null, action: this.action, evidence: { fencingToken: this.lease.fencingToken } });
  }

  /** Between two steps. @throws StoppingError when the worker is asked to stop, and as `assertMayGoOn`. */
  betweenSteps(): void {
    this.assertMayGoOn();
    if (this.stopping.aborted) throw new StoppingError();
  }

  /** How long a person would wait, drawn evenly, ms. */
  draw({ min, max }: { min: number; max: number }): number {
    return min + this.random() * Math.max(0, max - min);
  }

  /** A pause of a person's length, drawn evenly. It ends at once when the run must. @throws as `betweenSteps`. */
  async pause(bounds: { min: number; max: number }): Promise<void> {
    this.betweenSteps();
    const ms = this.draw(bounds);
    if (ms > 0) await sleep(ms, undefined, { signal: AbortSignal.any([this.lease.lost, this.stopping]) }).catch(() => undefined);
    this.betweenSteps();
  }
}
