import type { CollectedPerson, LedgerTarget } from '@decola/contracts';
import { z } from 'zod';
import { listOfPath, type ListKind } from './routes.js';

/** One answer to a call that the page itself made, as the listener hands it on. */
export interface Answer {
  /** Path of the address that was asked, without its query. */
  readonly path: string;
  readonly method: string;
  readonly status: number;
  /** Friendly name that the page gave its GraphQL call; null for others. */
  readonly friendlyName: string | null;
  /** Variables of the GraphQL call; null for others. */
  readonly variables: unknown;
  /** The outer JSON; null when the body was something else. */
  readonly json: unknown;
  /** Body that is not JSON: `html`, `empty`, `lost`, or its first 40 characters. Null when it was JSON. */
  readonly notJson: string | null;
  /** Path that the call was redirected to; null when it was answered where it was asked. */
  readonly redirectedTo: string | null;
}

const person = z.object({
  pk: z.union([z.string(), z.number()]).transform(String),
  username: z.string().min(1),
  full_name: z.string().nullish(),
  is_private: z.boolean().nullish(),
  is_verified: z.boolean().nullish(),
  latest_reel_media: z.number().nullish(),
});

const friendshipStatus = z.object({
  following: z.boolean().nullish(),
  outgoing_request: z.boolean().nullish(),
  blocking: z.boolean().nullish(),
  followed_by: z.boolean().nullish(),
});

const profileAnswer = z.object({
  pk: z.union([z.string(), z.number()]).transform(String).optional(),
  id: z.union([z.string(), z.number()]).transform(String).optional(),
  username: z.string(),
  is_private: z.boolean().nullish(),
  follower_count: z.number().int().nonnegative().nullish(),
  following_count: z.number().int().nonnegative().nullish(),
  friendship_status: friendshipStatus.nullish(),
});

/** What a profile says of itself. */
export interface Profile {
  readonly userId: string;
  readonly username: string;
  readonly isPrivate: boolean;
  /** Null when the page did not say. */
  readonly followers: number | null;
  readonly following: number | null;
  readonly weFollow: boolean;
  readonly weAsked: boolean;
  /** We blocked this person: nothing can be asked of them until the block is taken back. */
  readonly weBlock: boolean;
}

/** True when this person's lists are closed to us: private and not followed, or blocked by us. */
export function isClosedTo(ownUserId: string, { userId, isPrivate, weFollow, weBlock }: Profile): boolean {
  return userId !== ownUserId && (weBlock || (isPrivate && !weFollow));
}

/** How an answer spoke about a person's profile. `gone` also stands for "blocked us": the network does not tell them apart. */
export type ProfileAnswer =
  { readonly kind: 'profile'; readonly profile: Profile } | { readonly kind: 'gone' } | { readonly kind: 'failed' };

function at(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (current, key) => (typeof current === 'object' && current !== null ? (current as Record<string, unknown>)[key] : undefined),
    value,
  );
}

/** `data.user` of the profile's own query; null when the answer is about something else. */
export function readProfile(answer: Answer): ProfileAnswer | null {
  if (answer.friendlyName !== 'PolarisProfilePageContentQuery') return null;
  const user = at(answer.json, 'data', 'user');
  if (isQueryError(answer)) return { kind: 'failed' };
  if (user === null || (user === undefined && at(answer.json, 'data') !== undefined)) return { kind: 'gone' };
  const parsed = profileAnswer.safeParse(user);
  const userId = parsed.data?.pk ?? parsed.data?.id;
  if (!parsed.success || !userId) return null;
  const { username, is_private, follower_count, following_count, friendship_status } = parsed.data;
  return {
    kind: 'profile',
    profile: {
      userId,
      username,
      isPrivate: is_private ?? false,
      followers: follower_count ?? null,
      following: following_count ?? null,
      weFollow: friendship_status?.following ?? false,
      weAsked: friendship_status?.outgoing_request ?? false,
      weBlock: friendship_status?.blocking ?? false,
    },
  };
}

/** Row 13: `data` is null and `errors` say why: this item is gone, or the query was retired. */
export function isQueryError(answer: Answer): boolean {
  return (
    at(answer.json, 'data') === null && Array.isArray(at(answer.json, 'errors')) && (at(answer.json, 'errors') as unknown[]).length > 0
  );
}

/** What the network says about us and a person after we followed or unfollowed them. */
export interface FriendshipAnswer {
  /** Root field of the answer, as evidence. */
  readonly root: string;
  readonly following: boolean;
  readonly outgoingRequest: boolean;
}

const friendshipRoots = { follow: 'xdt_create_friendship', unfollow: 'xdt_destroy_friendship' } as const;
/** The page's own names for the call, and the addresses of its older form. */
const friendshipNames = { follow: /FollowMutation$/, unfollow: /UnfollowMutation$/ } as const;
const friendshipPaths = {
  follow: /\/friendships\/(create\/\d+|\d+\/follow)\/$/,
  unfollow: /\/friendships\/(destroy\/\d+|\d+\/unfollow)\/$/,
} as const;

/** True when the page sent this follow or unfollow, whatever came back. */
export function isFriendshipCall(answer: Answer, action: 'follow' | 'unfollow'): boolean {
  if (answer.friendlyName) return friendshipNames[action].test(answer.friendlyName);
  return answer.method === 'POST' && friendshipPaths[action].test(answer.path);
}

/** The person that a follow or unfollow named; null when it cannot be read. */
export function friendshipTarget(answer: Answer): string | null {
  const variables = answer.variables;
  const named = at(variables, 'target_user_id') ?? at(variables, 'input', 'target_user_id');
  if (typeof named === 'string' || typeof named === 'number') return String(named);
  return /\/friendships\/(?:create\/|destroy\/)?(\d+)\//.exec(answer.path)?.[1] ?? null;
}

/** The relation after a follow or unfollow; null when the answer does not say (refused, retired, or not JSON). */
export function readFriendship(answer: Answer, action: 'follow' | 'unfollow'): FriendshipAnswer | null {
  if (!isFriendshipCall(answer, action)) return null;
  const root = friendshipRoots[action];
  const status = friendshipStatus.safeParse(at(answer.json, 'data', root, 'friendship_status') ?? at(answer.json, 'friendship_status'));
  if (!status.success) return null;
  return {
    root: answer.friendlyName ? root : 'friendship_status',
    following: status.data.following ?? false,
    outgoingRequest: status.data.outgoing_request ?? false,
  };
}

/** One page of a followers or following list. */
export interface ListPage {
  readonly userId: string;
  readonly list: ListKind;
  readonly rows: readonly CollectedPerson[];
  /** Where the next page begins; null at the network's end mark. */
  readonly next: string | null;
  /** The network keeps the rest of the list to itself. */
  readonly limited: boolean;
}

const listAnswer = z.object({
  users: z.array(z.unknown()),
  next_max_id: z.union([z.string(), z.number()]).transform(String).nullish(),
  has_more: z.boolean().nullish(),
  big_list: z.boolean().nullish(),
  should_limit_list_of_followers: z.boolean().nullish(),
  should_limit_list_of_followings: z.boolean().nullish(),
});

/** A page of a list, read from the page's own request; null when the answer is something else. Rows without an id are left out. */
export function readListPage(answer: Answer): ListPage | null {
  const place = listOfPath(answer.path);
  if (!place) return null;
  const parsed = listAnswer.safeParse(answer.json);
  if (!parsed.success) return null;
  const { users, next_max_id, should_limit_list_of_followers, should_limit_list_of_followings } = parsed.data;
  const limited = place.list === 'followers' ? should_limit_list_of_followers : should_limit_list_of_followings;
  return {
    ...place,
    rows: users.flatMap((user) => {
      const row = person.safeParse(user);
      return row.success && /^\d+$/.test(row.data.pk) ? [toCollected(row.data)] : [];
    }),
    // A page of 7 or 11 rows is no end; only a missing cursor is (the cursor decides over `has_more`).
    next: next_max_id && next_max_id !== '' ? next_max_id : null,
    limited: limited ?? false,
  };
}

function toCollected(row: z.infer<typeof person>): CollectedPerson {
  return {
    userId: row.pk,
    username: row.username,
    fullName: row.full_name ?? '',
    isPrivate: row.is_private ?? false,
    isVerified: row.is_verified ?? false,
    hasStory: (row.latest_reel_media ?? 0) > 0,
  };
}

/** Authors of a hashtag's posts in the order of the grid, and whether there are more. */
export interface HashtagPage {
  readonly authors: readonly LedgerTarget[];
  readonly hasMore: boolean;
}

const hashtagAnswer = z.object({
  edges: z.array(z.object({ node: z.object({ __typename: z.string().nullish(), items: z.array(z.unknown()).nullish() }).nullish() })),
  page_info: z.object({ has_next_page: z.boolean().nullish() }).nullish(),
});
const gridUnit = 'XDTTopSerpMediaGridUnit';

/** Posts' authors of one answer of the hashtag grid; null when the answer is something else. */
export function readHashtagPage(answer: Answer): HashtagPage | null {
  const parsed = hashtagAnswer.safeParse(at(answer.json, 'data', 'xdt_fbsearch__top_serp_graphql'));
  if (!parsed.success) return null;
  const authors = parsed.data.edges
    .filter(({ node }) => node?.__typename === gridUnit)
    .flatMap(({ node }) => node?.items ?? [])
    .flatMap((item) => {
      const user = person.safeParse(at(item, 'user'));
      return user.success && /^\d+$/.test(user.data.pk) ? [{ targetId: user.data.pk, username: user.data.username }] : [];
    });
  return { authors, hasMore: parsed.data.page_info?.has_next_page ?? false };
}

/** Id of the account that is logged in, where an answer tells it; null elsewhere. */
export function readViewer(answer: Answer): string | null {
  const id = at(answer.json, 'data', 'xdt_viewer', 'user', 'id') ?? at(answer.json, 'data', 'xdt_viewer', 'user', 'pk');
  return typeof id === 'string' || typeof id === 'number' ? String(id) : null;
}

/** The one `profile_id` in a profile's HTML; null when there is none or more than one. */
export function profileIdOfHtml(html: string): string | null {
  const found = new Set([...html.matchAll(/"profile_id"\s*:\s*"(\d+)"/g)].map((match) => match[1]!));
  return found.size === 1 ? [...found][0]! : null;
}

const jsonGuard = /^\s*for\s*\(;;\);/;

/** Reads a body as the page does: with or without the guard before the JSON. */
export function parseBody(text: string): { json: unknown; notJson: string | null } {
  const body = text.replace(jsonGuard, '').trim();
  if (body === '') return { json: null, notJson: 'empty' };
  if (/^<(!doctype|html)/i.test(body)) return { json: null, notJson: 'html' };
  try {
    // Some answers are several documents, one a line; the first one decides.
    return { json: JSON.parse(body), notJson: null };
  } catch {
    const first = body.split('\n', 1)[0] ?? '';
    try {
      return { json: JSON.parse(first), notJson: null };
    } catch {
      return { json: null, notJson: body.slice(0, 40) };
    }
  }
}
