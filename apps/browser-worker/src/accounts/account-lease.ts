/** The lease's commands to the store. */
interface LeaseCommands {
  /** Resolves with false when the lease is no longer ours. */
  renew(): Promise<boolean>;
  release(): Promise<boolean>;
}

/** One moment by two clocks, in ms. The monotonic clock stops while the machine is suspended; the wall clock may be set. */
export interface Moment {
  readonly monotonic: number;
  readonly wall: number;
}

export function clocksNow(): Moment {
  return { monotonic: performance.now(), wall: Date.now() };
}

/** Parts of the granted time: after the first the holder may not act any more, after the second none of its processes may run. */
const shareToAct = 0.9;
const shareToRun = 0.95;

/**
 * The right to act as one account. It renews itself, and it uses the local clock by which more time has passed to decide when it can no longer
 * be sure that the lease is still valid. From then on `held` is false for good and `lost` is aborted. Check `held` right before every action.
 */
export class AccountLease {
  private readonly loss = new AbortController();
  private readonly listeners = new Set<() => void>();
  private renewal: NodeJS.Timeout | undefined;
  private end: NodeJS.Timeout | undefined;
  private released = false;

  constructor(
    /** Grows with every lease of the account. */
    readonly fencingToken: number,
    private readonly ttlMs: number,
    /** When the request was sent that the store granted last. */
    private grantedAt: Moment,
    private readonly commands: LeaseCommands,
    private readonly now: () => Moment = clocksNow,
  ) {
    this.scheduleRenewal();
    this.watchEnd();
  }

  /** Aborted when the lease is lost. */
  get lost(): AbortSignal {
    return this.loss.signal;
  }

  /** True while nobody else can hold the account, with a margin of a tenth for the time between this check and the action. */
  get held(): boolean {
    if (!this.released && this.age >= this.ttlMs * shareToAct) this.lose();
    return !this.released && !this.loss.signal.aborted;
  }

  /** Milliseconds until every process of the account must have ended, unless the lease is renewed; negative when that time has passed. */
  get msUntilEnd(): number {
    return this.ttlMs * shareToRun - this.age;
  }

  /** Calls `listener` at every renewal until the returned function is called. */
  onRenewed(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Renews now; called by a timer. When Redis cannot be reached, the lease is lost only when the granted time is over. */
  async renew(): Promise<void> {
    if (!this.held) return;
    const askedAt = this.now();
    try {
      const isOurs = await this.commands.renew();
      // An answer that arrives too late, for example after a suspension, must not revive the lease.
      if (!this.held) return;
      if (!isOurs) return this.lose();
      this.grantedAt = askedAt;
      this.watchEnd();
      for (const listener of this.listeners) listener();
    } catch {
      // Redis is away: `held` becomes false by itself when the granted time is over
    }
  }

  /** Releases the account. Never throws: a lease that cannot be released expires. */
  async release(): Promise<void> {
    if (this.released) return;
    this.released = true;
    this.stopTimers();
    await this.commands.release().catch(() => undefined);
  }

  /** Milliseconds since the granted time began. */
  private get age(): number {
    const { monotonic, wall } = this.now();
    return Math.max(monotonic - this.grantedAt.monotonic, wall - this.grantedAt.wall);
  }

  /** Milliseconds until the holder may not act any more. */
  private get msToAct(): number {
    return Math.max(0, this.ttlMs * shareToAct - this.age);
  }

  private scheduleRenewal(): void {
    this.renewal = setTimeout(() => void this.renew().finally(() => this.held && this.scheduleRenewal()), this.ttlMs / 3);
    this.renewal.unref();
  }

  /** Makes sure that `lost` is aborted in time even when nobody reads `held` and a renewal is never answered. */
  private watchEnd(): void {
    clearTimeout(this.end);
    this.end = setTimeout(() => this.held && this.watchEnd(), Math.ceil(this.msToAct));
    this.end.unref();
  }

  private lose(): void {
    this.stopTimers();
    this.loss.abort();
  }

  private stopTimers(): void {
    clearTimeout(this.renewal);
    clearTimeout(this.end);
  }
}
