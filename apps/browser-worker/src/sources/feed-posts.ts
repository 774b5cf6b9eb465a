import type { EndlessSource } from '../driver/endless-page.js';
import { isFeedCall, readFeedPage } from '../network/feed.js';
import type { Post } from '../network/posts.js';
import { followingFeedPath, isFeedRoute } from '../network/routes.js';
import type { Candidates } from '../runs/acting-run.js';
import type { RunParts } from '../runs/run-module.js';
import { EndlessCandidates } from './endless-candidates.js';
import { type PostFilter, targetOfPost } from './post-target.js';

/** The page with the account's own feed. */
export const followingFeed: EndlessSource<Post> = {
  path: followingFeedPath,
  landmark: 'feed',
  isRoute: isFeedRoute,
  isCall: isFeedCall,
  read: (answer) => {
    const page = readFeedPage(answer);
    return page && { rows: page.posts, hasMore: page.hasMore };
  },
  keyOf: ({ pk }) => pk,
};

/** Posts of the account's own feed: of people whom it follows, without advertisements and suggestions. */
export function feedPosts(filter: PostFilter, viewsOfAction: number, parts: RunParts): Candidates {
  return new EndlessCandidates(followingFeed, (post) => targetOfPost(post, filter), viewsOfAction, parts);
}
