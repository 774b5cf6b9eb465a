import { z } from 'zod';
import { type Answer, at, type PageCall, rootOf } from './answers.js';
import { type Post, readMedia } from './posts.js';
import { isFeedPath } from './routes.js';

/** One page of the account's own feed. */
export interface FeedPage {
  /** Posts of people whom the account follows: no advertisements and no suggestions. */
  readonly posts: readonly Post[];
  readonly hasMore: boolean;
}

const feedRoot = 'xdt_api__v1__feed__timeline__connection';
const graphFeed = z.object({
  edges: z.array(z.object({ node: z.unknown() })),
  page_info: z.object({ has_next_page: z.boolean().nullish() }).nullish(),
});
const restFeed = z.object({ feed_items: z.array(z.unknown()), more_available: z.boolean().nullish() });
/** Fields of an item that are filled in for anything but a post of somebody whom the account follows. */
const otherItems = [
  'ad',
  'explore_story',
  'stories_netego',
  'suggested_users',
  'bloks_netego',
  'end_of_feed_demarcator',
  'ad4ad_in_webfeed',
];

/** True when the page asks for a page of the feed. */
export function isFeedCall({ friendlyName, path }: PageCall): boolean {
  return isFeedPath(path) || (friendlyName !== null && /^PolarisFeed(TimelineRoot|RootPagination)/.test(friendlyName));
}

/** Reads a page of the feed, by GraphQL or by the older REST form; null when the answer is something else. */
export function readFeedPage(answer: Answer): FeedPage | null {
  const graph = graphFeed.safeParse(rootOf(answer, feedRoot));
  if (graph.success) {
    const posts = graph.data.edges.flatMap(({ node }) => followedPost(node, at(node, 'media')));
    return { posts, hasMore: graph.data.page_info?.has_next_page ?? false };
  }
  const rest = isFeedPath(answer.path) ? restFeed.safeParse(answer.json) : null;
  if (!rest?.success) return null;
  const posts = rest.data.feed_items.flatMap((item) => followedPost(item, at(item, 'media_or_ad')));
  return { posts, hasMore: rest.data.more_available ?? false };
}

/** The post of a feed item, if its author is followed for certain and nobody paid for it. */
function followedPost(item: unknown, media: unknown): Post[] {
  if (otherItems.some((name) => at(item, name) != null)) return [];
  const post = readMedia(media);
  return post?.followsAuthor === true && !post.isAd ? [post] : [];
}
