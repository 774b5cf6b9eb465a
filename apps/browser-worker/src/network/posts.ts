import { z } from 'zod';
import { type Answer, at, type PageCall, rootOf, saysFailed } from './answers.js';
import { readPerson } from './people.js';
import { likeOfPath, mediaOfPath } from './routes.js';
import { type Refusal, refusalIn } from './refusals.js';

/** A post, as far as a grid, a feed or its own page tells. */
export interface Post {
  /** Numeric id. */
  readonly pk: string;
  readonly code: string;
  readonly authorId: string;
  readonly author: string;
  readonly isAuthorPrivate: boolean;
  /** Null when the answer says nothing about our relation to the author. */
  readonly followsAuthor: boolean | null;
  /** Ids of everybody who published the post together with its author. */
  readonly coauthorIds: readonly string[];
  /** Seconds since 1970; 0 when unknown. */
  readonly takenAt: number;
  /** Null when the answer does not tell. */
  readonly hasLiked: boolean | null;
  /** True when we cannot comment on it: its author switched comments off, or limits who may write them. */
  readonly isClosedToComments: boolean;
  /** True when its author allows no comments at all, so that it shows none. */
  readonly areCommentsOff: boolean;
  /** Number of comments; null when unknown. */
  readonly comments: number | null;
  /** Number of likes; null when unknown. Means nothing when its author hides it. */
  readonly likes: number | null;
  /** True when its author hides the number of likes. */
  readonly areLikesHidden: boolean;
  readonly isAd: boolean;
}

const numberText = z.union([z.string(), z.number()]).transform(String);
const media = z.object({
  pk: numberText.nullish(),
  /** `pk_ownerpk`. */
  id: numberText.nullish(),
  code: z.string().min(1),
  user: z.unknown(),
  coauthor_producers: z.array(z.unknown()).nullish(),
  taken_at: z.number().nullish(),
  has_liked: z.boolean().nullish(),
  comments_disabled: z.boolean().nullish(),
  commenting_disabled_for_viewer: z.boolean().nullish(),
  comment_count: z.number().int().nonnegative().nullish(),
  like_count: z.number().int().nullish(),
  like_and_view_counts_disabled: z.boolean().nullish(),
});

/** Reads a post by the fields that the network uses wherever it shows one; null when the ids or the author are missing. */
export function readMedia(value: unknown): Post | null {
  const { data } = media.safeParse(value);
  const pk = data?.pk ?? data?.id?.split('_', 1)[0];
  const user = readPerson(data?.user);
  if (!data || !user || !pk || !/^\d+$/.test(pk)) return null;
  const follows = at(data.user, 'friendship_status', 'following');
  return {
    pk,
    code: data.code,
    authorId: user.userId,
    author: user.username,
    isAuthorPrivate: user.isPrivate,
    followsAuthor: typeof follows === 'boolean' ? follows : null,
    coauthorIds: (data.coauthor_producers ?? []).flatMap((one) => readPerson(one)?.userId ?? []),
    takenAt: data.taken_at ?? 0,
    hasLiked: data.has_liked ?? null,
    isClosedToComments: (data.comments_disabled ?? false) || (data.commenting_disabled_for_viewer ?? false),
    areCommentsOff: data.comments_disabled ?? false,
    comments: data.comment_count ?? null,
    // The site sends another number beside a hidden one, or a negative one.
    likes: data.like_count == null || data.like_count < 0 ? null : data.like_count,
    areLikesHidden: data.like_and_view_counts_disabled ?? false,
    isAd: isAdvertisement(value),
  };
}

/** True for a post that we published, alone or with others. */
export function isByUs({ authorId, coauthorIds }: Post, ownUserId: string): boolean {
  return authorId === ownUserId || coauthorIds.includes(ownUserId);
}

/** Fields that only advertisements have. */
function isAdvertisement(value: unknown): boolean {
  return at(value, 'ad_id') != null || at(value, 'is_ad') === true || at(value, 'is_paid_partnership_ad') === true;
}

/**
 * What an answer says about the post of the open page. `gone`: deleted, or not visible to this account; `isFailure`: said by an error that a
 * query which no longer works has too. `failed`: the query was answered, and says nothing about the post.
 */
export type PostAnswer =
  | { readonly kind: 'post'; readonly post: Post }
  | { readonly kind: 'gone'; readonly isFailure: boolean }
  | { readonly kind: 'failed' };

const postRoot = 'xdt_api__v1__media__shortcode__web_info';
/** The error of a query about one item that does not exist, or cannot be read (row 13; 4.6 for posts). */
const itemError = 1_675_030;

/** True when the page asks for the post that it shows. */
export function isPostCall({ path, friendlyName }: Pick<PageCall, 'path' | 'friendlyName'>): boolean {
  return mediaOfPath(path) !== null || (friendlyName !== null && /^PolarisPostRoot\w*Query$/.test(friendlyName));
}

/** Reads a post from a call or from a document, by GraphQL or by the older REST form; null when the answer is about something else. */
export function readPost(answer: Answer): PostAnswer | null {
  const root = rootOf(answer, postRoot);
  const items = at(root, 'items') ?? (mediaOfPath(answer.path) === null ? undefined : at(answer.json, 'items'));
  const post = Array.isArray(items) ? readMedia(items[0]) : null;
  if (post) return { kind: 'post', post };
  if (!isPostCall(answer) || answer.json === null) return null;
  if (isAboutMissingMedia(answer)) return { kind: 'gone', isFailure: false };
  if (hasItemError(answer)) return { kind: 'gone', isFailure: true };
  const isFailure = saysFailed(answer) || answer.status >= 400 || Array.isArray(at(answer.json, 'errors'));
  const isEmpty = root === null || (Array.isArray(items) && items.length === 0);
  return isEmpty && !isFailure ? { kind: 'gone', isFailure: false } : { kind: 'failed' };
}

/** True when the whole query failed with the error of an item that is missing. */
function hasItemError({ json }: Answer): boolean {
  const errors = at(json, 'errors');
  return at(json, 'data') === null && Array.isArray(errors) && errors.some((error) => at(error, 'code') === itemError);
}

/** True when an answer says that a post is gone or not visible to this account (row 15). */
export function isAboutMissingMedia({ json }: Pick<Answer, 'json'>): boolean {
  return /media not found or unavailable|has been deleted/i.test(String(at(json, 'message')));
}

/** Root fields of a person's grid. */
const gridRoot = 'xdt_api__v1__feed__user_timeline_graphql_connection';
const grid = z.object({ edges: z.array(z.object({ node: z.unknown() })) });

/** True when the page asks for posts of a profile's grid. */
export function isProfileGridCall({ friendlyName }: PageCall): boolean {
  return friendlyName !== null && /^PolarisProfilePosts\w*Query(_connection)?$/.test(friendlyName);
}

/** Reads posts of a profile's grid, pinned ones first; null when the answer is something else. */
export function readProfileGrid(answer: Answer): Post[] | null {
  const { data } = grid.safeParse(rootOf(answer, gridRoot));
  return data ? data.edges.flatMap(({ node }) => readMedia(node) ?? []) : null;
}

/** The newest post of a person in a page of their grid; null when there is none. Pinned posts stand first there, so the time decides. */
export function newestOf(grid: readonly Post[], userId: string): Post | null {
  const own = grid.filter(({ authorId, coauthorIds }) => authorId === userId || coauthorIds.includes(userId));
  return own.reduce<Post | null>((newest, post) => (newest === null || post.takenAt > newest.takenAt ? post : newest), null);
}

const likeMutation = /LikeMedia\w*LikeMutation$/;
const unlikeMutation = /LikeMedia\w*UnlikeMutation$/;

/** True when a call likes a post, by any of its names or by the older REST form, whatever its answer is. */
export function isLikeCall({ friendlyName, method, path }: PageCall): boolean {
  if (friendlyName) return likeMutation.test(friendlyName) && !unlikeMutation.test(friendlyName);
  return method === 'POST' && likeOfPath(path)?.isLike === true;
}

/** Id of the post that a like concerns; null when the call does not name it in a form that we know. */
export function likedPost({ variables, path }: Answer): string | null {
  const named = at(variables, 'input', 'media_id') ?? at(variables, 'media_id');
  if (typeof named === 'string' || typeof named === 'number') return String(named).split('_', 1)[0]!;
  return likeOfPath(path)?.mediaId ?? null;
}

/** What the answer to a like says; null when it does not contain the state of the heart (refused, retired, or not JSON). */
export function readLike(answer: Answer): { readonly root: string; readonly hasLiked: boolean } | null {
  if (!isLikeCall(answer)) return null;
  for (const document of [answer.json, ...answer.further]) {
    const data = at(document, 'data');
    for (const [root, value] of typeof data === 'object' && data !== null ? Object.entries(data) : []) {
      const hasLiked = at(value, 'media', 'has_liked') ?? at(value, 'has_liked');
      if (typeof hasLiked === 'boolean') return { root, hasLiked };
    }
  }
  // The REST form answers only that it succeeded.
  const isRestSuccess = likeOfPath(answer.path) !== null && answer.status === 200 && at(answer.json, 'status') === 'ok';
  return isRestSuccess ? { root: 'status', hasLiked: true } : null;
}

/** How the network refused a like. Null: not refused. */
export function refusalOfLike(answer: Answer): Refusal | null {
  if (readLike(answer) !== null) return null;
  return isAboutMissingMedia(answer) ? 'target_gone' : refusalIn(answer);
}
