import type { Account, Accounts } from '../population/accounts.js';
import { isLiker, likersOf, shownLikers } from '../population/likers.js';
import type { Post } from '../population/posts.js';
import type { NetworkClock } from './clock.js';

interface Like {
  isLiked: boolean;
  /** Network time of the last change. */
  at: number;
}

export interface StoredLike extends Like {
  post: string;
  account: string;
}

/** Who likes which post: the computed likers with the changes by actions. Only the changes are stored. */
export class Likes {
  private readonly byPost = new Map<string, Map<number, Like>>();

  constructor(
    private readonly accounts: Accounts,
    private readonly clock: NetworkClock,
  ) {}

  has(post: Post, index: number): boolean {
    return this.byPost.get(post.pk)?.get(index)?.isLiked ?? isLiker(this.accounts, post, index);
  }

  change({ pk }: Post, index: number, isLiked: boolean): void {
    this.changesOf(pk).set(index, { isLiked, at: this.clock.now() });
  }

  countOf(post: Post): number {
    let count = post.likeCount;
    for (const [index, { isLiked }] of this.byPost.get(post.pk) ?? [])
      count += Number(isLiked) - Number(isLiker(this.accounts, post, index));
    return count;
  }

  /** The sample that the site shows, which has no second page. A call that carries a claim from an earlier answer gets more of it. */
  shown(post: Post, hasClaim: boolean): Account[] {
    const { most, computed } = shownLikers(this.accounts, post, hasClaim);
    return [...this.added(post), ...computed.filter(({ index }) => this.has(post, index))].slice(0, most);
  }

  /** Everybody who likes the post; people whom the network added come first. */
  *all(post: Post): Generator<Account> {
    yield* this.added(post);
    for (const account of likersOf(this.accounts, post)) if (this.has(post, account.index)) yield account;
  }

  store(): StoredLike[] {
    return [...this.byPost].flatMap(([post, changes]) =>
      [...changes].map(([index, like]) => ({ post, account: this.accounts.at(index).pk, ...like })),
    );
  }

  restore(stored: readonly StoredLike[]): void {
    for (const { post, account, isLiked, at } of stored) {
      const liker = this.accounts.byId(account);
      if (liker) this.changesOf(post).set(liker.index, { isLiked, at });
    }
  }

  /** People who like the post by an action, newest first. */
  private added(post: Post): Account[] {
    return [...(this.byPost.get(post.pk) ?? [])]
      .filter(([index, { isLiked }]) => isLiked && !isLiker(this.accounts, post, index))
      .sort(([, one], [, other]) => other.at - one.at)
      .map(([index]) => this.accounts.at(index));
  }

  private changesOf(pk: string): Map<number, Like> {
    let changes = this.byPost.get(pk);
    if (!changes) this.byPost.set(pk, (changes = new Map<number, Like>()));
    return changes;
  }
}
