import type { LedgerTarget, RunAction } from '@decola/contracts';
import { againAfterMs, ceilingsAt, type Counted, countedAs, isQuiet, leastGapMs, sameAuthorAfterMs } from './rules-of-the-network.js';

/** An account of the network as the judge knows it. */
export interface NetworkAccount {
  /** Its number on the network. */
  id: string;
  /** When the product first had a session of it; ms. */
  firstSeenAt: number;
  timeZone: string;
  quiet: { from: string; to: string };
  /** The network blocks its actions once, from this moment on; null: never. */
  blocksAt: number | null;
}

/** One click that did something on the network. */
export interface Click {
  at: number;
  account: string;
  action: RunAction;
  target: LedgerTarget;
  runId: string;
  automationId: string;
  /** Whether it had an effect; the page may not prove it. */
  took: boolean;
}

interface AccountState extends NetworkAccount {
  blockedAt: number | null;
  openRun: string | null;
  lastClickAt: number | null;
  clicks: Map<string, Click[]>;
  /** Times at which something was counted, in order. */
  counted: Map<Counted, number[]>;
}

/** A page is opened, and the click made, at most so long after the reservation, which is what the service counts from. */
export const longestActionMs = 30_000;

/**
 * The network of the simulation: it has people and posts without end, remembers who did what to whom and when, and notes every violation of what
 * the product promises about its accounts.
 */
export class SimulatedNetwork {
  readonly violations: string[] = [];
  readonly clicks: Click[] = [];
  readonly counts = new Map<string, number>();
  private readonly accounts = new Map<string, AccountState>();
  /** The first run of each automation, and whether it began in quiet hours: its customer, who had just saved it, waits for it. */
  private readonly firstRuns = new Map<string, { runId: string; beganInQuiet: boolean }>();

  constructor(private readonly now: () => number) {}

  add(account: NetworkAccount): void {
    this.accounts.set(account.id, { ...account, blockedAt: null, openRun: null, lastClickAt: null, clicks: new Map(), counted: new Map() });
  }

  account(id: string): NetworkAccount & { blockedAt: number | null } {
    return this.stateOf(id);
  }

  /** A run opened the site. */
  open(id: string, runId: string, automationId: string): void {
    const account = this.stateOf(id);
    if (account.openRun !== null) this.violate(id, `two runs at once: ${account.openRun} and ${runId}`);
    account.openRun = runId;
    if (!this.firstRuns.has(automationId))
      this.firstRuns.set(automationId, { runId, beganInQuiet: isQuiet(this.now(), account.timeZone, account.quiet) });
    this.requireAwake(account, runId, automationId, 'a run');
  }

  close(id: string, runId: string): void {
    const account = this.stateOf(id);
    if (account.openRun !== runId) this.violate(id, `a run ended that was not open: ${runId}`);
    account.openRun = null;
  }

  /** A document or a page of a list was loaded. */
  view(id: string, kind: 'page-view' | 'list-page'): void {
    this.count(this.stateOf(id), kind);
  }

  /** Whether the network blocks an action now. It does so once. */
  blocks(id: string): boolean {
    const account = this.stateOf(id);
    if (account.blocksAt === null || this.now() < account.blocksAt || account.blockedAt !== null) return false;
    account.blockedAt = this.now();
    return true;
  }

  /** A click that acts on a target. */
  click(id: string, action: RunAction, target: LedgerTarget, run: { runId: string; automationId: string }, took: boolean): void {
    const account = this.stateOf(id);
    const at = this.now();
    const click = { at, account: id, action, target, ...run, took };
    if (account.openRun !== run.runId) this.violate(id, `an action of a run that is not open: ${run.runId}`);
    this.requireAwake(account, run.runId, run.automationId, action);
    this.requireOnce(account, click);
    if (account.lastClickAt !== null && at - account.lastClickAt < leastGapMs)
      this.violate(id, `${action} ${at - account.lastClickAt} ms after the action before it`);
    account.lastClickAt = at;
    this.count(account, countedAs(action));
    const key = `${action} ${target.targetId}`;
    account.clicks.set(key, [...(account.clicks.get(key) ?? []), click]);
    this.clicks.push(click);
  }

  /** What a page shows of an action now: the last click on this target, if it had an effect. */
  shows(id: string, action: RunAction, targetId: string): Click | undefined {
    return this.stateOf(id)
      .clicks.get(`${action} ${targetId}`)
      ?.findLast(({ took }) => took);
  }

  private requireOnce(account: AccountState, click: Click): void {
    const { action, target, at } = click;
    const before = account.clicks.get(`${action} ${target.targetId}`)?.at(-1);
    if (before && at - before.at < (againAfterMs[action] ?? Infinity) - longestActionMs)
      this.violate(account.id, `${action} of ${target.targetId} again, first at ${new Date(before.at).toISOString()}`);
    if (target.targetId === account.id || target.authorId === account.id) this.violate(account.id, `${action} of its own`);
    const rest = sameAuthorAfterMs[action];
    if (rest === undefined) return;
    for (const other of account.clicks.values())
      for (const one of other)
        if (one.action === action && one.target.authorId === target.authorId && at - one.at < rest)
          this.violate(account.id, `${action} of author ${target.authorId} again, first at ${new Date(one.at).toISOString()}`);
  }

  private requireAwake({ id, timeZone, quiet }: AccountState, runId: string, automationId: string, what: string): void {
    const first = this.firstRuns.get(automationId);
    if (first?.runId === runId && first.beganInQuiet) return;
    // What was reserved before the quiet hours may be done a few seconds later.
    if (isQuiet(this.now(), timeZone, quiet) && isQuiet(this.now() - longestActionMs, timeZone, quiet))
      this.violate(id, `${what} in quiet hours ${quiet.from}-${quiet.to} of ${timeZone}`);
  }

  private count(account: AccountState, kind: Counted): void {
    const at = this.now();
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    const times = account.counted.get(kind) ?? [];
    account.counted.set(kind, times);
    times.push(at);
    // A block counts once the service has heard of it.
    for (const { period, ms, most } of ceilingsAt(at, account.firstSeenAt, account.blockedAt)) {
      const from = at - ms + longestActionMs;
      let amount = 0;
      for (let index = times.length - 1; index >= 0 && times[index]! > from; index -= 1) amount += 1;
      if (amount > most[kind]) this.violate(account.id, `${amount} of ${kind} within a ${period}, of ${most[kind]}`);
    }
  }

  private stateOf(id: string): AccountState {
    const account = this.accounts.get(id);
    if (!account) throw new Error(`the network knows no account ${id}`);
    return account;
  }

  private violate(account: string, what: string): void {
    this.violations.push(`${new Date(this.now()).toISOString()} account ${account}: ${what}`);
  }
}
