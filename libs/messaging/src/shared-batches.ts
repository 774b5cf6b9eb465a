import { FailedInBatchError } from './shared-transactions.js';

export interface SharedBatchesOptions<Entry, Outcome> {
  maxSize: number;
  /** Applies the effects of all entries or of none. It throws `FailedInBatchError` when it knows which entry failed. */
  applyTogether: (entries: readonly Entry[]) => Promise<Outcome>;
  /** What becomes of an entry that failed by itself, or with all others. */
  onFailure: (entry: Entry, error: unknown) => Promise<Outcome>;
  /** Whether every entry would fail now, because the database is away. */
  concernsAll: (error: unknown) => boolean;
}

interface Waiting<Entry, Outcome> {
  entry: Entry;
  resolve: (outcome: Outcome | Promise<Outcome>) => void;
}

/**
 * Collects entries while a batch is under way; together they are the next one. When a batch fails, its parts are applied, in order, until what failed stands alone:
 * it does not roll its neighbours back, and they do not wait for what happens to it.
 */
export class SharedBatches<Entry, Outcome> {
  private readonly waiting: Waiting<Entry, Outcome>[] = [];
  private isRunning = false;

  constructor(private readonly options: SharedBatchesOptions<Entry, Outcome>) {}

  /** Resolves when the entry was applied; when it failed, as `onFailure` does. */
  add(entry: Entry): Promise<Outcome> {
    return new Promise((resolve) => {
      this.waiting.push({ entry, resolve });
      if (this.isRunning) return;
      this.isRunning = true;
      // Entries that arrive in one packet belong to one batch.
      setImmediate(() => void this.run());
    });
  }

  private async run(): Promise<void> {
    while (this.waiting.length > 0) await this.apply(this.waiting.splice(0, this.options.maxSize));
    this.isRunning = false;
  }

  private async apply(batch: readonly Waiting<Entry, Outcome>[]): Promise<void> {
    if (batch.length === 0) return;
    try {
      const outcome = await this.options.applyTogether(batch.map(({ entry }) => entry));
      for (const { resolve } of batch) resolve(outcome);
    } catch (error) {
      const [cause, failed] = error instanceof FailedInBatchError ? [error.cause, error.index] : [error, undefined];
      if (batch.length === 1 || this.options.concernsAll(cause)) {
        for (const { entry, resolve } of batch) resolve(this.options.onFailure(entry, cause));
        return;
      }
      const half = Math.ceil(batch.length / 2);
      const [from, to] = failed === undefined ? [half, half] : [failed, failed + 1];
      for (const part of [batch.slice(0, from), batch.slice(from, to), batch.slice(to)]) await this.apply(part);
    }
  }
}
