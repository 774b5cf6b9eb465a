import type { ElementHandle, Request, Route } from 'playwright';
import { isListCall, isListRefusal, type ListPage, personOfList, readListPage, variablesAt } from '../network/lists.js';
import type { Profile } from '../network/profiles.js';
import { isGraphPath, isSamePath, listOfPath, listPagePath, type ListKind } from '../network/routes.js';
import { ReloadNeededError } from './driver.errors.js';
import { findScrollBox } from './page-scripts.js';
import type { ProfileScreen } from './profile-screen.js';
import { callOf } from './page-traffic.js';
import type { SiteTab } from './site-tab.js';

/** Scrolls without a new page before the list counts as stuck. */
const mostScrollsWithoutPage = 20;
const scrollSettleMs = 250;
/** About one page of rows. */
const scrollPx = 900;

/**
 * Why a list gives no further page. `refused`: the network does not show this list to this account. `silent`: the page asked for it and got no
 * answer (an endless spinner).
 */
export type NoPage = 'refused' | 'silent';

/**
 * A followers or following list, opened and scrolled as a person does it; its pages are the answers to the page's own calls.
 */
export class PeopleList {
  /** Pages that were received and not returned yet. */
  private readonly waiting: ListPage[] = [];
  private hasReceived = false;
  private wasRefused = false;
  private stopListening: () => void = () => undefined;
  private box: ElementHandle | null = null;

  constructor(
    private readonly tab: SiteTab,
    private readonly profiles: ProfileScreen,
    private readonly profile: Profile,
    private readonly list: ListKind,
  ) {}

  /**
   * Opens the list. With a cursor, which the network itself must have given out, the page's first request is changed to continue there; nothing
   * else of the request changes (decision record 0003).
   */
  async open(cursor: string | null): Promise<void> {
    this.stopListening();
    this.waiting.length = 0;
    this.wasRefused = false;
    this.box = null;
    const openDocument = this.tab.documents;
    this.stopListening = this.tab.listen((answer, document) => {
      if (document < openDocument) return;
      const page = readListPage(answer);
      if (page?.list === this.list && this.isOurs(page.userId)) {
        this.hasReceived = true;
        this.waiting.push(page);
      } else if (isListRefusal(answer) && this.isOurs(personOfList(answer))) {
        this.wasRefused = true;
      }
    });
    const resume = cursor === null ? null : await this.resumeAt(cursor);
    try {
      const counter = await this.tab.require(`${this.list} counter`, () => this.findCounter());
      if (!(await this.tab.click(counter))) throw this.tab.missing(`${this.list} counter that can be clicked`);
      // Only the first request has to leave here; `nextPage` waits for what it brings.
      await this.tab.look(() => (this.waiting.length > 0 || this.wasRefused ? true : null));
    } finally {
      await resume?.();
    }
  }

  /**
   * The next page of the list; scrolls when none is waiting. @throws as `SiteTab.check`, and as `SiteTab.missing` when the page does not request
   * the list in a form that we know.
   */
  async nextPage(): Promise<ListPage | NoPage> {
    await this.tab.check();
    if (this.waiting.length > 0) return this.waiting.shift()!;
    for (let scrolls = 0; scrolls < mostScrollsWithoutPage && !this.wasRefused; scrolls += 1) {
      await this.scroll();
      const page = await this.tab.waitForAnswer(() => this.waiting.shift() ?? null, scrollSettleMs);
      if (page) return page;
      // The page requests its next rows once: to scroll on before they are answered brings nothing.
      if (this.tab.awaits(isListCall)) break;
    }
    const page = await this.tab.look(() => this.waiting.shift() ?? (this.wasRefused ? 'refused' : null));
    if (page !== null) return page;
    const outage = this.tab.outage();
    if (outage) throw outage;
    // A page that never made a list call has changed: the network refused nothing.
    if (!this.hasReceived && !this.tab.awaits(isListCall)) throw this.tab.missing(`call for the ${this.list}`);
    return 'silent';
  }

  /** True when a page is waiting, so that `nextPage` does not scroll. */
  get hasWaiting(): boolean {
    return this.waiting.length > 0;
  }

  close(): void {
    this.stopListening();
  }

  /** Opens profile and list again at a cursor, because the page has to be reloaded. */
  async reopen(cursor: string | null): Promise<void> {
    await this.profiles.open(this.profile.username);
    await this.open(cursor);
  }

  private isOurs(userId: string | null): boolean {
    return userId === null || userId === this.profile.userId;
  }

  /** The counter in the profile's header, which links to the list. */
  private async findCounter(): Promise<ElementHandle | null> {
    for (const link of await this.tab.page.$$(`header a[href*="/${this.list}/"]`)) {
      if (isSamePath((await link.getAttribute('href')) ?? '', this.path)) return link;
    }
    return null;
  }

  private get path(): string {
    return listPagePath(this.profile.username, this.list);
  }

  /** Scrolls with the wheel over the list, unless it is loading already; the page itself decides when to load more. */
  private async scroll(): Promise<void> {
    await this.tab.handleDialogs();
    await this.tab.check();
    await this.tab.inPage(async () => {
      if (!this.box || !(await this.box.evaluate((element: Node) => element.isConnected))) {
        this.box = await this.tab.page.evaluateHandle(findScrollBox);
      }
      const area = await this.box.boundingBox();
      if (area) await this.tab.page.mouse.move(area.x + area.width / 2, area.y + Math.min(area.height, 600) / 2);
    });
    // The page may have reacted to the last scroll only now; scrolled once more, it would read a page ahead.
    if (this.waiting.length > 0 || this.wasRefused || this.tab.awaits(isListCall)) return;
    await this.tab.wheel(scrollPx);
  }

  /** Changes the list's first request to continue at a cursor. @returns a function that ends this. */
  private async resumeAt(cursor: string): Promise<() => Promise<void>> {
    let used = false;
    const mayBeFirst = (address: URL) => {
      const place = listOfPath(address.pathname);
      if (!place) return isGraphPath(address.pathname);
      return place.list === this.list && place.userId === this.profile.userId && !address.searchParams.has('max_id');
    };
    const continueAtCursor = (route: Route) => {
      const changed = used ? null : this.changedTo(cursor, route.request());
      used ||= changed !== null;
      return route.continue(changed ?? {});
    };
    await this.tab.page.route(mayBeFirst, continueAtCursor);
    return () => this.tab.page.unroute(mayBeFirst, continueAtCursor);
  }

  /** The change that makes a request continue at the cursor; null when it is not the first request of this list. */
  private changedTo(cursor: string, request: Request): { url: string } | { postData: string } | null {
    const address = new URL(request.url());
    if (listOfPath(address.pathname)) {
      address.searchParams.set('max_id', cursor);
      return { url: address.href };
    }
    if (!isListCall(callOf(request))) return null;
    const form = new URLSearchParams(request.postData() ?? '');
    const changed = variablesAt(JSON.parse(form.get('variables') ?? 'null'), cursor);
    if (changed === null) return null;
    form.set('variables', JSON.stringify(changed));
    return { postData: form.toString() };
  }
}

/** How a pass over a list ended. `withheld`: the network sent an empty page where there must be people (row 18). */
export type PassEnd = 'pass_ended' | 'more' | 'limited_by_network' | 'empty_but_profile_shows_more' | 'withheld' | NoPage;

/** How a pass can end with a page of the list. */
export type LastPageEnd = Exclude<PassEnd, 'more' | 'withheld' | NoPage>;

/** Pages in a row with nobody new after which the list repeats itself. */
const mostPagesWithoutNews = 2;

/** Decides page by page whether a pass over a list is at its end. */
export class ListPass {
  private readonly seen = new Set<string>();
  private readonly cursors = new Set<string>();
  private withoutNews = 0;
  private rows = 0;
  private wasLimited = false;

  /**
   * @param startCursor where this run continues the pass; null at the top of the list.
   * @param profileTotal length of the list according to the profile; null when unknown.
   */
  constructor(
    private readonly startCursor: string | null,
    private readonly profileTotal: number | null,
  ) {
    if (startCursor !== null) this.cursors.add(startCursor);
  }

  /** Adds the next page. @returns how the pass ended; null when it continues at the page's cursor. A page that is `withheld` changes nothing. */
  add(page: ListPage): LastPageEnd | 'withheld' | null {
    if (this.isWithheld(page)) return 'withheld';
    const news = page.rows.filter(({ userId }) => !this.seen.has(userId));
    for (const { userId } of news) this.seen.add(userId);
    this.rows += page.rows.length;
    this.wasLimited ||= page.limited;
    this.withoutNews = news.length > 0 ? 0 : this.withoutNews + 1;
    if (page.next === null) return this.ended();
    // The list repeats itself: the network answers an invalid cursor with the top of the list.
    if (this.cursors.has(page.next) || this.withoutNews >= mostPagesWithoutNews) return this.ended();
    this.cursors.add(page.next);
    return null;
  }

  /** The last page of a list still has rows, so an empty page is not the end; only the first page of an empty list has none. */
  private isWithheld(page: ListPage): boolean {
    if (!page.isEmpty || page.limited || this.wasLimited) return false;
    const isFirst = this.rows === 0 && this.startCursor === null;
    return !isFirst || (this.profileTotal ?? 0) > 0;
  }

  private ended(): LastPageEnd {
    if (this.wasLimited) return 'limited_by_network';
    const empty = this.rows === 0 && this.startCursor === null;
    if (empty && this.profileTotal !== 0) return 'empty_but_profile_shows_more';
    return 'pass_ended';
  }
}

/**
 * Reads pages until the pass ends or `maxPages` is reached. Each page is saved before the list is scrolled again, so that no page is read and
 * lost.
 */
export async function readPass(
  list: PeopleList,
  start: { cursor: string | null; profileTotal: number | null; maxPages: number },
  save: (page: ListPage, next: string | null, end: LastPageEnd | null) => Promise<void>,
  betweenPages: () => Promise<void>,
  tab: SiteTab,
): Promise<{ end: PassEnd; cursor: string | null; pages: number }> {
  const pass = new ListPass(start.cursor, start.profileTotal);
  let { cursor } = start;
  let pages = 0;
  const read = async (): Promise<ListPage | NoPage> => {
    try {
      return await list.nextPage();
    } catch (error) {
      if (!(error instanceof ReloadNeededError)) throw error;
      tab.beginReload();
      return tab.withReload(async () => {
        await list.reopen(cursor);
        return list.nextPage();
      });
    }
  };
  for (;;) {
    const page = await read();
    if (typeof page === 'string') return { end: page, cursor, pages };
    const end = pass.add(page);
    if (end === 'withheld') return { end, cursor, pages };
    cursor = end === null ? page.next : null;
    pages += 1;
    await save(page, cursor, end);
    if (end !== null) return { end, cursor, pages };
    // Pages that were received without another scroll are saved too: the network has counted them.
    if (pages >= start.maxPages && !list.hasWaiting) return { end: 'more', cursor, pages };
    if (!list.hasWaiting) await betweenPages();
  }
}
