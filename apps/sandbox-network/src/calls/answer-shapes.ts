import type { Account } from '../population/accounts.js';
import { hash } from '../population/hashing.js';
import type { Post } from '../population/posts.js';
import { pictureKinds } from '../population/picture-kinds.js';
import type { FriendshipStatus } from '../state/friendships.js';
import type { World } from '../state/world.js';

export function pictureOf(account: Account): string {
  return account.hasPicture ? `/static/avatars/${hash(account.index, 77) % pictureKinds}.jpg` : '/static/avatars/none.jpg';
}

/** The profile as in section 4.2 of the fact sheet. */
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
    media_count: world.posts.countOf(account),
    fbid_v2: account.fbid,
    is_business: account.isBusiness,
    friendship_status: account.index === viewer.index ? null : world.friendships.status(viewer.index, account.index),
    latest_reel_media: world.stories.latestOf(account),
    profile_pic_url: pictureOf(account),
    is_unpublished: false,
    external_url: null,
    account_type: account.isBusiness ? 2 : 1,
  };
}

/** One row of a list as in section 4.3 of the fact sheet. */
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
    latest_reel_media: world.stories.latestOf(account),
    third_party_downloads_enabled: 0,
    ...(kind === 'following' ? { is_favorite: false } : {}),
  };
}

/** The short friendship status of `show_many`. */
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

/** Number of likes that is shown of a post whose owner hides it: `like_and_view_counts_disabled` tells, not the number. */
const shownOfHiddenLikes = 3;

/** A post as in sections 4.6 and 4.9 of the fact sheet. */
export function postAnswer(world: World, viewer: Account, post: Post): Record<string, unknown> {
  const likes = world.likes.countOf(post);
  const isOwner = post.owner.index === viewer.index;
  return {
    pk: post.pk,
    id: `${post.pk}_${post.owner.pk}`,
    code: post.code,
    media_type: post.mediaType,
    product_type: { 1: 'feed', 2: 'clips', 8: 'carousel_container' }[post.mediaType],
    taken_at: post.takenAt,
    user: { ...postUser(post.owner), friendship_status: world.friendships.status(viewer.index, post.owner.index) },
    caption: { pk: `${post.pk.slice(0, -1)}7`, text: post.caption },
    like_count: post.likesHidden && !isOwner ? Math.min(likes, shownOfHiddenLikes) : likes,
    comment_count: world.comments.countFor(post, viewer.index),
    has_liked: world.likes.has(post, viewer.index),
    comments_disabled: post.commentsDisabled,
    commenting_disabled_for_viewer: post.commentsDisabled || (post.commentsLimited && !isOwner),
    like_and_view_counts_disabled: post.likesHidden,
    top_likers: [],
    coauthor_producers: post.coauthors.map(postUser),
    carousel_media: post.mediaType === 8 ? carouselOf(post) : null,
    usertags: null,
    view_count: null,
    display_uri: photoOf(post, 0),
  };
}

const photoOf = ({ pk }: Post, place: number): string => `/static/media/${(hash(Number(pk.slice(-9)), 5) + place) % pictureKinds}.jpg`;

/** The two to five pictures of an album. */
function carouselOf(post: Post): Record<string, unknown>[] {
  return Array.from({ length: 2 + (hash(Number(post.pk.slice(-9)), 6) % 4) }, (_, place) => ({
    pk: String(BigInt(post.pk) + BigInt(place + 1)),
    id: `${BigInt(post.pk) + BigInt(place + 1)}_${post.owner.pk}`,
    media_type: 1,
    product_type: 'carousel_item',
    display_uri: photoOf(post, place),
  }));
}

/** The answer when an operation fails on the server, section 4.6 of the fact sheet. The misspelling is the site's own. */
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
