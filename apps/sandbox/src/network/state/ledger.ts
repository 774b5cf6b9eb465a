/** Everything that was done on the network, and what the network thinks of it. */

export type LedgerAction =
  'page' | 'profile' | 'posts' | 'post' | 'hashtag' | 'list_page' | 'show_many' | 'suggestions' | 'route' | 'follow' | 'unfollow' | 'call';

export type Verdict =
  'double_action' | 'after_objection' | 'same_moment' | 'two_at_once' | 'forged_call' | 'ceiling_exceeded' | 'unfollow_of_stranger';

export interface LedgerEntry {
  id: number;
  /** Network time. */
  at: number;
  /** Who did it; null when nobody was logged in. */
  account: string | null;
  accountId: string | null;
  action: LedgerAction;
  /** Username, hashtag or shortcode. */
  target: string | null;
  targetId: string | null;
  /** `done`: it holds. `objected`: refused with the objection in `objection`. `refused`: not allowed. `undone`: accepted, not kept. */
  result: 'done' | 'requested' | 'objected' | 'refused' | 'undone' | 'read';
  objection: string | null;
  build: string;
  verdicts: Verdict[];
  /** Particulars: why forged, which page of a list. */
  detail: Record<string, string | number | boolean | null | string[]>;
}

export interface LedgerFilter {
  account?: string;
  action?: string;
  target?: string;
  verdict?: string;
  /** `true`: only entries with a verdict. */
  verdicts?: boolean;
  since?: number;
  after?: number;
  limit?: number;
}

/** Reads are many (an extraction makes thousands) and keep only the newest; actions and verdicts are kept for good. */
const keptReads = 20_000;

export class Ledger {
  private kept: LedgerEntry[] = [];
  private reads: LedgerEntry[] = [];
  private nextId = 1;
  /** (account, action, target) of everything that was done, for double actions and strangers. */
  private readonly done = new Map<string, number>();
  private readonly times = new Map<string, number[]>();
  readonly counts = new Map<string, number>();
  private readonly listeners = new Set<(entry: LedgerEntry) => void>();

  add(entry: Omit<LedgerEntry, 'id'>): LedgerEntry {
    const stored = { id: this.nextId++, ...entry };
    this.put(stored);
    for (const listener of this.listeners) listener(stored);
    return stored;
  }

  hasDone(account: string, action: LedgerAction, targetId: string): boolean {
    return this.done.has(`${account}:${action}:${targetId}`);
  }

  /** How often the account did this since then. Only the newest 2,000 times are known. */
  countSince(account: string, action: LedgerAction, since: number): number {
    const times = this.times.get(`${account}:${action}`) ?? [];
    let count = 0;
    for (let index = times.length - 1; index >= 0 && (times[index] ?? 0) >= since; index--) count++;
    return count;
  }

  find(filter: LedgerFilter): LedgerEntry[] {
    const { account, action, target, verdict, verdicts, since, after, limit = 1_000 } = filter;
    const fits = (entry: LedgerEntry): boolean =>
      (account === undefined || entry.account === account) &&
      (action === undefined || action.split(',').includes(entry.action)) &&
      (target === undefined || entry.target === target) &&
      (verdict === undefined || entry.verdicts.includes(verdict as Verdict)) &&
      (!verdicts || entry.verdicts.length > 0) &&
      (since === undefined || entry.at >= since) &&
      (after === undefined || entry.id > after);
    const found = [...this.kept.filter(fits), ...this.reads.filter(fits)].sort((one, other) => one.id - other.id);
    return found.slice(-limit);
  }

  listen(listener: (entry: LedgerEntry) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  clear(): void {
    this.kept = [];
    this.reads = [];
    this.done.clear();
    this.times.clear();
    this.counts.clear();
  }

  /** What must survive a restart: actions and verdicts. */
  store(): LedgerEntry[] {
    return this.kept;
  }

  restore(entries: readonly LedgerEntry[]): void {
    for (const entry of entries) {
      this.put(entry);
      this.nextId = Math.max(this.nextId, entry.id + 1);
    }
  }

  private put(entry: LedgerEntry): void {
    const isAction = entry.action === 'follow' || entry.action === 'unfollow';
    if (isAction || entry.verdicts.length > 0 || entry.objection) this.kept.push(entry);
    else {
      this.reads.push(entry);
      if (this.reads.length > keptReads * 1.25) this.reads = this.reads.slice(-keptReads);
    }
    const key = `${entry.account}:${entry.action}`;
    this.counts.set(`${entry.action}:${entry.result}`, (this.counts.get(`${entry.action}:${entry.result}`) ?? 0) + 1);
    for (const verdict of entry.verdicts) this.counts.set(`verdict:${verdict}`, (this.counts.get(`verdict:${verdict}`) ?? 0) + 1);
    if (!entry.account) return;
    if (isAction && (entry.result === 'done' || entry.result === 'requested' || entry.result === 'undone'))
      this.done.set(`${key}:${entry.targetId}`, entry.at);
    const times = this.times.get(key) ?? [];
    times.push(entry.at);
    if (times.length > 2_500) times.splice(0, 500);
    this.times.set(key, times);
  }
}
