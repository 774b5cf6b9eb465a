import type { Account, Accounts } from '../population/accounts.js';
import { fraction, hash, keyOf } from '../population/hashing.js';
import type { Post } from '../population/posts.js';
import type { Friendships } from './friendships.js';
import type { PublishedPosts } from './published-posts.js';

export const feedVariants = ['home', 'following'] as const;
export type FeedVariant = (typeof feedVariants)[number];

/** One item of the home feed: what fills the one slot of a feed item that is not null. */
export type FeedItem =
  /** A post of a followed account, of the visitor, or of somebody who is suggested. */
  | { kind: 'media'; post: Post }
  | { kind: 'ad'; post: Post }
  /** A suggested post. */
  | { kind: 'explore_story'; post: Post }
  | { kind: 'suggested_users'; users: Account[] }
  | { kind: 'end_of_feed_demarcator' };

/** How many followed accounts, and how many posts of each, are in a feed at most. */
const shownAccounts = 60;
const postsOfEach = 4;
const ownPosts = 2;
const suggestedPosts = 24;
const suggestedUsers = 5;
/** The ranked feed moves a post by up to two days against the order of time. */
const rankNoise = 172_800;

/** The home feed of each visitor, computed from whom they follow. */
export class Feed {
  constructor(
    private readonly accounts: Accounts,
    private readonly friendships: Friendships,
    private readonly posts: PublishedPosts,
  ) {}

  /** All items of a visitor's feed. `following`: posts of followed accounts by time alone. `home`: ranked, with own posts, ads and suggestions. */
  items(viewer: Account, variant: FeedVariant): FeedItem[] {
    const followed = this.followedPosts(viewer);
    const end: FeedItem = { kind: 'end_of_feed_demarcator' };
    if (variant === 'following') return [...followed.sort(newestFirst).map((post): FeedItem => ({ kind: 'media', post })), end];
    const key = keyOf(`feed:${this.accounts.seed}:${viewer.pk}`);
    const rank = new Map(followed.map((post) => [post, post.takenAt + rankNoise * fraction(key, keyOf(post.pk))]));
    followed.sort((one, other) => (rank.get(other) ?? 0) - (rank.get(one) ?? 0));
    const own = this.newestOf(viewer, ownPosts);
    const suggested = this.suggestions(viewer, key);
    const items: FeedItem[] = [];
    for (const [place, post] of followed.entries()) {
      items.push({ kind: 'media', post });
      if (place % 12 === 4) items.push({ kind: 'suggested_users', users: this.strangers(viewer, hash(key, place, 3), suggestedUsers) });
      const mine = place % 5 === 2 ? own.shift() : undefined;
      if (mine) items.push({ kind: 'media', post: mine });
      if (place % 4 === 1) items.push(...this.ad(viewer, hash(key, place, 1)));
      const stranger = place % 6 === 3 ? suggested.shift() : undefined;
      if (stranger) items.push({ kind: 'media', post: stranger });
    }
    items.push(...own.map((post): FeedItem => ({ kind: 'media', post })), end);
    for (const [place, post] of suggested.entries()) {
      items.push({ kind: 'explore_story', post });
      if (place % 4 === 1) items.push(...this.ad(viewer, hash(key, place, 2)));
    }
    return items;
  }

  private followedPosts(viewer: Account): Post[] {
    const found: Post[] = [];
    let accounts = 0;
    for (const account of this.friendships.all(viewer.index, 'following')) {
      if (account.presence.startsWith('gone') || this.friendships.hasBlocked(account.index, viewer.index)) continue;
      found.push(...this.newestOf(account, postsOfEach));
      if (++accounts === shownAccounts) break;
    }
    return found;
  }

  private newestOf(owner: Account, count: number): Post[] {
    return Array.from({ length: count }, (_, place) => this.posts.inGrid(owner, place)).filter((post) => post !== undefined);
  }

  private suggestions(viewer: Account, key: number): Post[] {
    return this.strangers(viewer, hash(key, 4), suggestedPosts).flatMap((owner) => this.newestOf(owner, 1));
  }

  private ad(viewer: Account, key: number): FeedItem[] {
    const [owner] = this.strangers(viewer, key, 1);
    const post = owner && this.posts.ad(owner, key);
    return post ? [{ kind: 'ad', post }] : [];
  }

  /** Public accounts that the visitor does not follow. */
  private strangers(viewer: Account, key: number, count: number): Account[] {
    const found: Account[] = [];
    for (let attempt = 0; found.length < count && attempt < count * 20; attempt++) {
      const account = this.accounts.at(hash(key, attempt) % this.accounts.size);
      const isUsable = account.presence === 'present' && !account.isPrivate && account.mediaCount > 0 && account.index !== viewer.index;
      if (!isUsable || found.some(({ index }) => index === account.index)) continue;
      if (this.friendships.state(viewer.index, account.index) === 'none' && !this.friendships.hasBlocked(account.index, viewer.index))
        found.push(account);
    }
    return found;
  }
}

const newestFirst = (one: Post, other: Post): number => other.takenAt - one.takenAt || (other.pk > one.pk ? 1 : -1);
