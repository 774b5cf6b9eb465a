import type { LedgerTarget } from '@decola/contracts';
import type { EndlessSource } from '../driver/endless-page.js';
import { type HashtagPage, isHashtagCall, readHashtagPage } from '../network/hashtags.js';
import type { Post } from '../network/posts.js';
import { hashtagPath, isHashtagRoute } from '../network/routes.js';
import type { Candidates } from '../runs/acting-run.js';
import type { RunParts } from '../runs/run-module.js';
import { EndlessCandidates } from './endless-candidates.js';
import { type PostFilter, targetOfPost } from './post-target.js';

/** An author, with the post of theirs that the grid shows; null when it cannot be read. */
interface Author {
  readonly target: LedgerTarget;
  readonly post: Post | null;
}

/**
 * Authors of the posts of a hashtag.
 * @param filter why an author is passed over, as their post in the grid shows
 */
export function hashtagPeople(hashtag: string, filter: PostFilter, viewsOfAction: number, parts: RunParts): Candidates {
  const source = gridOf<Author>(
    hashtag,
    ({ authors, posts }) => authors.map((target) => ({ target, post: posts.find(({ authorId }) => authorId === target.targetId) ?? null })),
    ({ target }) => target.targetId,
  );
  const targetOf = ({ target, post }: Author) => ({ target, passedOver: post && filter(post) });
  return new EndlessCandidates(source, targetOf, viewsOfAction, parts);
}

/** Posts of a hashtag. */
export function hashtagPosts(hashtag: string, filter: PostFilter, viewsOfAction: number, parts: RunParts): Candidates {
  return new EndlessCandidates(hashtagGrid(hashtag), (post) => targetOfPost(post, filter), viewsOfAction, parts);
}

/** The posts of a hashtag's page. */
export function hashtagGrid(hashtag: string): EndlessSource<Post> {
  return gridOf<Post>(
    hashtag,
    ({ posts }) => posts,
    ({ pk }) => pk,
  );
}

function gridOf<Row>(hashtag: string, rowsOf: (page: HashtagPage) => readonly Row[], keyOf: (row: Row) => string): EndlessSource<Row> {
  return {
    path: hashtagPath(hashtag),
    landmark: 'hashtag grid',
    isRoute: isHashtagRoute,
    isCall: isHashtagCall,
    read: (answer) => {
      const page = readHashtagPage(answer);
      return page && { rows: rowsOf(page), hasMore: page.hasMore };
    },
    keyOf,
  };
}
