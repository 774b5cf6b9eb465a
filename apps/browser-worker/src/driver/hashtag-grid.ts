import type { LedgerTarget } from '@decola/contracts';
import { readHashtagPage } from '../network/answers.js';
import { hashtagPath, isHashtagRoute } from '../network/routes.js';
import type { SiteTab } from './site-tab.js';

const turnsWithoutNews = 25;
const wheelSettleMs = 250;

/** Authors of a hashtag's posts, from the answers that the grid itself asks for. */
export class HashtagGrid {
  private readonly authors: LedgerTarget[] = [];
  private readonly seen = new Set<string>();
  private hasMore = true;
  private answers = 0;
  private stopListening: () => void = () => undefined;

  constructor(
    private readonly tab: SiteTab,
    private readonly hashtag: string,
  ) {}

  /** Opens the hashtag's page and follows wherever the page moves itself. @throws RepairNeededError and as `SiteTab.visit`. */
  async open(): Promise<void> {
    this.stopListening();
    const before = this.answers;
    this.stopListening = this.tab.listen((answer) => {
      const page = readHashtagPage(answer);
      if (!page) return;
      this.answers += 1;
      this.hasMore = page.hasMore;
      for (const author of page.authors) {
        if (this.seen.has(author.targetId)) continue;
        this.seen.add(author.targetId);
        this.authors.push(author);
      }
    });
    await this.tab.visit(hashtagPath(this.hashtag));
    await this.tab.require('hashtag grid', () => (this.answers > before && isHashtagRoute(this.tab.url) ? true : null));
  }

  /**
   * The next author that was not handed out yet; scrolls for more, with a pause before each page of the grid. Null when the
   * grid has no more. The grid must be open.
   */
  async next(betweenPages: () => Promise<void>): Promise<LedgerTarget | null> {
    let pausedAt: number | null = null;
    for (let turn = 0; this.authors.length === 0 && this.hasMore && turn < turnsWithoutNews; turn += 1) {
      const before = this.answers;
      if (pausedAt !== before) {
        await betweenPages();
        pausedAt = before;
      }
      await this.turnWheel();
      const brought = await this.tab.waitForHeard(() => (this.answers > before ? true : null), wheelSettleMs);
      if (brought) turn = 0;
    }
    return this.authors.shift() ?? null;
  }

  /** Authors that were read and not handed out yet; they need no look at the page. */
  get waiting(): number {
    return this.authors.length;
  }

  close(): void {
    this.stopListening();
  }

  private async turnWheel(): Promise<void> {
    await this.tab.readDialogs();
    await this.tab.check();
    const { width, height } = this.tab.page.viewportSize() ?? { width: 1280, height: 800 };
    await this.tab.inPage(() => this.tab.page.mouse.move(width / 2, height / 2));
    await this.tab.inPage(() => this.tab.page.mouse.wheel(0, height * 0.9));
  }
}
