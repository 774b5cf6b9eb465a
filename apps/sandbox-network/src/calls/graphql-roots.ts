import type { Account } from '../population/accounts.js';
import { hash } from '../population/hashing.js';
import type { Post } from '../population/posts.js';
import type { World } from '../state/world.js';
import { commentConnection, commentPage, replyPage } from './comment-shapes.js';
import { pictureOf, postAnswer, postUser, profileAnswer } from './answer-shapes.js';

const postsPerPage = 12;
const tagPostsPerPage = 24;
const suggestionsShown = 5;

/** Values of GraphQL root fields, for calls and for documents that contain them. */
export class GraphqlRoots {
  constructor(private readonly world: World) {}

  /** Null when the account is deleted or has blocked the visitor. */
  profile(viewer: Account, account: Account | undefined): Record<string, unknown> | null {
    const shown = this.visible(viewer, account);
    return shown ? profileAnswer(this.world, viewer, shown) : null;
  }

  /** Undefined when the post is deleted or the visitor may not see it. */
  post(viewer: Account, code: string): { items: Record<string, unknown>[] } | undefined {
    const post = this.shownPost(viewer, this.world.posts.byCode(code));
    return post && { items: [postAnswer(this.world, viewer, post)] };
  }

  /** A page of the comments, section 4.7 of the fact sheet. Undefined when the visitor may not see the post. */
  comments(viewer: Account, post: Post | undefined, { after, sort_order: order }: Record<string, unknown>) {
    const shown = this.shownPost(viewer, post);
    const wanted = order === 'chronological' ? order : 'popular';
    return shown && commentConnection(viewer, commentPage(this.world, viewer, shown, after, wanted));
  }

  /** A page of the replies to a comment. Undefined when the visitor may not see the post. */
  replies(viewer: Account, post: Post | undefined, { parent_comment_id: parent, after }: Record<string, unknown>) {
    const shown = this.shownPost(viewer, post);
    return shown && commentConnection(viewer, replyPage(this.world, viewer, shown, String(parent), after));
  }

  /** A sample of the likers, section 4.8 of the fact sheet; no further page. Undefined when the visitor may not see the post. */
  likers(viewer: Account, pk: string, hasClaim: boolean) {
    const { posts, likes, friendships, stories } = this.world;
    const post = this.shownPost(viewer, posts.byId(pk));
    if (!post) return undefined;
    const shown = post.likesHidden && post.owner.index !== viewer.index ? [] : likes.shown(post, hasClaim);
    const nodes = shown.map((account) => ({
      ...postUser(account),
      is_unpublished: false,
      social_context: null,
      friendship_status: account.index === viewer.index ? null : friendships.status(viewer.index, account.index),
      latest_reel_media: stories.latestOf(account),
    }));
    return { id: pk, likers_connection: { nodes } };
  }

  /** The post; undefined when it is deleted or the visitor may not see it. */
  shownPost(viewer: Account, post: Post | undefined): Post | undefined {
    const owner = post && this.visible(viewer, post.owner);
    return post && owner && this.maySeePosts(viewer, owner) && !this.world.posts.isDeleted(post) ? post : undefined;
  }

  /** The account; undefined when it is deleted or has blocked the visitor. */
  visible(viewer: Account, account: Account | undefined): Account | undefined {
    if (!account || account.presence.startsWith('gone')) return undefined;
    return this.world.friendships.hasBlocked(account.index, viewer.index) ? undefined : account;
  }

  maySeePosts(viewer: Account, owner: Account): boolean {
    return !owner.isPrivate || owner.index === viewer.index || this.world.friendships.follows(viewer.index, owner.index);
  }

  /** Up to twelve posts of the account, from the cursor on; `variables` are those of the call. */
  postsOf(viewer: Account, variables: Record<string, unknown>) {
    const owner = this.visible(viewer, this.world.accounts.byUsername(String(variables.username)));
    const start = placeAfter('p', variables);
    const count = owner ? this.world.posts.countOf(owner) : 0;
    const end = owner && this.maySeePosts(viewer, owner) ? Math.min(count, start + postsPerPage) : start;
    const edges = [];
    for (let place = start; place < end && owner; place++) {
      const post = this.world.posts.inGrid(owner, place);
      if (post) edges.push({ node: { ...postAnswer(this.world, viewer, post), __typename: 'XDTMediaDict' }, cursor: '' });
    }
    const more = end < count && end > start;
    return { edges, page_info: { has_next_page: more, end_cursor: more ? `p${end}` : null, has_previous_page: false, start_cursor: null } };
  }

  /** A page of a hashtag's grid, section 4.9 of the fact sheet: header, accounts unit, then rows of posts; 24 posts a page. */
  tagPage(viewer: Account, variables: Record<string, unknown>) {
    const tag = String(variables.query).replace(/^#/, '').toLowerCase();
    const count = this.world.posts.tagCount(tag);
    let rank = placeAfter('r', variables);
    const isFirst = rank === 0;
    const items: Record<string, unknown>[] = [];
    for (; rank < count && items.length < tagPostsPerPage; rank++) {
      const post = this.world.posts.ofTag(tag, rank);
      if (post) items.push(postAnswer(this.world, viewer, post));
    }
    const edges: { node: Record<string, unknown>; cursor: string }[] = isFirst
      ? [
          { node: { __typename: 'XDTTopSerpHeaderUnit', title: `#${tag}` }, cursor: '' },
          { node: { __typename: 'XDTTopSerpAccountsHCMUnit', users: [] }, cursor: '' },
        ]
      : [];
    for (let start = 0; start < items.length; start += 3)
      edges.push({ node: { __typename: 'XDTTopSerpMediaGridUnit', items: items.slice(start, start + 3) }, cursor: '' });
    const more = rank < count;
    return {
      edges,
      page_info: { has_next_page: more, end_cursor: more ? `r${rank}` : null, has_previous_page: false, start_cursor: null },
    };
  }

  suggestions(viewer: Account, targetId: string): Record<string, unknown>[] {
    const target = this.world.accounts.byId(targetId);
    if (!target) return [];
    const found: Record<string, unknown>[] = [];
    for (let attempt = 0; found.length < suggestionsShown && attempt < 40; attempt++) {
      const account = this.world.accounts.at(hash(target.index, viewer.index, attempt, 91) % this.world.accounts.size);
      const usable =
        account.presence === 'present' && this.visible(viewer, account) && account.index !== viewer.index && account.index !== target.index;
      if (!usable || this.world.friendships.state(viewer.index, account.index) !== 'none') continue;
      found.push({
        pk: account.pk,
        id: account.pk,
        username: account.username,
        full_name: account.fullName,
        is_private: account.isPrivate,
        is_verified: account.isVerified,
        profile_pic_url: pictureOf(account),
        social_context: 'Suggested for you',
        friendship_status: this.world.friendships.status(viewer.index, account.index),
      });
    }
    return found;
  }
}

/** The position from which a cursor such as `p24` continues a list; 0 without a cursor, and for a cursor of an unknown form. */
function placeAfter(letter: string, { after }: Record<string, unknown>): number {
  const cursor = typeof after === 'string' ? after : '';
  return cursor.startsWith(letter) && /^\d{1,7}$/.test(cursor.slice(1)) ? Number(cursor.slice(1)) : 0;
}
