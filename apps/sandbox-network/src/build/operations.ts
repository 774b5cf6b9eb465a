/** Calls that change something on the network: they are judged, kept in the ledger, and hit by objections to `action`. */
export const actionNames = [
  'follow',
  'unfollow',
  'like',
  'unlike',
  'comment',
  'reply',
  'view_story',
  'story_like',
  'story_reply',
  'message',
] as const;
export type ActionName = (typeof actionNames)[number];

export function isAction(call: string): call is ActionName {
  return (actionNames as readonly string[]).includes(call);
}

/** Names of calls in the ledger and in objections. `page` is the loading of a document. */
export const callNames = [
  ...actionNames,
  'profile',
  'posts',
  'post',
  'hashtag',
  'followers',
  'following',
  'show_many',
  'route',
  'suggestions',
  'comments',
  'replies',
  'comment_like',
  'likers',
  'feed',
  'stories',
  'view_live',
  'inbox',
  'thread',
  'recipients',
  'page',
] as const;
export type CallName = (typeof callNames)[number];

interface Operation {
  /** Root field of the answer. */
  root: string;
  kind: 'query' | 'mutation';
  /** Name of the call in the ledger and in objections. */
  call: CallName;
  /** Root field in builds with the mutations of 2024-25. */
  olderRoot?: string;
  /** Sent to `/graphql/query` in every build: feed and profile grid. */
  isFeed?: true;
  /** Root field in the call's header where it differs from `root`; null when the call has no such header. */
  headerRoot?: string | null;
}

const timeline = 'xdt_api__v1__feed__user_timeline_graphql_connection';
const comments = 'xdt_api__v1__media__media_id__comments__connection';
const replies = 'xdt_api__v1__media__media_id__comments__parent_comment_id__child_comments__connection';
const feed = 'xdt_api__v1__feed__timeline__connection';
const reels = 'xdt_api__v1__feed__reels_media';
const search = 'xdt_fbsearch__top_serp_graphql';

/** Every GraphQL operation that the page of some build sends; names and roots are those of sections 3.2 and 13 of the fact sheet. */
const everyOperation = {
  PolarisProfilePageContentQuery: { root: 'user', kind: 'query', call: 'profile' },
  PolarisProfilePostsQuery: { root: timeline, kind: 'query', call: 'posts', isFeed: true },
  PolarisPostRootQuery: { root: 'xdt_api__v1__media__shortcode__web_info', kind: 'query', call: 'post' },
  PolarisKeywordSearchExplorePageRelayQuery: { root: search, kind: 'query', call: 'hashtag' },
  PolarisKeywordSearchExplorePageRelayPaginationQuery: { root: search, kind: 'query', call: 'hashtag' },
  PolarisProfileSuggestedUsersWithPreloadableQuery: { root: 'xdt_api__v1__discover__chaining', kind: 'query', call: 'suggestions' },
  usePolarisFollowMutation: { root: 'xdt_create_friendship', kind: 'mutation', call: 'follow' },
  usePolarisUnfollowMutation: { root: 'xdt_destroy_friendship', kind: 'mutation', call: 'unfollow' },
  usePolarisFollowUserFollowMutation: { root: 'xdt_create_friendship', kind: 'mutation', call: 'follow' },
  usePolarisFollowUserUnfollowMutation: { root: 'xdt_destroy_friendship', kind: 'mutation', call: 'unfollow' },
  usePolarisLikeMediaXIGLikeMutation: { root: 'xig_media_like', kind: 'mutation', call: 'like' },
  usePolarisLikeMediaXIGUnlikeMutation: { root: 'xig_media_unlike', kind: 'mutation', call: 'unlike' },
  usePolarisLikeMediaLikeMutation: { root: 'xdt_mark_media_like', kind: 'mutation', call: 'like' },
  usePolarisLikeMediaUnlikeMutation: { root: 'xdt_api__v1__media__media_id__unlike', kind: 'mutation', call: 'unlike' },
  PolarisProfilePageContentDirectQuery: { root: 'user', kind: 'query', call: 'profile', headerRoot: 'fetch__XDTUserDict' },
  PolarisProfilePostsTabContentQuery_connection: { root: timeline, kind: 'query', call: 'posts', isFeed: true },
  // One operation for both lists: `rootOf` gives the root of the list of followed accounts.
  usePolarisGetFollowListQuery: {
    root: 'xdt_api__v1__friendships__followers__connection',
    kind: 'query',
    call: 'followers',
    headerRoot: null,
  },
  PolarisPostCommentsContainerQuery: { root: comments, kind: 'query', call: 'comments' },
  PolarisPostCommentsPaginationQuery: { root: comments, kind: 'query', call: 'comments' },
  PolarisPostChildCommentsQuery: { root: replies, kind: 'query', call: 'replies' },
  // The misspelling is the site's own.
  PolarisPostCommentsChildrenPaginationtQuery: { root: replies, kind: 'query', call: 'replies' },
  // With `replied_to_comment_id` the call is a reply.
  PolarisPostCommentInputRevampedMutation: {
    root: 'xig_comment_create',
    olderRoot: 'xdt_web__comments__media_id__add_queryable',
    kind: 'mutation',
    call: 'comment',
  },
  PolarisFeedTimelineRootV2Query: { root: feed, kind: 'query', call: 'feed', isFeed: true },
  PolarisFeedRootPaginationCachedQuery_subscribe: { root: feed, kind: 'query', call: 'feed', isFeed: true },
  PolarisPostLikedByListDialogQuery: { root: 'fetch__XDTMediaDict', kind: 'query', call: 'likers' },
  // The fact sheet does not name the tray's query, nor those of the heart and the reply box, only what they do.
  PolarisStoriesV3TrayContainerQuery: { root: 'xdt_api__v1__feed__reels_tray', kind: 'query', call: 'stories' },
  PolarisStoriesV3ReelPageStandaloneQuery: { root: reels, kind: 'query', call: 'stories' },
  PolarisStoriesV3ReelPageGalleryQuery: { root: reels, kind: 'query', call: 'stories' },
  PolarisStoriesV3ReelPageGalleryPaginationQuery: { root: reels, kind: 'query', call: 'stories' },
  PolarisStoriesV3SeenMutation: { root: 'xdt_mark_story_reel_seen', kind: 'mutation', call: 'view_story' },
  usePolarisStoriesV4LikeMutation: { root: 'xdt_send_story_like', kind: 'mutation', call: 'story_like' },
  usePolarisStoriesV4ReplyMutation: { root: 'xdt_send_story_reply', kind: 'mutation', call: 'story_reply' },
  // Of the two queries for threads the fact sheet gives the names, not the roots.
  PolarisDirectInboxQuery: { root: 'get_slide_mailbox_for_iris_subscription', kind: 'query', call: 'inbox' },
  IGDThreadDetailQuery: { root: 'get_slide_thread_nullable', kind: 'query', call: 'thread' },
  IGDMessageListOffMsysQuery: { root: 'fetch__SlideThread', kind: 'query', call: 'thread' },
} satisfies Record<string, Operation>;
export type OperationName = keyof typeof everyOperation;
export const operations: Record<OperationName, Operation> = everyOperation;

export const operationNames = Object.keys(operations) as OperationName[];

/** Root field of the answer; of one operation it depends on the variables. */
export function rootOf(operation: OperationName, variables: Record<string, unknown>): string {
  const { root, olderRoot } = operations[operation];
  if (olderRoot && 'request_data' in variables) return olderRoot;
  return callOf(operation, variables) === 'following' ? root.replace('followers', 'following') : root;
}

export function callOf(operation: OperationName, variables: Record<string, unknown>): CallName {
  const { call } = operations[operation];
  if (call === 'followers' && variables.list === 'following') return 'following';
  const { replied_to_comment_id: repliedTo } = (variables.data ?? variables.request_data ?? {}) as { replied_to_comment_id?: unknown };
  return call === 'comment' && repliedTo ? 'reply' : call;
}
