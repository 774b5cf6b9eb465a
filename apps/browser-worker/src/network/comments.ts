import { z } from 'zod';
import { type Answer, at, hasAnsweredRoot, type PageCall, rootOf, saysFailed } from './answers.js';
import { readPerson } from './people.js';
import { isAboutMissingMedia } from './posts.js';
import { type Refusal, refusalIn } from './refusals.js';
import { commentCreationOfPath, commentsOfPath, repliesOfPath } from './routes.js';

/** A comment on a post. */
export interface Comment {
  /** Numeric id, as text: it does not fit into a JavaScript number. */
  readonly pk: string;
  readonly text: string;
  readonly authorId: string;
  readonly author: string;
  /** Empty when the network does not say it. */
  readonly authorFullName: string;
  /** Null when the network does not say it. */
  readonly isAuthorPrivate: boolean | null;
  readonly isAuthorVerified: boolean;
  /** Null when the network does not say it. */
  readonly hasAuthorStory: boolean | null;
  /** Seconds since 1970; 0 when unknown. */
  readonly createdAt: number;
  /** Id of the comment that it answers; null at the top level. */
  readonly parentId: string | null;
  /** Number of answers to it. */
  readonly replies: number;
  /** Null when the network does not say it. */
  readonly likes: number | null;
}

/** One page of the comments of a post. */
export interface CommentPage {
  /** Id of the post; null when the call does not name it in a form that we know. */
  readonly mediaId: string | null;
  readonly comments: readonly Comment[];
  readonly hasMore: boolean;
  /** Cursor of the next page; null when the network gave none. */
  readonly next: string | null;
}

/** One page of the replies to a comment. */
export interface ReplyPage {
  /** Id of the comment. */
  readonly parentId: string;
  readonly replies: readonly Comment[];
  readonly hasMore: boolean;
}

const numberText = z.union([z.string(), z.number()]).transform(String);
const comment = z.object({
  pk: numberText.nullish(),
  id: numberText.nullish(),
  text: z.string(),
  created_at: z.number().nullish(),
  user: z.unknown(),
  parent_comment_id: numberText.nullish(),
  child_comment_count: z.number().nullish(),
  comment_like_count: z.number().nullish(),
});

/** What the network says beside a comment about who wrote it. */
const commentAuthor = z.object({ is_private: z.boolean().nullish(), latest_reel_media: z.number().nullish() });

/** Reads a comment by GraphQL or REST; null when the ids or the author are missing. */
export function readComment(value: unknown): Comment | null {
  const { data } = comment.safeParse(value);
  const pk = data?.pk ?? data?.id;
  const user = readPerson(data?.user);
  if (!data || !user || !pk || !/^\d+$/.test(pk)) return null;
  const said = commentAuthor.safeParse(data.user).data;
  return {
    pk,
    text: data.text,
    authorId: user.userId,
    author: user.username,
    authorFullName: user.fullName,
    isAuthorPrivate: said?.is_private ?? null,
    isAuthorVerified: user.isVerified,
    hasAuthorStory: said?.latest_reel_media == null ? null : user.hasStory,
    createdAt: data.created_at ?? 0,
    parentId: data.parent_comment_id || null,
    replies: data.child_comment_count ?? 0,
    likes: data.comment_like_count ?? null,
  };
}

const listRoot = 'xdt_api__v1__media__media_id__comments__connection';
const graphList = z.object({
  edges: z.array(z.object({ node: z.unknown() })),
  page_info: z.object({ has_next_page: z.boolean().nullish(), end_cursor: z.string().nullish() }).nullish(),
});
const restList = z.object({
  comments: z.array(z.unknown()),
  next_min_id: z.string().nullish(),
  has_more_headload_comments: z.boolean().nullish(),
});

/** True when the page asks for comments of a post at the top level. */
export function isCommentsCall({ friendlyName, path }: PageCall): boolean {
  return (
    commentsOfPath(path) !== null || (friendlyName !== null && /^PolarisPostComments(Container|Pagination)\w*Query$/.test(friendlyName))
  );
}

/** Reads a page of comments from a call or a document, by GraphQL or REST; null when the answer is something else. */
export function readCommentPage(answer: Answer): CommentPage | null {
  const graph = graphList.safeParse(rootOf(answer, listRoot));
  if (graph.success) {
    return {
      mediaId: mediaIdIn(answer.variables),
      comments: graph.data.edges.flatMap(({ node }) => readComment(node) ?? []),
      hasMore: graph.data.page_info?.has_next_page ?? false,
      next: graph.data.page_info?.end_cursor || null,
    };
  }
  const mediaId = commentsOfPath(answer.path);
  const rest = mediaId === null ? null : restList.safeParse(answer.json);
  if (!rest?.success) return null;
  return {
    mediaId,
    comments: rest.data.comments.flatMap((one) => readComment(one) ?? []),
    hasMore: Boolean(rest.data.next_min_id) || (rest.data.has_more_headload_comments ?? false),
    next: rest.data.next_min_id || null,
  };
}

/**
 * The variables of a call for a further page of comments, changed to continue at a cursor that the network gave out. Null for the call for the first
 * page, which has no cursor.
 */
export function commentVariablesAt(variables: unknown, cursor: string): Record<string, unknown> | null {
  const given = at(variables, 'after');
  return typeof given === 'string' && given !== '' ? { ...(variables as Record<string, unknown>), after: cursor } : null;
}

const repliesRoot = 'xdt_api__v1__media__media_id__comments__parent_comment_id__child_comments__connection';
const restReplies = z.object({
  child_comments: z.array(z.unknown()),
  next_min_child_cursor: z.string().nullish(),
  has_more_head_child_comments: z.boolean().nullish(),
});

/** True when the page asks for replies to a comment. */
export function isRepliesCall({ friendlyName, path }: PageCall): boolean {
  return (
    repliesOfPath(path) !== null || (friendlyName !== null && /^PolarisPost(ChildComments|CommentsChildren)\w*Query$/.test(friendlyName))
  );
}

/** Reads a page of replies by GraphQL or REST; null when the answer is something else, or names no comment. */
export function readReplyPage(answer: Answer): ReplyPage | null {
  const parentId = repliesOfPath(answer.path) ?? idText(at(answer.variables, 'parent_comment_id'));
  if (parentId === null) return null;
  const read = (rows: readonly unknown[]) =>
    rows.flatMap((row) => readComment(row) ?? []).map((reply) => ({ ...reply, parentId: reply.parentId ?? parentId }));
  const graph = graphList.safeParse(rootOf(answer, repliesRoot));
  if (graph.success) {
    const { edges, page_info } = graph.data;
    return { parentId, replies: read(edges.map(({ node }) => node)), hasMore: page_info?.has_next_page ?? false };
  }
  const rest = repliesOfPath(answer.path) === null ? null : restReplies.safeParse(answer.json);
  if (!rest?.success) return null;
  const { child_comments, next_min_child_cursor, has_more_head_child_comments } = rest.data;
  return { parentId, replies: read(child_comments), hasMore: Boolean(next_min_child_cursor) || (has_more_head_child_comments ?? false) };
}

/** True when the network does not show the comments of a post to this account, without an objection to the account. */
export function isCommentsRefusal(answer: Answer): boolean {
  return isCommentsCall(answer) && readCommentPage(answer) === null && answer.json !== null && (answer.status >= 400 || saysFailed(answer));
}

/** True when a call writes a comment or a reply, whatever its answer is. */
export function isCommentCreation({ friendlyName, method, path }: PageCall): boolean {
  if (friendlyName) return /^(use)?PolarisPostCommentInput\w*Mutation$/.test(friendlyName);
  return method === 'POST' && commentCreationOfPath(path) !== null;
}

/** Id of the post on which a call writes; null when the call does not name it in a form that we know. */
export function commentedPost(answer: Answer): string | null {
  return commentCreationOfPath(answer.path) ?? mediaIdIn(answer.variables);
}

/** What was created by a comment or reply. */
export interface CreatedComment {
  /** Root field of the answer, as evidence. */
  readonly root: string;
  readonly pk: string;
}

/** Reads the new comment from the answer, whatever its root field is called; null when the answer does not contain one. */
export function readCreatedComment(answer: Answer): CreatedComment | null {
  if (!isCommentCreation(answer)) return null;
  for (const document of [answer.json, ...answer.further]) {
    const data = at(document, 'data');
    for (const [root, value] of typeof data === 'object' && data !== null ? Object.entries(data) : []) {
      for (const holder of [at(value, 'comment_dict'), at(value, 'comment'), at(value, 'node'), value]) {
        const pk = idOf(holder);
        if (pk !== null) return { root, pk };
      }
    }
  }
  const isRestSuccess = commentCreationOfPath(answer.path) !== null && at(answer.json, 'status') === 'ok';
  const pk = isRestSuccess ? idOf(answer.json) : null;
  return pk === null ? null : { root: 'id', pk };
}

/** How the network refused a comment. Null: not refused; the answer may still contain no comment, as after a silent block. */
export function refusalOfComment(answer: Answer): Refusal | null {
  if (readCreatedComment(answer) !== null || hasAnsweredRoot(answer.json)) return null;
  return isAboutMissingMedia(answer) ? 'target_gone' : refusalIn(answer);
}

/** True when both texts are the same for a reader: the network trims texts and may change their white space. */
export function isSameText(one: string, other: string): boolean {
  const form = (text: string) => text.normalize('NFC').replace(/\s+/gu, ' ').trim();
  return form(one) === form(other);
}

function idOf(value: unknown): string | null {
  return idText(at(value, 'pk') ?? at(value, 'id'));
}

function idText(id: unknown): string | null {
  return (typeof id === 'string' || typeof id === 'number') && /^\d+$/.test(String(id)) ? String(id) : null;
}

function mediaIdIn(variables: unknown): string | null {
  const named = at(variables, 'media_id') ?? at(variables, 'data', 'media_id') ?? at(variables, 'input', 'media_id');
  return typeof named === 'string' || typeof named === 'number' ? String(named).split('_', 1)[0]! : null;
}
