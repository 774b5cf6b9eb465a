import type { LedgerTarget, SkipReason } from '@decola/contracts';
import type { Post } from '../network/posts.js';

/** Why a post is not worth opening, as far as its row in a grid or feed tells; null when nothing speaks against it. */
export type PostFilter = (post: Post) => SkipReason | null;

/** A row of a grid or feed. */
export interface RowTarget {
  readonly target: LedgerTarget;
  /** Why it is passed over, as its row shows; `unnamed` for what was never meant as a target, such as an advertisement. */
  readonly passedOver: SkipReason | 'unnamed' | null;
}

/** The target of a post: passed over when it cannot be opened, is paid for, or does not pass the filter. */
export function targetOfPost(post: Post, filter: PostFilter): RowTarget {
  const target = { targetId: post.pk, username: post.author, authorId: post.authorId, postCode: post.code };
  if (post.isAd) return { target, passedOver: 'unnamed' };
  const isClosed = post.isAuthorPrivate && post.followsAuthor !== true;
  return { target, passedOver: isClosed ? 'target_private' : filter(post) };
}
