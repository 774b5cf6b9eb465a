import { DatabaseClient } from './database-client.js';
import { isOutage } from './outage.js';

export interface Outage {
  since: Date;
  /** Message of the first failure; one line. */
  reason: string;
}

export interface DatabaseWatchOptions {
  /** Rejects while the database cannot be used. */
  probe: (timeoutMs: number) => Promise<void>;
  /** Pause before the first probe. Default: 100 ms. */
  minPauseMs?: number;
  /** Maximum pause between two probes, hence between the database's return and its detection. Default: 1 s. */
  maxPauseMs?: number;
}

/** Time-out of a probe: it grows while probes time out, so that a slow database is detected too. */
const probeTimeoutsMs = { first: 1_500, max: 5_000 };

/** An outage that begins this soon after the last one counts as its continuation: probes keep their pause. */
const sameOutageMs = 10_000;

/**
 * Detects outages of the database. Callers report failed work; when an outage caused the failure, the watch probes the database until it answers, and
 * notifies its listeners, which stop their work meanwhile.
 */
export class DatabaseWatch {
  private current: Outage | null = null;
  private pauseMs: number;
  private recoveredAt = Number.NEGATIVE_INFINITY;
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;
  private readonly listeners: { onOutage: () => void; onRecovery: () => void }[] = [];
  private readonly minPauseMs: number;
  private readonly maxPauseMs: number;

  constructor(private readonly options: DatabaseWatchOptions) {
    this.minPauseMs = options.minPauseMs ?? 100;
    this.maxPauseMs = options.maxPauseMs ?? 1_000;
    this.pauseMs = this.minPauseMs;
  }

  /** A watch over the database of this URL. Each probe opens a new connection, because those of the pool may hang. */
  static of(url: string, options: Omit<DatabaseWatchOptions, 'probe'> = {}): DatabaseWatch {
    return new DatabaseWatch({ ...options, probe: (timeoutMs) => probe(url, timeoutMs) });
  }

  /** The outage under way; null while none is known. */
  get outage(): Outage | null {
    return this.current;
  }

  /** `onOutage` is called when an outage was detected, `onRecovery` when the database answers again. */
  listen(listener: { onOutage: () => void; onRecovery: () => void }): void {
    this.listeners.push(listener);
  }

  /** Reports failed work. @returns whether an outage caused the failure; then the work should be repeated after the recovery */
  noteFailure(error: unknown): boolean {
    if (!isOutage(error)) return false;
    if (this.current || this.isStopped) return true;
    const now = Date.now();
    this.pauseMs = now - this.recoveredAt < sameOutageMs ? Math.min(this.pauseMs * 2, this.maxPauseMs) : this.minPauseMs;
    this.current = { since: new Date(now), reason: firstLineOf(error) };
    for (const { onOutage } of this.listeners) onOutage();
    this.scheduleProbe(probeTimeoutsMs.first);
    return true;
  }

  /** For readiness: rejects with the reason during an outage. */
  assertAvailable(): Promise<void> {
    if (!this.current) return Promise.resolve();
    return Promise.reject(new Error(`database away since ${this.current.since.toISOString()} (${this.current.reason}): not consuming`));
  }

  /** Ends probing. */
  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  private scheduleProbe(timeoutMs: number): void {
    if (this.isStopped) return;
    this.timer = setTimeout(() => {
      const startedAt = performance.now();
      this.options.probe(timeoutMs).then(
        () => this.endOutage(),
        () => {
          const isTimedOut = performance.now() - startedAt >= timeoutMs;
          this.pauseMs = Math.min(this.pauseMs * 2, this.maxPauseMs);
          this.scheduleProbe(isTimedOut ? Math.min(timeoutMs * 1.5, probeTimeoutsMs.max) : probeTimeoutsMs.first);
        },
      );
    }, this.pauseMs);
  }

  private endOutage(): void {
    if (this.isStopped) return;
    this.current = null;
    this.recoveredAt = Date.now();
    for (const { onRecovery } of this.listeners) onRecovery();
  }
}

/** Connects and queries. Rejects for a read-only standby too: during a failover it answers but cannot be written to. */
async function probe(url: string, timeoutMs: number): Promise<void> {
  const client = new DatabaseClient({
    connectionString: url,
    application_name: 'database watch',
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  try {
    await client.connect();
    const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
    if (rows[0]?.standby) throw new Error('the database is a read-only standby');
  } finally {
    void client.end().catch(() => undefined);
  }
}

function firstLineOf(error: unknown): string {
  return (error instanceof Error ? error.message || error.name : String(error)).split('\n', 1)[0] ?? '';
}
