import { type ActionName, isAction } from '../build/operations.js';

/** Kinds of ledger entries. `call` is a call that was refused before it was understood. */
export type LedgerAction =
  | 'page_view'
  | 'profile'
  | 'posts'
  | 'post'
  | 'hashtag'
  | 'list_page'
  | 'show_many'
  | 'suggestions'
  | 'comments'
  | 'replies'
  | 'comment_like'
  | 'likers'
  | 'feed'
  | 'stories'
  | 'view_live'
  | 'inbox'
  | 'thread'
  | 'recipients'
  | 'route'
  | ActionName
  | 'call';

export type Verdict =
  | 'double_action'
  | 'after_objection'
  | 'same_moment'
  | 'two_at_once'
  | 'forged_call'
  | 'ceiling_exceeded'
  | 'unfollow_of_stranger'
  | 'own_post_or_ad'
  | 'story_not_to_view'
  | 'story_touched'
  | 'repeated_text'
  | 'raw_placeholder';

export interface LedgerEntry {
  id: number;
  /** Milliseconds of the network's clock. */
  at: number;
  /** Username; null when nobody was logged in. */
  account: string | null;
  accountId: string | null;
  action: LedgerAction;
  /** Username, hashtag or shortcode. */
  target: string | null;
  targetId: string | null;
  /** `done`: it took effect. `objected`: refused with the objection in `objection`. `refused`: not allowed. `undone`: answered as done, but without effect. */
  result: 'done' | 'requested' | 'objected' | 'refused' | 'undone' | 'read';
  objection: string | null;
  build: string;
  verdicts: Verdict[];
  /** Details, such as the faults of a forged call or the page of a list. */
  detail: Record<string, string | number | boolean | null | string[]>;
}

export interface LedgerFilter {
  account?: string;
  action?: string;
  target?: string;
  verdict?: string;
  /** True: only entries with a verdict. */
  verdicts?: boolean;
  since?: number;
  after?: number;
  limit?: number;
}

/** How many reads are kept: an extraction makes thousands. Actions and verdicts are all kept. */
const keptReads = 20_000;

export class Ledger {
  private kept: LedgerEntry[] = [];
  private reads: LedgerEntry[] = [];
  private nextId = 1;
  /** `account:action:target` of every action that was done, to recognise double actions and unfollows of strangers. */
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

  /** How often the account did this since then (network time, ms). Only the newest 2,000 times are known. */
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

  /** The entries that survive a restart: actions and verdicts. */
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
    const acts = isAction(entry.action);
    if (acts || entry.verdicts.length > 0 || entry.objection) this.kept.push(entry);
    else {
      this.reads.push(entry);
      if (this.reads.length > keptReads * 1.25) this.reads = this.reads.slice(-keptReads);
    }
    const key = `${entry.account}:${entry.action}`;
    this.counts.set(`${entry.action}:${entry.result}`, (this.counts.get(`${entry.action}:${entry.result}`) ?? 0) + 1);
    for (const verdict of entry.verdicts) this.counts.set(`verdict:${verdict}`, (this.counts.get(`verdict:${verdict}`) ?? 0) + 1);
    if (!entry.account) return;
    if (acts && (entry.result === 'done' || entry.result === 'requested' || entry.result === 'undone'))
      this.done.set(`${key}:${entry.targetId}`, entry.at);
    const times = this.times.get(key) ?? [];
    times.push(entry.at);
    if (times.length > 2_500) times.splice(0, 500);
    this.times.set(key, times);
  }
}
