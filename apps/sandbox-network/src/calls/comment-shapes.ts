import type { Account } from '../population/accounts.js';
import type { Post } from '../population/posts.js';
import type { CommentOrder, ShownComment } from '../state/comments.js';
import type { World } from '../state/world.js';
import { postUser } from './answer-shapes.js';

const commentsPerPage = 14;
const repliesPerPage = 10;

/** A page of comments or replies; its cursor counts places, so what is deleted or written meanwhile moves the rows. */
export interface CommentPage {
  comments: ShownComment[];
  /** Number of replies that the visitor sees, by the id of the comment that they answer. */
  replies: ReadonlyMap<string, ShownComment[]>;
  next: string | null;
  order: CommentOrder;
}

/** A page of the comments at the top level. */
export function commentPage(world: World, viewer: Account, post: Post, cursor: unknown, wanted: CommentOrder): CommentPage {
  const place = placeOf(cursor);
  const order = place?.order ?? wanted;
  const threads = world.comments.threadsFor(post, viewer.index, order);
  const start = place?.start ?? 0;
  const end = start + commentsPerPage;
  return {
    comments: threads.slice(start, end),
    replies: world.comments.repliesFor(post, viewer.index),
    next: end < threads.length ? cursorOf(end, order) : null,
    order,
  };
}

/** A page of the replies to one comment, oldest first. */
export function replyPage(world: World, viewer: Account, post: Post, parentPk: string, cursor: unknown): CommentPage {
  const replies = world.comments.repliesFor(post, viewer.index);
  const all = replies.get(parentPk) ?? [];
  const start = placeOf(cursor)?.start ?? 0;
  const end = start + repliesPerPage;
  return {
    comments: all.slice(start, end),
    replies,
    next: end < all.length ? cursorOf(end, 'chronological') : null,
    order: 'chronological',
  };
}

/** A page as in section 4.7 of the fact sheet. */
export function commentConnection(viewer: Account, { comments, replies, next }: CommentPage) {
  return {
    edges: comments.map((comment) => ({ node: commentAnswer(viewer, comment, replies.get(comment.pk)?.length ?? 0), cursor: '' })),
    page_info: { end_cursor: next, has_next_page: next !== null, start_cursor: null, has_previous_page: false },
  };
}

/** One comment of a GraphQL answer. */
export function commentAnswer(viewer: Account, comment: ShownComment, replyCount: number): Record<string, unknown> {
  return {
    pk: comment.pk,
    text: comment.text,
    created_at: comment.createdAt,
    user: { ...postUser(comment.author), is_unpublished: false, fbid_v2: comment.author.fbid },
    child_comment_count: replyCount,
    parent_comment_id: comment.parentPk,
    comment_like_count: comment.likeCount,
    has_liked_comment: comment.likedBy.includes(viewer.pk),
    is_covered: false,
    restricted_status: null,
    is_edited: comment.isEdited,
    giphy_media_info: null,
    has_translation: null,
    fallback_user_info: null,
    __typename: 'XDTCommentDict',
  };
}

/** One comment of a REST answer. */
export function restComment(viewer: Account, comment: ShownComment, replyCount: number): Record<string, unknown> {
  return {
    pk: comment.pk,
    user_id: comment.author.pk,
    text: comment.text,
    type: comment.parentPk === null ? 0 : 2,
    created_at: comment.createdAt,
    created_at_utc: comment.createdAt,
    user: postUser(comment.author),
    comment_like_count: comment.likeCount,
    has_liked_comment: comment.likedBy.includes(viewer.pk),
    child_comment_count: replyCount,
    preview_child_comments: [],
    is_edited: comment.isEdited,
    status: 'Active',
    ...(comment.parentPk === null ? {} : { parent_comment_id: comment.parentPk }),
  };
}

const cursorOf = (start: number, order: CommentOrder): string =>
  Buffer.from(JSON.stringify({ server_cursor: start, sort_order: order })).toString('base64url');

/** Where a cursor continues; null without a cursor and for an invalid one, with which a list starts again. */
function placeOf(cursor: unknown): { start: number; order: CommentOrder } | null {
  if (typeof cursor !== 'string' || cursor === '') return null;
  try {
    const { server_cursor: start, sort_order: order } = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as Record<string, unknown>;
    if (typeof start !== 'number' || !Number.isInteger(start) || start < 0) return null;
    return { start, order: order === 'chronological' ? 'chronological' : 'popular' };
  } catch {
    return null;
  }
}
