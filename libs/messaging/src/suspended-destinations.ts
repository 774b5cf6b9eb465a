const firstDelayMs = 1_000;
const maxDelayMs = 5_000;

interface Suspension {
  failures: number;
  /** When the next attempt may begin, ms since the epoch; null while a message to the destination is under way. */
  retryAt: number | null;
}

/**
 * Destinations (queues of jobs, types of events) that do not accept messages, such as a quorum queue without a leader. Each is tried again with one
 * message at a time, after delays that double from 1 s to 5 s.
 */
export class SuspendedDestinations {
  private readonly suspensions = new Map<string, Suspension>();

  /** All suspended destinations. */
  get names(): string[] {
    return [...this.suspensions.keys()];
  }

  /** Suspends a destination while a message to it is under way: until `fail` or `resume` tells how it ended. */
  hold(destination: string): void {
    this.suspensions.set(destination, { failures: this.suspensions.get(destination)?.failures ?? 0, retryAt: null });
  }

  /** Records that a message was not accepted. @returns the delay before the next attempt, ms */
  fail(destination: string, now: number): number {
    const failures = (this.suspensions.get(destination)?.failures ?? 0) + 1;
    const delayMs = Math.min(maxDelayMs, firstDelayMs * 2 ** (failures - 1));
    this.suspensions.set(destination, { failures, retryAt: now + delayMs });
    return delayMs;
  }

  /** Destinations whose delay is over. */
  due(now: number): string[] {
    return [...this.suspensions].filter(([, { retryAt }]) => retryAt !== null && retryAt <= now).map(([destination]) => destination);
  }

  /** The destination accepts messages. @returns whether it had failed before */
  resume(destination: string): boolean {
    const hadFailed = (this.suspensions.get(destination)?.failures ?? 0) > 0;
    this.suspensions.delete(destination);
    return hadFailed;
  }
}
