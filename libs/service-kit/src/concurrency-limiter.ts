export interface ConcurrencyLimits {
  /** How many calls of one key may run at the same time. */
  maxConcurrent: number;
  /** How many more calls of one key may wait for a free place. */
  maxQueued: number;
  /** How long a call may wait. */
  maxWaitMs: number;
}

interface KeyState {
  running: number;
  /** Callbacks of the calls that wait, oldest first. */
  queued: (() => void)[];
}

/** Limits how many calls of one key (a person, say) run at the same time. Further calls wait in order, for a bounded time. */
export class ConcurrencyLimiter {
  private readonly keys = new Map<string, KeyState>();

  constructor(private readonly limits: ConcurrencyLimits) {}

  /**
   * Waits for a free place.
   * @returns the function that frees the place, to be called exactly once; null when too many calls wait already, or none ended in time
   */
  async acquire(key: string): Promise<(() => void) | null> {
    const state = this.keys.get(key) ?? { running: 0, queued: [] };
    this.keys.set(key, state);
    if (state.running < this.limits.maxConcurrent) state.running += 1;
    else if (!(await this.waitForPlace(state))) return null;
    return () => this.release(key, state);
  }

  /** @returns whether the call got a place */
  private waitForPlace(state: KeyState): Promise<boolean> {
    if (state.queued.length >= this.limits.maxQueued) return Promise.resolve(false);
    return new Promise((resolve) => {
      const onPlaceFree = () => {
        clearTimeout(timer);
        resolve(true);
      };
      const timer = setTimeout(() => {
        state.queued.splice(state.queued.indexOf(onPlaceFree), 1);
        resolve(false);
      }, this.limits.maxWaitMs);
      state.queued.push(onPlaceFree);
    });
  }

  private release(key: string, state: KeyState): void {
    const next = state.queued.shift();
    // The place passes on to the next call, so the number of running calls stays the same.
    if (next) return next();
    state.running -= 1;
    if (state.running === 0) this.keys.delete(key);
  }
}
