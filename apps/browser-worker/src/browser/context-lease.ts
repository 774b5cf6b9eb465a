/** The right to use a browser context. `AccountLease` implements it. */
export interface ContextLease {
  /** True while nobody else can hold the account, by the monotonic clock and by the wall clock. */
  readonly held: boolean;
  /** Aborted when the lease is lost. */
  readonly lost: AbortSignal;
  /**
   * Milliseconds until every process of the context must have ended, unless the lease is renewed. That moment is later than the one at which
   * `held` becomes false. May be negative.
   */
  readonly msUntilEnd: number;
  /** Calls `listener` at every renewal until the returned function is called. */
  onRenewed(listener: () => void): () => void;
}
