import type { Accounts } from '../population/accounts.js';
import { type Comment, computedComments } from '../population/comments.js';
import { fraction, keyOf } from '../population/hashing.js';
import type { Post } from '../population/posts.js';
import type { NetworkClock } from './clock.js';

export const commentOrders = ['popular', 'chronological'] as const;
export type CommentOrder = (typeof commentOrders)[number];

/** What happened to a comment after it was written. */
export interface CommentChange {
  isDeleted?: boolean;
  /** `owner`: the post's owner hid it from everybody else. `network`: the network shows it to its author only, who is not told. */
  hiddenBy?: 'owner' | 'network' | null;
  /** The new text of an edited comment. */
  text?: string;
  /** `pk` of the accounts that like it by an action. */
  likedBy?: string[];
}

export interface ShownComment extends Comment {
  hiddenBy: 'owner' | 'network' | null;
  likedBy: string[];
}

export interface StoredComments {
  written: { post: string; pk: string; account: string; text: string; createdAt: number; parentPk: string | null }[];
  changes: [pk: string, CommentChange][];
  changedPosts: string[];
}

/** Posts whose computed comments are remembered; the oldest are computed again. */
const rememberedPosts = 50;
/** How much a like counts for a comment's rank; without likes the rank is arbitrary, and never that of time. */
const rankOfLike = 0.05;

/** The comments of posts: the computed ones, those that were written, and what was changed. Only changes are stored. */
export class Comments {
  private readonly written = new Map<string, Comment[]>();
  private readonly changes = new Map<string, CommentChange>();
  /** Posts with comments that were deleted, hidden or edited. */
  private readonly changed = new Set<string>();
  private readonly computed = new Map<string, { count: number; comments: Comment[] }>();
  private lastId = 0n;

  constructor(
    private readonly accounts: Accounts,
    private readonly clock: NetworkClock,
  ) {}

  /** An id that no comment has yet. */
  newId(): string {
    const now = BigInt(`178${String(this.clock.now()).padStart(13, '0')}1`);
    this.lastId = now > this.lastId ? now : this.lastId + 2n;
    return String(this.lastId);
  }

  /**
   * @param repliedTo the comment that is answered, by its id as the page sends it. When no comment of the post has this id, the new one is
   * at the top level, as on the site.
   */
  write(
    post: Post,
    author: number,
    text: string,
    { repliedTo = null, at = this.clock.now() }: { repliedTo?: string | null; at?: number } = {},
  ): Comment {
    const answered = repliedTo === null ? undefined : this.find(post, repliedTo);
    const comment: Comment = {
      pk: this.newId(),
      author: this.accounts.at(author),
      text,
      createdAt: Math.floor(at / 1000),
      likeCount: 0,
      parentPk: answered ? (answered.parentPk ?? answered.pk) : null,
      isEdited: false,
    };
    this.writtenOn(post.pk).push(comment);
    return comment;
  }

  /** @returns undefined when the post has no such comment, or has it no more. */
  find(post: Post, pk: string): ShownComment | undefined {
    return this.all(post).find((comment) => comment.pk === pk);
  }

  change(post: Post, pk: string, change: CommentChange): void {
    this.changed.add(post.pk);
    this.changes.set(pk, { ...this.changes.get(pk), ...change });
  }

  like(pk: string, account: string, isLiked: boolean): void {
    const others = (this.changes.get(pk)?.likedBy ?? []).filter((each) => each !== account);
    this.changes.set(pk, { ...this.changes.get(pk), likedBy: isLiked ? [...others, account] : others });
  }

  /** All comments that were not deleted, hidden ones too; each reply after the comment that it answers. */
  all(post: Post): ShownComment[] {
    const found: ShownComment[] = [];
    const present = new Set<string>();
    for (const comment of [...this.computedOf(post), ...(this.written.get(post.pk) ?? [])]) {
      const { isDeleted, hiddenBy = null, text, likedBy = [] } = this.changes.get(comment.pk) ?? {};
      // The replies of a deleted comment are deleted with it.
      if (isDeleted || (comment.parentPk !== null && !present.has(comment.parentPk))) continue;
      present.add(comment.pk);
      found.push({
        ...comment,
        text: text ?? comment.text,
        isEdited: comment.isEdited || text !== undefined,
        likeCount: comment.likeCount + likedBy.length,
        hiddenBy,
        likedBy,
      });
    }
    return found;
  }

  /** The number that the post shows. Comments that its owner hid count, those that only their author sees count for the author. */
  countFor(post: Post, viewer: number): number {
    if (!this.written.has(post.pk) && !this.changed.has(post.pk)) return post.commentCount;
    const seen = this.all(post).filter(({ hiddenBy, author }) => hiddenBy !== 'network' || author.index === viewer).length;
    // Comments of deleted people are in the number, but in no list.
    return post.commentCount - this.computedOf(post).length + seen;
  }

  /** The comments at the top level that the visitor sees: their own first, then by rank or by time, newest first. */
  threadsFor(post: Post, viewer: number, order: CommentOrder): ShownComment[] {
    const rank = ({ pk, likeCount }: ShownComment): number => fraction(keyOf(pk)) + likeCount * rankOfLike;
    return this.shown(post, viewer)
      .filter(({ parentPk }) => parentPk === null)
      .map((comment) => ({ comment, isOwn: comment.author.index === viewer, rank: rank(comment) }))
      .sort((one, other) =>
        one.isOwn !== other.isOwn
          ? Number(other.isOwn) - Number(one.isOwn)
          : (order === 'popular' && !one.isOwn ? other.rank - one.rank : other.comment.createdAt - one.comment.createdAt) ||
            (other.comment.pk > one.comment.pk ? 1 : -1),
      )
      .map(({ comment }) => comment);
  }

  /** The replies that the visitor sees, by the id of the comment that they answer, oldest first. */
  repliesFor(post: Post, viewer: number): Map<string, ShownComment[]> {
    const replies = new Map<string, ShownComment[]>();
    for (const comment of this.shown(post, viewer)) {
      if (comment.parentPk === null) continue;
      const others = replies.get(comment.parentPk) ?? [];
      others.push(comment);
      replies.set(comment.parentPk, others);
    }
    for (const each of replies.values()) each.sort((one, other) => one.createdAt - other.createdAt || (one.pk > other.pk ? 1 : -1));
    return replies;
  }

  store(): StoredComments {
    return {
      written: [...this.written].flatMap(([post, comments]) =>
        comments.map(({ pk, author, text, createdAt, parentPk }) => ({ post, pk, account: author.pk, text, createdAt, parentPk })),
      ),
      changes: [...this.changes],
      changedPosts: [...this.changed],
    };
  }

  restore({ written, changes, changedPosts }: StoredComments): void {
    for (const { post, account, ...comment } of written) {
      const author = this.accounts.byId(account);
      if (!author) continue;
      this.writtenOn(post).push({ ...comment, author, likeCount: 0, isEdited: false });
      if (BigInt(comment.pk) > this.lastId) this.lastId = BigInt(comment.pk);
    }
    for (const [pk, change] of changes) this.changes.set(pk, change);
    for (const pk of changedPosts) this.changed.add(pk);
  }

  private shown(post: Post, viewer: number): ShownComment[] {
    const isOwner = post.owner.index === viewer;
    if (post.commentsDisabled || (post.commentsHidden && !isOwner)) return [];
    return this.all(post).filter(
      ({ hiddenBy, author }) => hiddenBy === null || author.index === viewer || (hiddenBy === 'owner' && isOwner),
    );
  }

  private computedOf(post: Post): Comment[] {
    const remembered = this.computed.get(post.pk);
    if (remembered?.count === post.commentCount) return remembered.comments;
    const comments = computedComments(this.accounts, post);
    if (this.computed.size >= rememberedPosts) this.computed.delete(this.computed.keys().next().value ?? '');
    this.computed.set(post.pk, { count: post.commentCount, comments });
    return comments;
  }

  private writtenOn(post: string): Comment[] {
    let comments = this.written.get(post);
    if (!comments) this.written.set(post, (comments = []));
    return comments;
  }
}
