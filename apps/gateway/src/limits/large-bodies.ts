import { type Caller, ConcurrencyLimiter } from '@decola/service-kit';

const maxWaitMs = 10_000;

/** Limits the bodies of many megabytes that are forwarded at the same time, per person and in total: a service holds each of them in memory. */
export class LargeBodies {
  private readonly perUser = new ConcurrencyLimiter({ maxConcurrent: 2, maxQueued: 4, maxWaitMs });
  private readonly total = new ConcurrencyLimiter({ maxConcurrent: 8, maxQueued: 64, maxWaitMs });

  /** Waits, with the body unread, until it may be forwarded. @returns the function that frees the place; null when none was free in time */
  async acquire(caller: Caller | null): Promise<(() => void) | null> {
    const releaseUser = await this.perUser.acquire(caller?.role === 'authenticated' ? caller.userId : '');
    if (releaseUser === null) return null;
    const releaseTotal = await this.total.acquire('');
    if (releaseTotal === null) {
      releaseUser();
      return null;
    }
    return () => {
      releaseTotal();
      releaseUser();
    };
  }
}
