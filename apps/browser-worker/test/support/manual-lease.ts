import type { ContextLease } from '../../src/browser/context-lease.js';

/** A lease that a test controls: it is held until the test ends it. */
export class ManualLease implements ContextLease {
  private readonly loss = new AbortController();
  private readonly listeners = new Set<() => void>();
  msUntilEnd = 3_600_000;
  /** A test may set it to false without `lose`, as for a lease that expired unnoticed. */
  held = true;

  get lost(): AbortSignal {
    return this.loss.signal;
  }

  onRenewed(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  renew(msUntilEnd: number): void {
    this.msUntilEnd = msUntilEnd;
    for (const listener of this.listeners) listener();
  }

  lose(): void {
    this.held = false;
    this.loss.abort();
  }
}
