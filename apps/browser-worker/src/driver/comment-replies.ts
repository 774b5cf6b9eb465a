import { type Comment, isRepliesCall, readReplyPage, type ReplyPage } from '../network/comments.js';
import { saysFailed } from '../network/answers.js';
import { textsOf } from '../network/labels.js';
import { findRepliesButton } from './page-scripts.js';
import type { SiteTab } from './site-tab.js';

/**
 * Why the replies to a comment cannot be read. `no_button`: the page offers none. `refused`: the network does not show them to this account.
 * `silent`: they were requested and not answered.
 */
export type NoReplies = 'no_button' | 'refused' | 'silent';

const repliesWords = textsOf('viewReplies');

/** Replies to comments of the open post, which the page loads when somebody presses the button below a comment. */
export class CommentReplies {
  private readonly waiting: ReplyPage[] = [];
  private wasRefused = false;
  private readonly stopListening: () => void;
  /** Comments at the top level of the open document, by author and time. */
  private threads: Record<string, string> = {};

  constructor(private readonly tab: SiteTab) {
    this.stopListening = tab.listen((answer, document) => {
      if (!isRepliesCall(answer) || document < tab.documents) return;
      const page = readReplyPage(answer);
      if (page) this.waiting.push(page);
      else if (answer.json !== null && (answer.status >= 400 || saysFailed(answer))) this.wasRefused = true;
    });
  }

  /** To be called for every page of comments: a button is found by the comment that it belongs to. */
  showsComments(comments: readonly Comment[]): void {
    for (const { author, createdAt, pk } of comments) this.threads[`${author.toLowerCase()} ${createdAt}`] ??= pk;
  }

  /** The next page of replies to a comment. @throws as `SiteTab.check`. */
  async nextPage({ pk }: Comment): Promise<ReplyPage | NoReplies> {
    this.waiting.length = 0;
    this.wasRefused = false;
    const button = await this.tab.inPage(async () =>
      (await this.tab.page.evaluateHandle(findRepliesButton, { words: repliesWords, threads: this.threads, wanted: pk })).asElement(),
    );
    if (!button || !(await this.tab.click(button))) return 'no_button';
    const page = await this.tab.look(() => this.waiting.find(({ parentId }) => parentId === pk) ?? (this.wasRefused ? 'refused' : null));
    if (page !== null) return page;
    const outage = this.tab.outage();
    if (outage) throw outage;
    return 'silent';
  }

  close(): void {
    this.stopListening();
  }
}
