import type { ElementHandle, Route } from 'playwright-core';
import { type Answer, type ListPage, type Profile, readListPage } from '../network/answers.js';
import { listOfPath, type ListKind, profilePath } from '../network/routes.js';
import { RepairNeededError } from './errors.js';
import { findScrollBox } from './page-scripts.js';
import type { ProfileScreen } from './profile-screen.js';
import type { SiteTab } from './site-tab.js';

/** Turns of the wheel without a new page before the list is taken to be stuck. */
const turnsWithoutNews = 20;
const wheelSettleMs = 250;
/** One turn of a wheel over a list: about a page of rows. */
const wheelTurnPx = 900;

/**
 * A followers or following list, read as a person reads it: the counter is clicked, the inner box is scrolled, and the pages
 * are what the page's own calls were answered.
 */
export class PeopleList {
  private readonly heard: ListPage[] = [];
  private stopListening: () => void = () => undefined;
  private box: ElementHandle | null = null;

  constructor(
    private readonly tab: SiteTab,
    private readonly profiles: ProfileScreen,
    private readonly profile: Profile,
    private readonly list: ListKind,
  ) {}

  /**
   * Opens the list. With a cursor the page's own first request goes on at that place of the list, a cursor that the network
   * handed out itself; nothing else of the request changes (decision record 0003).
   */
  async open(cursor: string | null): Promise<void> {
    this.stopListening();
    this.heard.length = 0;
    this.box = null;
    this.stopListening = this.tab.listen((answer: Answer) => {
      const page = readListPage(answer);
      if (page?.list === this.list && page.userId === this.profile.userId) this.heard.push(page);
    });
    const resume = cursor === null ? null : await this.resumeAt(cursor);
    try {
      const counter = await this.tab.require(`${this.list} counter`, () => this.tab.page.$(`header a[href$="${this.path}"]`));
      if (!(await this.tab.click(counter))) throw this.tab.siteChanged(`${this.list} counter that can be clicked`);
      // What the click brings is read by `nextPage`; here only the first request has to leave.
      await this.tab.look(() => (this.heard.length > 0 ? true : null));
    } finally {
      await resume?.();
    }
  }

  /**
   * The next page in the list's order; it scrolls when none has come by itself.
   * @returns null when the list stays silent (a spinner for ever). @throws as `SiteTab.check`.
   */
  async nextPage(): Promise<ListPage | null> {
    await this.tab.check();
    if (this.heard.length > 0) return this.heard.shift()!;
    for (let turn = 0; turn < turnsWithoutNews; turn += 1) {
      await this.turnWheel();
      const page = await this.tab.waitForHeard(() => this.heard.shift() ?? null, wheelSettleMs);
      if (page) return page;
    }
    return this.tab.look(() => this.heard.shift() ?? null);
  }

  /** True when pages are waiting that came without another scroll. */
  get hasWaiting(): boolean {
    return this.heard.length > 0;
  }

  close(): void {
    this.stopListening();
  }

  /** Opens profile and list again at a cursor, after the page had to be loaded again. */
  async reopen(cursor: string | null): Promise<void> {
    await this.profiles.open(this.profile.username);
    await this.open(cursor);
  }

  private get path(): string {
    return `${profilePath(this.profile.username)}${this.list}/`;
  }

  /** A person turns the wheel over the list; the page decides when it is near enough to its end to load more. */
  private async turnWheel(): Promise<void> {
    await this.tab.readDialogs();
    await this.tab.check();
    await this.tab.inPage(async () => {
      if (!this.box || !(await this.box.evaluate((element: Node) => element.isConnected))) {
        this.box = await this.tab.page.evaluateHandle(findScrollBox);
      }
      const area = await this.box.boundingBox();
      if (area) await this.tab.page.mouse.move(area.x + area.width / 2, area.y + Math.min(area.height, 600) / 2);
    });
    await this.tab.inPage(() => this.tab.page.mouse.wheel(0, wheelTurnPx));
  }

  /** @returns how to take the exception away again. */
  private async resumeAt(cursor: string): Promise<() => Promise<void>> {
    let used = false;
    const isFirstRequest = (address: URL) => {
      const place = listOfPath(address.pathname);
      return place?.list === this.list && place.userId === this.profile.userId && !address.searchParams.has('max_id');
    };
    const goOnAtCursor = (route: Route) => {
      if (used) return route.continue();
      used = true;
      const address = new URL(route.request().url());
      address.searchParams.set('max_id', cursor);
      return route.continue({ url: address.href });
    };
    await this.tab.page.route(isFirstRequest, goOnAtCursor);
    return () => this.tab.page.unroute(isFirstRequest, goOnAtCursor);
  }
}

/** How a pass over a list ended. */
export type PassEnd = 'pass_ended' | 'more' | 'private' | 'limited_by_network' | 'empty_but_profile_shows_more';

/** Pages without anybody new after which the network is taken to go round in circles. */
const pagesWithoutNewsThatEnd = 2;

/** Judges a pass over a list page by page; pure, so that every ending is testable. */
export class PassJudge {
  private readonly seen = new Set<string>();
  private readonly cursors = new Set<string>();
  private withoutNews = 0;
  private rows = 0;
  private wasLimited = false;

  /** @param startCursor where this run took up the pass; null when it began at the top. */
  constructor(
    private readonly startCursor: string | null,
    private readonly profileTotal: number | null,
  ) {
    if (startCursor !== null) this.cursors.add(startCursor);
  }

  /** Takes the next page. @returns how the pass ended, or `null` when it goes on at the page's cursor. */
  take(page: ListPage): PassEnd | null {
    const news = page.rows.filter(({ userId }) => !this.seen.has(userId));
    for (const { userId } of news) this.seen.add(userId);
    this.rows += page.rows.length;
    this.wasLimited ||= page.limited;
    this.withoutNews = news.length > 0 ? 0 : this.withoutNews + 1;
    if (page.next === null) return this.ended();
    // A cursor that was handed out before leads round in circles, as does a list that shows the same people again.
    if (this.cursors.has(page.next) || this.withoutNews >= pagesWithoutNewsThatEnd) return this.ended();
    this.cursors.add(page.next);
    return null;
  }

  private ended(): PassEnd {
    if (this.wasLimited) return 'limited_by_network';
    const empty = this.rows === 0 && this.startCursor === null;
    if (empty && this.profileTotal !== 0) return 'empty_but_profile_shows_more';
    return 'pass_ended';
  }
}

/**
 * Reads pages until the pass ends, `maxPages` is reached or `take` says that it is enough. Each page is handed to `take` and
 * waited for before the list is scrolled again, so that nothing is read that was not kept.
 */
export async function readPass(
  list: PeopleList,
  start: { cursor: string | null; profileTotal: number | null; maxPages: number },
  take: (page: ListPage, next: string | null) => Promise<'more' | 'enough'>,
  betweenPages: () => Promise<void>,
  tab: SiteTab,
): Promise<{ end: PassEnd | 'silent'; cursor: string | null; pages: number }> {
  const judge = new PassJudge(start.cursor, start.profileTotal);
  let { cursor } = start;
  let pages = 0;
  const read = async (): Promise<ListPage | null> => {
    try {
      return await list.nextPage();
    } catch (error) {
      if (!(error instanceof RepairNeededError)) throw error;
      tab.beginRepair();
      await list.reopen(cursor);
      return list.nextPage();
    }
  };
  for (;;) {
    const page = await read();
    if (page === null) return { end: 'silent', cursor, pages };
    const end = judge.take(page);
    cursor = end === null ? page.next : null;
    pages += 1;
    const wish = await take(page, cursor);
    if (end !== null) return { end, cursor, pages };
    // Pages that came without a scroll are kept too: they were read, so they count.
    if ((wish === 'enough' || pages >= start.maxPages) && !list.hasWaiting) return { end: 'more', cursor, pages };
    if (!list.hasWaiting) await betweenPages();
  }
}
