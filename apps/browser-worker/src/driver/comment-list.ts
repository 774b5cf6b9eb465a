import type { Request, Route } from 'playwright';
import {
  type Comment,
  type CommentPage,
  commentVariablesAt,
  isCommentsCall,
  isCommentsRefusal,
  readCommentPage,
} from '../network/comments.js';
import { commentsOfPath, isGraphPath } from '../network/routes.js';
import { callOf } from './page-traffic.js';
import { findScrollBox } from './page-scripts.js';
import type { SiteTab } from './site-tab.js';

/** Scrolls without a new page before the list counts as stuck. */
const mostScrollsWithoutPage = 40;
const scrollSettleMs = 250;
const scrollPx = 700;

const moreButtons = 'main :is(button, [role="button"]), [role="dialog"] :is(button, [role="button"])';

/** Why a list gives no page. `refused`: the network does not show it to this account. `silent`: it was requested and not answered. */
export type NoComments = 'refused' | 'silent';

/**
 * The comments of one post, read from the answers to the calls of its page and from its document. Has to be created before the page is opened;
 * a document that is opened later begins the list again.
 */
export class CommentList {
  private waiting: CommentPage[] = [];
  private document: number;
  private hasMore = true;
  private received = 0;
  private comments = 0;
  private wasRefused = false;
  private readonly stopListening: () => void;
  private stopChanging: (() => Promise<void>) | null = null;

  constructor(
    private readonly tab: SiteTab,
    /** Id of the post; null to read the comments of whichever post the page shows. */
    mediaId: string | null,
  ) {
    this.document = tab.documents;
    const earlierDocuments = tab.documents;
    this.stopListening = tab.listen((answer, document) => {
      if (document <= earlierDocuments || document < this.document) return;
      const page = readCommentPage(answer);
      const isRefusal = isCommentsRefusal(answer);
      if (!isRefusal && (page === null || (mediaId !== null && ![null, mediaId].includes(page.mediaId)))) return;
      if (document > this.document) this.begin(document);
      if (page === null) {
        this.wasRefused = true;
        return;
      }
      this.received += 1;
      this.comments += page.comments.length;
      this.hasMore = page.hasMore;
      this.waiting.push(page);
    });
  }

  /** To be called before a document is opened again: what was read of earlier ones does not count any more. */
  beginAgain(): void {
    this.begin(this.tab.documents + 1);
  }

  /**
   * To be called before the post is opened: the first page stays the top of the list, and the page's request for its second one is changed, in each
   * document, to continue at a cursor that the network itself gave out (docs/decisions/0003-resume-lists.md).
   */
  async continueAt(cursor: string): Promise<void> {
    let changedIn: number | null = null;
    const isForComments = ({ pathname }: URL) => isGraphPath(pathname) || commentsOfPath(pathname) !== null;
    const change = (route: Route) => {
      const changed = changedIn === this.tab.documents ? null : changedTo(cursor, route.request());
      if (changed) changedIn = this.tab.documents;
      return route.continue(changed ?? {});
    };
    await this.tab.page.route(isForComments, change);
    this.stopChanging = () => this.tab.page.unroute(isForComments, change);
  }

  /** As `nextWholePage`, with the comments alone. */
  async nextPage(): Promise<readonly Comment[] | NoComments | null> {
    const page = await this.nextWholePage();
    return page === null || typeof page === 'string' ? page : page.comments;
  }

  /** True when a page was received that was not returned yet: `nextWholePage` then does not scroll. */
  get hasWaiting(): boolean {
    return this.waiting.length > 0;
  }

  /** The next page; scrolls when none is waiting. Null at the end of the list. @throws as `SiteTab.check`. */
  async nextWholePage(): Promise<CommentPage | NoComments | null> {
    const take = () => this.waiting.shift() ?? (this.wasRefused ? 'refused' : null);
    await this.tab.check();
    const waiting = take();
    if (waiting !== null) return waiting;
    if (this.received > 0 && !this.hasMore) return null;
    for (let scrolls = 0; this.received > 0 && scrolls < mostScrollsWithoutPage; scrolls += 1) {
      await this.loadMore();
      const page = await this.tab.waitForAnswer(take, scrollSettleMs);
      if (page !== null) return page;
      // The page requests its next comments once: to scroll on before they are answered brings nothing.
      if (this.tab.awaits(isCommentsCall)) break;
    }
    const page = await this.tab.look(take);
    if (page !== null) return page;
    const outage = this.tab.outage();
    if (outage) throw outage;
    return 'silent';
  }

  /**
   * Reads on until a comment fits. @returns `absent` when the list ended without one, `unread` when it goes on after `mostPages`, and why the
   * list could not be read.
   */
  async find(
    fits: (comment: Comment) => boolean,
    { mostPages, betweenPages }: { mostPages: number; betweenPages: () => Promise<void> },
  ): Promise<Comment | 'absent' | 'unread' | NoComments> {
    for (let pages = 0; pages < mostPages; pages += 1) {
      if (pages > 0 && this.waiting.length === 0 && this.hasMore) await betweenPages();
      const page = await this.nextPage();
      if (page === null) return 'absent';
      if (typeof page === 'string') return page;
      const found = page.find(fits);
      if (found) return found;
    }
    return this.hasMore || this.waiting.length > 0 ? 'unread' : 'absent';
  }

  /** True while no comment of the open document was received. */
  get isEmpty(): boolean {
    return this.comments === 0;
  }

  close(): void {
    this.stopListening();
    // The browser may be gone.
    void this.stopChanging?.().catch(() => undefined);
  }

  private begin(document: number): void {
    this.document = document;
    this.waiting = [];
    this.received = 0;
    this.comments = 0;
    this.hasMore = true;
    this.wasRefused = false;
  }

  /** True when the page has reacted to what was done last: scrolled once more, it would read a page ahead. */
  private get isLoading(): boolean {
    return this.waiting.length > 0 || this.wasRefused || this.tab.awaits(isCommentsCall);
  }

  /** Presses the button for more comments where there is one, and scrolls the list otherwise; does nothing while the list is loading. */
  private async loadMore(): Promise<void> {
    await this.tab.handleDialogs();
    await this.tab.check();
    const button = await this.tab.findLabelled(moreButtons, ['moreComments']);
    if (this.isLoading) return;
    if (button) {
      await this.tab.click(button.element);
      return;
    }
    await this.tab.inPage(async () => {
      const box = await this.tab.page.evaluateHandle(findScrollBox);
      const area = await box.boundingBox();
      await box.dispose();
      if (area) await this.tab.page.mouse.move(area.x + area.width / 2, area.y + Math.min(area.height, 500) / 2);
    });
    if (!this.isLoading) await this.tab.wheel(scrollPx);
  }
}

/** The change that makes a request continue at the cursor; null when it does not ask for a further page of comments. */
function changedTo(cursor: string, request: Request): { url: string } | { postData: string } | null {
  if (!isCommentsCall(callOf(request))) return null;
  const address = new URL(request.url());
  if (commentsOfPath(address.pathname) !== null) {
    if (!address.searchParams.has('min_id')) return null;
    address.searchParams.set('min_id', cursor);
    return { url: address.href };
  }
  const form = new URLSearchParams(request.postData() ?? '');
  const changed = commentVariablesAt(JSON.parse(form.get('variables') ?? 'null'), cursor);
  if (changed === null) return null;
  form.set('variables', JSON.stringify(changed));
  return { postData: form.toString() };
}
