import type { CollectedComment } from '@decola/contracts';
import { z } from 'zod';
import { CommentList } from '../driver/comment-list.js';
import { CommentReplies } from '../driver/comment-replies.js';
import type { Comment, CommentPage } from '../network/comments.js';
import type { RunParts } from '../runs/run-module.js';
import { done, partial, type RunEnding } from '../runs/run-report.js';

/**
 * Where the comments of a post are read on, as extraction stores it in place of a cursor: the network's cursor of a page (null for the first one),
 * and the comments of that page whose replies were read.
 */
const storedPlace = z.object({ after: z.string().nullable(), repliesRead: z.array(z.string()) });
type Place = z.infer<typeof storedPlace>;

/** Pages in a row with no new comment after which the list repeats itself. */
const mostPagesWithoutNews = 2;
/** Pages of replies that are read of one comment. */
const mostReplyPages = 40;
/** A run that did nothing else reads at least so many pages of a comment's replies before it gives up the rest of them. */
const leastReplyPages = 7;

/** What is known of the open post: whether somebody else would see comments on it. */
export interface CommentedPost {
  readonly areExpected: boolean;
}

/** Reads the comments of a post with their replies. Each page is reported as soon as it was read, and the next reading continues at its place. */
export class CommentReading {
  private place: Place;
  private pages = 0;
  /** Of the open document. */
  private repeated = { seen: new Set<string>(), cursors: new Set<string>(), pagesWithoutNews: 0 };
  private hasFinishedSomething = false;

  /** @param cursor the stored place; null for the beginning of the list */
  constructor(
    private readonly parts: RunParts,
    private readonly mostPages: number,
    cursor: string | null,
  ) {
    this.place = readPlace(cursor);
  }

  /**
   * Opens the post and reads on. May be called again, after the network did not answer or the page has to be reloaded.
   * @param open opens the post; a run's end when there is nothing to read
   * @returns how the run ends; null when the network does not show the comments
   */
  async read(open: () => Promise<CommentedPost | RunEnding>): Promise<RunEnding | null> {
    this.repeated = { seen: new Set(), cursors: new Set(), pagesWithoutNews: 0 };
    const list = new CommentList(this.parts.tab, null);
    const replies = new CommentReplies(this.parts.tab);
    try {
      if (this.place.after) await list.continueAt(this.place.after);
      const opened = await open();
      if ('outcome' in opened) return opened;
      return await this.readPages(list, replies, opened);
    } finally {
      list.close();
      replies.close();
    }
  }

  private async readPages(list: CommentList, replies: CommentReplies, post: CommentedPost): Promise<RunEnding | null> {
    // The page always begins at the top of the list; the one after that is where this reading goes on.
    let isTopAgain = Boolean(this.place.after);
    for (let isFirst = true; ; isFirst = false) {
      if (!isFirst && !list.hasWaiting) {
        if (this.pages >= this.mostPages) return partial;
        await this.pause();
      }
      const page = await list.nextWholePage();
      if (page === 'refused' || page === 'silent') return null;
      if (page === null) return this.end('pass_ended');
      if (isFirst && page.comments.length === 0 && post.areExpected) return this.end('comments_hidden');
      replies.showsComments(page.comments);
      if (isTopAgain) {
        isTopAgain = false;
        await this.report(page.comments, this.place);
        // The list became shorter than the place at which this reading goes on.
        if (!page.hasMore) return this.end('pass_ended');
        continue;
      }
      const next = this.nextPlace(page);
      if (!(await this.readPage(page, next, list, replies))) return partial;
      if (next === null) return this.end('pass_ended');
      this.place = next;
      this.hasFinishedSomething = true;
    }
  }

  /** Reads a page and the replies to its comments. @returns false when the run may read no further page. */
  private async readPage(page: CommentPage, next: Place | null, list: CommentList, replies: CommentReplies): Promise<boolean> {
    const isRead = ({ pk }: Comment) => this.place.repliesRead.includes(pk);
    const threads = page.comments.filter((comment) => comment.replies > 0 && !isRead(comment));
    await this.report(page.comments, threads.length === 0 ? next : this.place);
    for (const [index, comment] of threads.entries()) {
      const isLastThread = index === threads.length - 1;
      if (!(await this.readReplies(comment, isLastThread ? next : this.placeBehind(comment), replies))) {
        // Further pages came without another scroll: the network has counted them.
        while (list.hasWaiting) {
          const received = await list.nextWholePage();
          if (received === null || typeof received === 'string') break;
          await this.report(received.comments, this.place);
        }
        return false;
      }
      this.place = this.placeBehind(comment);
      this.hasFinishedSomething = true;
    }
    return true;
  }

  /** @returns false when the run may read no further page and the replies are to be read again. */
  private async readReplies(comment: Comment, placeBehind: Place | null, replies: CommentReplies): Promise<boolean> {
    for (let pages = 0; pages < mostReplyPages; pages += 1) {
      if (this.pages >= this.mostPages) return false;
      await this.pause();
      const page = await replies.nextPage(comment);
      // The rest of the list is still there to be read.
      if (typeof page === 'string') break;
      const mayGiveUp = !this.hasFinishedSomething && pages + 1 >= leastReplyPages && this.pages + 1 >= this.mostPages;
      const isLast = !page.hasMore || pages === mostReplyPages - 1 || mayGiveUp;
      await this.report(page.replies, isLast ? placeBehind : this.place);
      if (isLast) break;
    }
    return true;
  }

  private placeBehind({ pk }: Comment): Place {
    return { ...this.place, repliesRead: [...this.place.repliesRead, pk] };
  }

  /** Where the list goes on after a page; null when it ends there, also because the network shows it again from an earlier place. */
  private nextPlace({ comments, hasMore, next }: CommentPage): Place | null {
    const { repeated } = this;
    const isNew = comments.some(({ pk }) => !repeated.seen.has(pk));
    for (const { pk } of comments) repeated.seen.add(pk);
    repeated.pagesWithoutNews = isNew ? 0 : repeated.pagesWithoutNews + 1;
    const isOver = !hasMore || (next !== null && repeated.cursors.has(next));
    if (isOver || repeated.pagesWithoutNews >= mostPagesWithoutNews) return null;
    if (next !== null) repeated.cursors.add(next);
    return { after: next ?? '', repliesRead: [] };
  }

  private async report(comments: readonly Comment[], next: Place | null): Promise<void> {
    const { parts } = this;
    this.pages += 1;
    await parts.report.pageOfComments(
      comments.map(collected),
      next === null ? null : JSON.stringify(next),
      next === null ? 'pass_ended' : null,
    );
    await parts.requireWanted();
  }

  private end(state: 'pass_ended' | 'comments_hidden'): RunEnding {
    const { report } = this.parts;
    report.list = { ...report.list!, cursor: null, state };
    return done;
  }

  private pause(): Promise<void> {
    return this.parts.control.pause(this.parts.job.pace.pageGapMs);
  }
}

/** The top of the list for a place that this version did not store. */
function readPlace(cursor: string | null): Place {
  try {
    const stored = storedPlace.safeParse(JSON.parse(cursor ?? 'null'));
    if (stored.success) return stored.data;
  } catch {
    // Not JSON.
  }
  return { after: null, repliesRead: [] };
}

function collected(comment: Comment): CollectedComment {
  return {
    commentId: comment.pk,
    text: comment.text,
    commentedAt: new Date(comment.createdAt * 1_000).toISOString(),
    likeCount: comment.likes,
    replyTo: comment.parentId,
    userId: comment.authorId,
    username: comment.author,
    fullName: comment.authorFullName,
    isPrivate: comment.isAuthorPrivate,
    isVerified: comment.isAuthorVerified,
    hasStory: comment.hasAuthorStory,
  };
}
