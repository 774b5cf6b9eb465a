import type { Account, Accounts } from '../population/accounts.js';
import { keyOf } from '../population/hashing.js';
import { adNumbers, maxPosts, type Post, Posts, publishedNumbers } from '../population/posts.js';

/** What a test may set of a post; everything else is computed. */
export interface PostSettings {
  caption?: string;
  mediaType?: Post['mediaType'];
  /** Likes and comments of computed people; those by actions come on top. */
  likes?: number;
  comments?: number;
  /** Seconds since 1970. */
  takenAt?: number;
  commentsDisabled?: boolean;
  /** Comments are shown, but the visitor may not write any. */
  commentsLimited?: boolean;
  /** The owner hides every comment: visitors see the number and an empty list. */
  commentsHidden?: boolean;
  /** The owner hides the number of likes, and who they are. */
  likesHidden?: boolean;
  /** `pk` of accounts that publish the post together with its owner. */
  coauthors?: string[];
  /** `deleted`: still in grids, hashtags and feeds, but it cannot be opened. */
  presence?: 'present' | 'deleted';
}

export interface StoredPost {
  pk: string;
  /** Created by a test, not computed. */
  isCreated: boolean;
  settings: PostSettings;
}

/** The posts of the network: the computed ones, those that tests create, and what tests change. */
export class PublishedPosts {
  private readonly computed: Posts;
  private readonly settings = new Map<string, PostSettings>();
  /** Numbers of the posts that tests created, by owner, newest first. */
  private readonly created = new Map<number, number[]>();

  constructor(private readonly accounts: Accounts) {
    this.computed = new Posts(accounts);
  }

  countOf(owner: Account): number {
    return owner.mediaCount + (this.created.get(owner.index)?.length ?? 0);
  }

  /** The post at a place of the owner's grid; 0 is the first. */
  inGrid(owner: Account, place: number): Post | undefined {
    const created = this.created.get(owner.index) ?? [];
    return this.of(owner, created[place] ?? place - created.length);
  }

  /** An advertisement: a post that is in no grid and can be liked nevertheless. */
  ad(owner: Account, place: number): Post | undefined {
    return this.of(owner, adNumbers.first + (place % adNumbers.count));
  }

  byCode(code: string): Post | undefined {
    return this.complete(this.computed.byCode(code));
  }

  byId(pk: string): Post | undefined {
    return /^\d{1,20}$/.test(pk) ? this.complete(this.computed.byId(BigInt(pk))) : undefined;
  }

  /** Whether the post is still in grids but cannot be opened any more. */
  isDeleted(post: Post): boolean {
    const presence = this.settings.get(post.pk)?.presence;
    return presence === undefined ? this.computed.isDeleted(post) : presence === 'deleted';
  }

  settingsOf({ pk }: Post): PostSettings {
    return this.settings.get(pk) ?? {};
  }

  tagCount(tag: string): number {
    return this.createdWith(tag).length + this.computed.tagCount(tag);
  }

  /** The post at a rank of the hashtag's grid; undefined where it is private, deleted or does not exist. */
  ofTag(tag: string, rank: number): Post | undefined {
    const created = this.createdWith(tag);
    return created[rank] ?? this.complete(this.computed.ofTag(tag, rank - created.length));
  }

  /** @returns undefined when the account cannot have more posts. */
  create(owner: Account, settings: PostSettings): Post | undefined {
    const numbers = this.created.get(owner.index) ?? [];
    const number = (numbers[0] ?? publishedNumbers.first - 1) + 1;
    if (number >= maxPosts) return undefined;
    this.created.set(owner.index, [number, ...numbers]);
    const { pk } = this.computed.published(owner, number);
    this.settings.set(pk, settings);
    return this.byId(pk);
  }

  change({ pk }: Post, settings: PostSettings): void {
    this.settings.set(pk, { ...this.settings.get(pk), ...settings });
  }

  store(): StoredPost[] {
    return [...this.settings].map(([pk, settings]) => ({
      pk,
      isCreated: (this.computed.byId(BigInt(pk))?.number ?? 0) >= publishedNumbers.first,
      settings,
    }));
  }

  restore(stored: readonly StoredPost[]): void {
    for (const { pk, isCreated, settings } of stored) {
      this.settings.set(pk, settings);
      const post = isCreated ? this.computed.byId(BigInt(pk)) : undefined;
      if (!post) continue;
      const numbers = [post.number, ...(this.created.get(post.owner.index) ?? [])];
      this.created.set(
        post.owner.index,
        numbers.sort((one, other) => other - one),
      );
    }
  }

  private of(owner: Account, number: number): Post | undefined {
    if (number >= publishedNumbers.first && !this.created.get(owner.index)?.includes(number)) return undefined;
    return this.complete(this.computed.of(owner, number));
  }

  /** The post with what a test set of it; undefined for a number that nobody published. */
  private complete(post: Post | undefined): Post | undefined {
    if (!post) return undefined;
    const { number, owner } = post;
    if (number >= publishedNumbers.first && !this.created.get(owner.index)?.includes(number)) return undefined;
    const settings = this.settings.get(post.pk);
    if (!settings) return post;
    const { caption, mediaType, likes, comments, takenAt, commentsDisabled, commentsLimited, commentsHidden, likesHidden, coauthors } =
      settings;
    return {
      ...post,
      caption: caption ?? post.caption,
      mediaType: mediaType ?? post.mediaType,
      likeCount: likes ?? post.likeCount,
      commentCount: comments ?? post.commentCount,
      takenAt: takenAt ?? post.takenAt,
      commentsDisabled: commentsDisabled ?? post.commentsDisabled,
      commentsLimited: commentsLimited ?? post.commentsLimited,
      commentsHidden: commentsHidden ?? post.commentsHidden,
      likesHidden: likesHidden ?? post.likesHidden,
      coauthors: coauthors?.flatMap((pk) => this.accounts.byId(pk) ?? []) ?? post.coauthors,
    };
  }

  private createdWith(tag: string): Post[] {
    const found: Post[] = [];
    for (const [index, numbers] of this.created) {
      const owner = this.accounts.at(index);
      if (owner.isPrivate || owner.presence.startsWith('gone')) continue;
      for (const number of numbers) {
        const post = this.of(owner, number);
        if (post && tagsIn(post.caption).includes(tag)) found.push(post);
      }
    }
    return found.sort((one, other) => other.takenAt - one.takenAt || keyOf(one.pk) - keyOf(other.pk));
  }
}

const tagsIn = (caption: string): string[] => [...caption.matchAll(/#([\p{L}\p{N}_]+)/gu)].map(([, tag = '']) => tag.toLowerCase());
