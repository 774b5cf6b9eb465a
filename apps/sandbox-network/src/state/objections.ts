import { randomBytes } from 'node:crypto';
import { type CallName, isAction } from '../build/operations.js';
import type { NetworkClock } from './clock.js';
import { type ObjectionKind, restAfter, unclearRefusals } from './objection-kinds.js';

/** Rest after two unclear refusals in a row, in ms. */
const restAfterTwoRefusals = 3_600_000;

export interface ObjectionScript {
  /** Whose calls it applies to; null means everybody's. */
  username: string | null;
  kind: ObjectionKind;
  call: CallName | 'any' | 'action' | 'read';
  /** Only calls about this username, hashtag or shortcode; null means all. */
  target: string | null;
  /** Number of matching calls that pass before the first hit. */
  afterCalls: number;
  /** Number of calls that it hits; null means every one from then on. */
  times: number | null;
  /** Only for `latency`: wait in ms. */
  delayMs: number;
  /** How long the account must rest afterwards, in ms; null means the usual time of the kind. */
  blockMs: number | null;
  /** HTTP status of the answer; null means the usual one of the kind. */
  status: number | null;
}

export interface Objection extends ObjectionScript {
  id: string;
  seen: number;
  hits: number;
  createdAt: number;
}

interface Rest {
  kind: ObjectionKind;
  since: number;
  until: number;
}

/** The scripted objections, and the rest that each account owes after one. */
export class Objections {
  private scripts: Objection[] = [];
  private readonly rests = new Map<string, Rest>();
  /** Number of unclear refusals in a row, by username. */
  private readonly refusalsInRow = new Map<string, number>();

  constructor(private readonly clock: NetworkClock) {}

  add(script: ObjectionScript): Objection {
    const objection = { ...script, id: randomBytes(6).toString('hex'), seen: 0, hits: 0, createdAt: this.clock.now() };
    this.scripts.push(objection);
    return objection;
  }

  all(): Objection[] {
    return this.scripts;
  }

  remove(id: string): boolean {
    const before = this.scripts.length;
    this.scripts = this.scripts.filter((script) => script.id !== id);
    return this.scripts.length < before;
  }

  /** Counts a call against the scripted objections. @returns the first that applies, and the sum of the `latency` delays. */
  apply(username: string | null, call: CallName, target: string | null): { objection: Objection | null; delayMs: number } {
    let met: Objection | null = null;
    let delayMs = 0;
    for (const script of this.scripts) {
      if (met && script.kind !== 'latency') continue;
      if (!concerns(script, username, call, target)) continue;
      script.seen++;
      if (script.seen <= script.afterCalls || (script.times !== null && script.hits >= script.times)) continue;
      script.hits++;
      if (script.kind === 'latency') delayMs += script.delayMs;
      else met = script;
    }
    if (met && username) {
      this.demandRest(username, met);
      if (isAction(call)) this.countRefusal(username, met.kind);
    }
    return { objection: met, delayMs };
  }

  /** Ends the row of unclear refusals: an action of this account succeeded. */
  actionSucceeded(username: string): void {
    this.refusalsInRow.delete(username);
  }

  /** The rest that the account still owes; null when it may act. */
  restOf(username: string): Rest | null {
    const rest = this.rests.get(username);
    return rest && this.clock.now() < rest.until ? rest : null;
  }

  forgive(username: string): void {
    this.rests.delete(username);
    this.refusalsInRow.delete(username);
  }

  clear(): void {
    this.scripts = [];
    this.rests.clear();
    this.refusalsInRow.clear();
  }

  store(): { scripts: Objection[]; rests: [string, Rest][] } {
    return { scripts: this.scripts, rests: [...this.rests] };
  }

  restore({ scripts, rests }: ReturnType<Objections['store']>): void {
    this.scripts = scripts;
    for (const [username, rest] of rests) this.rests.set(username, { ...rest, until: rest.until ?? Infinity });
  }

  private countRefusal(username: string, kind: ObjectionKind): void {
    if (!unclearRefusals.has(kind)) return;
    const inRow = (this.refusalsInRow.get(username) ?? 0) + 1;
    this.refusalsInRow.set(username, inRow);
    if (inRow >= 2) this.demand(username, kind, restAfterTwoRefusals);
  }

  private demandRest(username: string, { kind, blockMs }: Objection): void {
    this.demand(username, kind, blockMs ?? restAfter[kind] ?? Infinity);
  }

  private demand(username: string, kind: ObjectionKind, ms: number): void {
    if (ms <= 0) return;
    const since = this.clock.now();
    const until = Math.max(since + ms, this.rests.get(username)?.until ?? 0);
    this.rests.set(username, { kind, since, until });
  }
}

function concerns(script: Objection, username: string | null, call: CallName, target: string | null): boolean {
  if (script.username !== null && script.username !== username) return false;
  if (script.target !== null && script.target !== target) return false;
  return (
    script.call === 'any' ||
    script.call === call ||
    (script.call === 'action' ? isAction(call) : script.call === 'read' && !isAction(call) && call !== 'page')
  );
}
