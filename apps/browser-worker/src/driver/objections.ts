import type { Objection } from '../network/signals.js';

/** Where a sign of an objection was seen: what the network says counts more than where it redirects, and that more than what is only visible. */
const strengths = { frame: 1, load: 2, address: 3, answer: 4, decided: 5 } as const;
export type SignSource = keyof typeof strengths;

/**
 * The objections that a tab has met. Signs of one objection arrive in any order: of two the stronger one counts, of two equally strong ones the
 * first. An ambiguous sign asks for one reload of the page before it counts.
 */
export class Objections {
  private found: Objection | null = null;
  private strength = 0;
  private waiting: Objection | null = null;
  /** Kinds of ambiguous signs for which the page was reloaded in this run. */
  private readonly reloaded = new Set<NonNullable<Objection['reloadOnce']>>();

  /** The objection that counts; null while there is none. */
  get current(): Objection | null {
    return this.found;
  }

  /** True when an ambiguous sign was seen for which the page has to be reloaded. */
  get needsReload(): boolean {
    return this.waiting !== null;
  }

  /** True when the page was already reloaded because it looked incomplete. */
  get hasReloadedPage(): boolean {
    return this.reloaded.has('page');
  }

  note(sign: Objection, source: Exclude<SignSource, 'decided'>): void {
    if (sign.reloadOnce && !this.reloaded.has(sign.reloadOnce)) this.waiting ??= sign;
    else if (this.found === null || strengths[source] > this.strength) {
      this.found = sign;
      this.strength = strengths[source];
    }
  }

  /** Ends the tab with `objection`, or with the one that was found before; later signs change nothing. @returns the one that counts. */
  decide(objection: Objection): Objection {
    this.strength = strengths.decided;
    return (this.found ??= objection);
  }

  /** Asks for a reload because of `sign`. */
  requestReload(sign: Objection): void {
    this.waiting ??= sign;
  }

  /** To be called right before the reload: from now on an ambiguous sign of this kind is an objection. */
  beginReload(): void {
    this.reloaded.add(this.waiting?.reloadOnce ?? 'page');
    this.waiting = null;
  }
}
