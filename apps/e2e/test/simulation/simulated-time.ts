/**
 * The clock of a simulation. It stands still while anybody has something to do, and jumps to the next moment at which somebody wakes up.
 * Moments are multiples of the grain, so that what happens at nearly the same time happens at once.
 */
export class SimulatedTime {
  private readonly sleepers = new Map<number, Set<() => void>>();
  private sleeping = 0;
  private acting = 0;

  /** @param grainMs every sleep ends at the first multiple of it that is late enough */
  constructor(
    private ms: number,
    private readonly grainMs: number,
  ) {}

  get now(): Date {
    return new Date(this.ms);
  }

  /** How many of those that sleep or were started by `start` have something to do now. Runs count from outside (`alsoActing`). */
  awake(alsoActing: number): number {
    return this.acting + alsoActing - this.sleeping;
  }

  /** The next moment at which somebody wakes up; Infinity when nobody sleeps. */
  get nextWake(): number {
    return Math.min(...this.sleepers.keys(), Infinity);
  }

  /** Resolves when the clock has moved on by at least `ms`; rejects when the signal is aborted before. */
  readonly sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const at = Math.ceil((this.ms + ms) / this.grainMs) * this.grainMs;
      const moment = this.sleepers.get(at) ?? new Set();
      this.sleepers.set(at, moment);
      const end = (): void => {
        if (!moment.delete(wake)) return;
        this.sleeping -= 1;
        if (moment.size === 0 && this.sleepers.get(at) === moment) this.sleepers.delete(at);
        signal?.removeEventListener('abort', abort);
      };
      const wake = (): void => {
        end();
        resolve();
      };
      const abort = (): void => {
        end();
        reject(new Error('the sleep was interrupted'));
      };
      moment.add(wake);
      this.sleeping += 1;
      signal?.addEventListener('abort', abort);
    });

  /** Starts somebody who acts and sleeps on this clock. A failure is told to `onError`. */
  start(work: () => Promise<void>, onError: (error: unknown) => void): void {
    this.acting += 1;
    void work()
      .catch(onError)
      .finally(() => (this.acting -= 1));
  }

  /** Moves the clock, and wakes everybody who slept until then. */
  moveTo(ms: number): void {
    this.ms = ms;
    for (const [at, moment] of [...this.sleepers]) if (at <= ms) for (const wake of [...moment]) wake();
  }
}

/** A seeded generator of random numbers from 0 to 1, so that the same seed gives the same simulated people. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
