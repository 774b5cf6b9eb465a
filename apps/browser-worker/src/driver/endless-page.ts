import type { Answer, PageCall } from '../network/answers.js';
import type { SiteTab } from './site-tab.js';

/** Scrolls without a new page after which the page is taken to give no more. */
const mostScrollsWithoutPage = 25;
const scrollSettleMs = 250;

/** What is read from a page of the site that loads more when it is scrolled. */
export interface EndlessSource<Row> {
  readonly path: string;
  /** What the page shows, for the alarm when it is absent. */
  readonly landmark: string;
  /** True for each address of the page: it may move itself to another one. */
  readonly isRoute: (address: URL) => boolean;
  /** True when the page asks for rows. */
  readonly isCall: (call: PageCall) => boolean;
  /** The rows of an answer; null when the answer is something else. */
  readonly read: (answer: Answer) => { readonly rows: readonly Row[]; readonly hasMore: boolean } | null;
  readonly keyOf: (row: Row) => string;
}

/** Rows of a grid or feed, each once, read from the answers to the page's own calls. */
export class EndlessPage<Row> {
  private readonly rows: Row[] = [];
  private readonly seen = new Set<string>();
  private hasMore = true;
  private pages = 0;
  private stopListening: () => void = () => undefined;

  constructor(
    private readonly tab: SiteTab,
    private readonly source: EndlessSource<Row>,
  ) {}

  /**
   * Opens the page, also where it moves itself to another address. @throws StopError row 9 when the rows are not answered in time,
   * ReloadNeededError, and as `SiteTab.visit`.
   */
  async open(): Promise<void> {
    this.stopListening();
    const { path, landmark, isRoute, isCall, read, keyOf } = this.source;
    const [earlierPages, earlierDocuments] = [this.pages, this.tab.documents];
    this.stopListening = this.tab.listen((answer, document) => {
      const page = document > earlierDocuments ? read(answer) : null;
      if (!page) return;
      this.pages += 1;
      this.hasMore = page.hasMore;
      for (const row of page.rows) {
        if (this.seen.has(keyOf(row))) continue;
        this.seen.add(keyOf(row));
        this.rows.push(row);
      }
    });
    await this.tab.visit(path);
    const isOpen = await this.tab.look(() => (this.pages > earlierPages && isRoute(this.tab.url) ? true : null));
    if (isOpen) return;
    // Rows that were requested and are not answered mean a slow site, not a changed one.
    if (this.tab.awaits(isCall)) {
      throw this.tab.object({ class: 'site_trouble', row: 9, evidence: { reason: `the ${landmark} is not answered` } });
    }
    throw this.tab.missing(landmark);
  }

  /**
   * The next row that was not returned yet; scrolls for more, with a pause before each page. Null when there are no more, or when the next page is
   * not answered in time. The page must be open. @throws as `SiteTab.check`.
   */
  async next(betweenPages: () => Promise<void>): Promise<Row | null> {
    const { isCall } = this.source;
    let pausedAt: number | null = null;
    for (let scrolls = 0; this.rows.length === 0 && this.hasMore && scrolls < mostScrollsWithoutPage; scrolls += 1) {
      const before = this.pages;
      if (pausedAt !== before) {
        await betweenPages();
        pausedAt = before;
      }
      const hasNewPage = () => (this.pages > before ? true : null);
      await this.scroll(() => hasNewPage() !== null || this.tab.awaits(isCall));
      const isAnswered =
        (await this.tab.waitForAnswer(hasNewPage, scrollSettleMs)) ??
        // The site asks for its next page once: to scroll on before it is answered brings nothing.
        (this.tab.awaits(isCall) ? await this.tab.look(hasNewPage) : null);
      if (isAnswered) scrolls = 0;
      else if (this.tab.awaits(isCall)) break;
    }
    const outage = this.rows.length === 0 && this.hasMore ? this.tab.outage() : null;
    if (outage) throw outage;
    return this.rows.shift() ?? null;
  }

  /** True when the network said that there are no more rows, and every row was returned. */
  get isOver(): boolean {
    return !this.hasMore && this.rows.length === 0;
  }

  /** Number of rows that were read and not returned yet; `next` returns them without using the page. */
  get waiting(): number {
    return this.rows.length;
  }

  close(): void {
    this.stopListening();
  }

  /** @param isLoading true when the page reacted to the last scroll meanwhile: scrolled once more, it would read a page ahead. */
  private async scroll(isLoading: () => boolean): Promise<void> {
    await this.tab.handleDialogs();
    await this.tab.check();
    const { width, height } = this.tab.page.viewportSize() ?? { width: 1280, height: 800 };
    await this.tab.inPage(() => this.tab.page.mouse.move(width / 2, height / 2));
    if (!isLoading()) await this.tab.wheel(height * 0.9);
  }
}
