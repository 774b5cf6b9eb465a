import type { Account } from '../population/accounts.js';
import { hash } from '../population/numbers.js';
import type { Post } from '../population/posts.js';
import type { FriendshipStatus } from '../state/friendships.js';
import type { World } from '../state/world.js';

const pictureKinds = 64;

export function pictureOf(account: Account): string {
  return account.hasPicture ? `/static/avatars/${hash(account.index, 77) % pictureKinds}.svg` : '/static/avatars/none.svg';
}

export function latestReelOf(account: Account, now: number): number {
  return account.hasStory ? Math.floor(now / 1000) - (hash(account.index, 78) % 80_000) : 0;
}

/** Fact sheet 4.2. */
export function profileAnswer(world: World, viewer: Account, account: Account): Record<string, unknown> {
  return {
    id: account.pk,
    pk: account.pk,
    username: account.username,
    full_name: account.fullName,
    biography: account.biography,
    is_private: account.isPrivate,
    is_verified: account.isVerified,
    follower_count: world.friendships.followerCount(account.index),
    following_count: world.friendships.followingCount(account.index),
    media_count: account.mediaCount,
    fbid_v2: account.fbid,
    is_business: account.isBusiness,
    friendship_status: account.index === viewer.index ? null : world.friendships.status(viewer.index, account.index),
    latest_reel_media: latestReelOf(account, world.clock.now()),
    profile_pic_url: pictureOf(account),
    is_unpublished: false,
    external_url: null,
    account_type: account.isBusiness ? 2 : 1,
  };
}

/** Fact sheet 4.3: one row of a list. */
export function rowAnswer(world: World, account: Account, kind: 'followers' | 'following'): Record<string, unknown> {
  return {
    pk: account.pk,
    pk_id: account.pk,
    id: account.pk,
    strong_id__: account.pk,
    fbid_v2: account.fbid,
    username: account.listedUsername,
    full_name: account.fullName,
    is_private: account.isPrivate,
    is_verified: account.isVerified,
    ...(account.hasPicture ? { profile_pic_id: `39${account.index}_${account.pk}` } : {}),
    profile_pic_url: pictureOf(account),
    account_badges: [],
    has_anonymous_profile_picture: !account.hasPicture,
    latest_reel_media: latestReelOf(account, world.clock.now()),
    third_party_downloads_enabled: 0,
    ...(kind === 'following' ? { is_favorite: false } : {}),
  };
}

/** The short form of `show_many`. */
export function shortStatus(status: FriendshipStatus, isPrivate: boolean): Record<string, boolean> {
  return {
    following: status.following,
    incoming_request: status.incoming_request,
    outgoing_request: status.outgoing_request,
    is_private: isPrivate,
    is_bestie: false,
    is_restricted: false,
    is_feed_favorite: false,
    text_post_app_pre_following: false,
  };
}

export function postUser(account: Account): Record<string, unknown> {
  return {
    pk: account.pk,
    id: account.pk,
    username: account.listedUsername,
    full_name: account.fullName,
    is_private: account.isPrivate,
    is_verified: account.isVerified,
    profile_pic_url: pictureOf(account),
  };
}

/** Fact sheet 4.6 and 4.9. */
export function postAnswer(post: Post): Record<string, unknown> {
  return {
    pk: post.pk,
    id: `${post.pk}_${post.owner.pk}`,
    code: post.code,
    media_type: post.mediaType,
    product_type: { 1: 'feed', 2: 'clips', 8: 'carousel_container' }[post.mediaType],
    taken_at: post.takenAt,
    user: postUser(post.owner),
    caption: { pk: `${post.pk.slice(0, -1)}7`, text: post.caption },
    like_count: post.likeCount,
    comment_count: post.commentCount,
    has_liked: false,
    comments_disabled: post.commentsDisabled,
    commenting_disabled_for_viewer: post.commentsDisabled,
    like_and_view_counts_disabled: false,
    view_count: null,
    display_uri: `/static/media/${hash(Number(post.pk.slice(-9)), 5) % pictureKinds}.svg`,
  };
}

/** An operation that failed inside: fact sheet 4.6. The misspelling is theirs. */
export const failedOperation = {
  data: null,
  errors: [
    {
      code: 1_675_030,
      summary: 'Query Error',
      message: 'A server error field_exception occured. Check server logs for details.',
      description: 'Error performing query.',
      severity: 'CRITICAL',
      is_silent: false,
    },
  ],
  extensions: { is_final: true },
};
