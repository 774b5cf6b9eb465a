import type { NetworkClock } from './clock.js';

export const withheldForms = ['redirect', 'empty'] as const;
/** How a withheld list is answered: by a redirect to `/`, or by a page without rows. */
export type WithheldForm = (typeof withheldForms)[number];

export interface Withheld {
  form: WithheldForm;
  /** Number of list pages that are still answered normally. */
  pagesLeft: number;
  /** Network time at which it ends by itself, in ms. */
  until: number;
  /** Network time of the first withheld page, in ms; null before it. */
  metAt: number | null;
}

const day = 86_400_000;
/** Default duration: two days, as in the only known report. */
const usualMs = 2 * day;
/** Rest for lists that is expected after the first withheld page; a list page within it is a verdict. */
const restMs = day;

/** Accounts from which the network withholds every list, while others can read them (row 18 of the fact sheet). */
export class WithheldLists {
  private readonly byUsername = new Map<string, Withheld>();

  constructor(private readonly clock: NetworkClock) {}

  begin(username: string, form: WithheldForm, afterPages = 0, forMs = usualMs): Withheld {
    const withheld = { form, pagesLeft: afterPages, until: this.clock.now() + forMs, metAt: null };
    this.byUsername.set(username, withheld);
    return withheld;
  }

  end(username: string): boolean {
    return this.byUsername.delete(username);
  }

  /** Null when the account may read lists. */
  of(username: string): Withheld | null {
    const withheld = this.byUsername.get(username);
    return withheld && this.clock.now() < withheld.until ? withheld : null;
  }

  /**
   * Counts a list page that the account requests.
   * @returns `form`: how the page is withheld, null when it is answered normally; `restOwed`: the account should have let its lists rest.
   */
  countPage(username: string): { form: WithheldForm | null; restOwed: boolean } {
    const withheld = this.of(username);
    if (!withheld) return { form: null, restOwed: false };
    const now = this.clock.now();
    if (withheld.pagesLeft > 0) {
      withheld.pagesLeft--;
      return { form: null, restOwed: false };
    }
    const restOwed = withheld.metAt !== null && now - withheld.metAt < restMs;
    withheld.metAt ??= now;
    return { form: withheld.form, restOwed };
  }

  clear(): void {
    this.byUsername.clear();
  }

  store(): [string, Withheld][] {
    return [...this.byUsername];
  }

  restore(stored: readonly [string, Withheld][]): void {
    for (const [username, withheld] of stored) this.byUsername.set(username, withheld);
  }
}
