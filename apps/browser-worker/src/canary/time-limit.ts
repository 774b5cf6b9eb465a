import type { ContextLease } from '../browser/context-lease.js';

/** The right to use a browser context for a limited time. The operator's account is in no ledger of ours, so that no lease of it is needed. */
export class TimeLimit implements ContextLease {
  private readonly end: number;
  private readonly over = new AbortController();
  private readonly timer: NodeJS.Timeout;

  constructor(ms: number) {
    this.end = performance.now() + ms;
    this.timer = setTimeout(() => this.over.abort(), ms).unref();
  }

  get held(): boolean {
    return performance.now() < this.end;
  }

  get lost(): AbortSignal {
    return this.over.signal;
  }

  get msUntilEnd(): number {
    return this.end - performance.now();
  }

  /** It is never renewed. */
  onRenewed(): () => void {
    return () => undefined;
  }

  clear(): void {
    clearTimeout(this.timer);
  }
}
