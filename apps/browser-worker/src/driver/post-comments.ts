import type { LedgerTarget, UnsettledReservation } from '@decola/contracts';
import { commentedPost, type Comment, isCommentCreation, isSameText, readCreatedComment, refusalOfComment } from '../network/comments.js';
import { isByUs } from '../network/posts.js';
import { type ActionResult, type AnnounceTry, neverWritten, type Proof, settledAs, skipped, unknownOutcome } from './action-result.js';
import { CommentBox } from './comment-box.js';
import { CommentList } from './comment-list.js';
import { textsOf } from '../network/labels.js';
import { findReplyButton } from './page-scripts.js';
import { notOpened, type PostScreen, reasonOf } from './post-screen.js';
import { actWithProof } from './proven-action.js';
import type { SiteTab } from './site-tab.js';

/**
 * What the page shows of our comment. `sent`: the box is empty again. `shown`: it is in the list. `absent`: it is not in it. `gone`: the post was
 * deleted meanwhile. `unread`: the list could not be read far enough.
 */
type ShownComment = 'sent' | 'shown' | 'absent' | 'gone' | 'unread';

/** Pages of comments that are read for a comment of our own: the network shows these first. */
const mostPages = 3;
/** Pages that are read for a comment that is to be answered. */
const mostPagesToAnswer = 8;

export interface CommentOptions {
  /** The comment that is answered; then the target is that comment, and it may stand on a post of our own, beside other comments of ours. */
  readonly answers?: Comment;
  /** Called when the text is written: a target that is skipped uses none. */
  readonly text: () => string;
  readonly announce: AnnounceTry;
  /** Called before each further page of comments. */
  readonly betweenPages: () => Promise<void>;
}

/** Writes comments on posts, and reports only outcomes that the page and the network's answers prove. */
export class PostComments {
  private readonly box: CommentBox;

  constructor(
    private readonly tab: SiteTab,
    private readonly posts: PostScreen,
    private readonly ownUserId: string,
    shownTimeoutMs: number,
  ) {
    this.box = new CommentBox(tab, shownTimeoutMs);
  }

  comment(target: LedgerTarget, options: CommentOptions): Promise<ActionResult> {
    return this.withComments(options.answers ? 'reply' : 'comment', target, (list) =>
      this.tab.withReload(() => this.tryComment(target, list, options)),
    );
  }

  /** Reads on the post's page whether an earlier comment with this text is there. Nothing is written. */
  settle(target: UnsettledReservation, betweenPages: () => Promise<void>): Promise<ActionResult> {
    const { action, text } = target;
    if (text === undefined) return Promise.resolve(neverWritten());
    if (action === 'reply') return this.settleReply(target, text, betweenPages);
    return this.withComments('comment', target, (list) =>
      this.tab.withReload(async () => {
        list.beginAgain();
        const opened = await this.posts.open(target);
        if (opened.kind !== 'open') return unknownOutcome(reasonOf(opened));
        const found = await list.find((comment) => this.isOurs(comment) && isSameText(comment.text, text), { mostPages, betweenPages });
        if (typeof found === 'object') return settledAs('confirmed', { comment: found.pk });
        if (found !== 'absent') return unknownOutcome(`comments_${found}`);
        // An empty list beside a number of comments is hidden by the post's author.
        if (list.isEmpty && opened.post.comments !== 0) return unknownOutcome('comments_hidden');
        return settledAs('not_confirmed', { comment: 'absent' });
      }),
    );
  }

  private async tryComment(
    target: LedgerTarget,
    list: CommentList,
    { answers, text, announce, betweenPages }: CommentOptions,
  ): Promise<ActionResult> {
    list.beginAgain();
    const opened = await this.posts.open(target);
    if (opened.kind !== 'open') return notOpened(opened);
    const { post } = opened;
    if (!answers && isByUs(post, this.ownUserId)) return skipped('own');
    if (post.isClosedToComments) return skipped('comments_off');
    const first = await list.nextPage();
    if (first === 'silent' || first === 'refused') return skipped('unsettled', { reason: `comments_${first}` });
    // The author hides all comments: ours could never be proved.
    if ((first === null || first.length === 0) && (post.comments ?? 0) > 0) return skipped('comments_off', { comments: 'hidden' });
    const isThere = (comment: Comment) => this.isOurs(comment) && (!answers || isSameText(comment.text, text()));
    if (first?.some(isThere)) return skipped('already_so', { comment: 'shown' });
    const parent = answers && (await this.findIn(list, first, answers, betweenPages));
    if (parent === null) return skipped('unsettled', { reason: 'comment_not_shown' });
    const written = text();
    const proof: Proof = { text: written };
    return actWithProof<ShownComment>(this.tab, {
      action: answers ? 'reply' : 'comment',
      proof,
      proofNames: { atOnce: 'box', afterReload: 'commentAfterReload' },
      isCall: isCommentCreation,
      isAboutTarget: (answer) => [null, post.pk].includes(commentedPost(answer)),
      click: async (attempt) => {
        if (parent) await this.beginReply(parent, written);
        else await this.box.write(written);
        attempt.tried = await this.box.send(() => announce(written));
      },
      said: (answer) => {
        const created = readCreatedComment(answer);
        return created && { root: created.root, state: created.pk };
      },
      refusalOf: refusalOfComment,
      shownAtOnce: async () => ((await this.box.waitUntilEmpty()) ? 'sent' : null),
      shownAfterReload: async (attempt) => {
        list.beginAgain();
        if ((await this.posts.reload(target)) === null) return 'gone';
        const created = attempt.answer && readCreatedComment(attempt.answer);
        const isIt = (comment: Comment) =>
          created ? comment.pk === created.pk : this.isOurs(comment) && isSameText(comment.text, written);
        // The site may lose which comment an answer belongs to, so that it stands at the top level (instagram-web.md, section 12).
        const isAnswered = (comment: Comment) => comment.pk === parent?.pk && comment.replies > parent.replies;
        const found = await list.find((comment) => isIt(comment) || (created !== null && isAnswered(comment)), { mostPages, betweenPages });
        if (typeof found === 'object') {
          proof['comment'] = created?.pk ?? found.pk;
          if (parent) proof['standsBelow'] = isIt(found) ? 'post' : 'comment';
          return 'shown';
        }
        return found === 'absent' ? 'absent' : 'unread';
      },
      outcomeOf: (shown) => (shown === 'shown' || shown === 'sent' ? 'confirmed' : 'not_confirmed'),
      conclude: ({ outcome, shown, refusal, attempt }) => {
        if (refusal === 'target_gone') return { outcome: 'skipped', skipReason: 'target_gone' };
        if (shown !== 'gone') return { outcome: refusal === 'refused' ? 'refused' : outcome };
        // Deleted between our comment and the reload: the answer is the only proof left.
        const created = attempt.answer && readCreatedComment(attempt.answer);
        return created ? { outcome: 'confirmed' } : { outcome: 'skipped', skipReason: 'target_gone' };
      },
    });
  }

  /** Reads whether an earlier answer is there: at the top level, or below its comment, where the list does not show it. */
  private settleReply(target: UnsettledReservation, text: string, betweenPages: () => Promise<void>): Promise<ActionResult> {
    return this.withComments('reply', target, (list) =>
      this.tab.withReload(async () => {
        list.beginAgain();
        const opened = await this.posts.open(target);
        if (opened.kind !== 'open') return unknownOutcome(reasonOf(opened));
        let parent: Comment | null = null;
        const found = await list.find(
          (comment) => {
            if (comment.pk === target.targetId) parent = comment;
            return this.isOurs(comment) && isSameText(comment.text, text);
          },
          { mostPages, betweenPages },
        );
        if (typeof found === 'object') return settledAs('confirmed', { comment: found.pk });
        const isUnanswered = (parent as Comment | null)?.replies === 0;
        return isUnanswered ? settledAs('not_confirmed', { comment: 'absent' }) : unknownOutcome('comment_not_shown');
      }),
    );
  }

  /** The comment that is to be answered, as the page shows it now; null when it is not among the first pages. */
  private async findIn(
    list: CommentList,
    first: readonly Comment[] | null,
    { pk }: Comment,
    betweenPages: () => Promise<void>,
  ): Promise<Comment | null> {
    const isIt = (comment: Comment) => comment.pk === pk;
    const found = first?.find(isIt) ?? (await list.find(isIt, { mostPages: mostPagesToAnswer, betweenPages }));
    return typeof found === 'object' ? found : null;
  }

  /** Presses the button that answers a comment, and writes the answer behind the name that the page puts into the box. */
  private async beginReply({ author, text }: Comment, written: string): Promise<void> {
    const button = await this.tab.require('button that answers a comment', async () => {
      const words = textsOf('reply');
      const found = await this.tab.inPage(() => this.tab.page.evaluateHandle(findReplyButton, { username: author, text, words }));
      return found.asElement();
    });
    if (!(await this.tab.click(button))) throw this.tab.missing('button that answers a comment and can be clicked');
    const beginning = `@${author} `;
    await this.box.writeAfter(beginning, written.startsWith(beginning) ? written.slice(beginning.length) : written);
  }

  private isOurs({ authorId }: Comment): boolean {
    return authorId === this.ownUserId;
  }

  private async withComments<Result>(
    action: 'comment' | 'reply',
    { targetId }: LedgerTarget,
    work: (list: CommentList) => Promise<Result>,
  ): Promise<Result> {
    // The target of an answer is a comment, so that the post's id is not known before its page was read.
    const list = new CommentList(this.tab, action === 'comment' ? targetId : null);
    try {
      return await work(list);
    } finally {
      list.close();
    }
  }
}
