import type { Account, Accounts } from '../population/accounts.js';
import { ComputedStories, type StoryItem, storyLife } from '../population/stories.js';
import type { NetworkClock } from './clock.js';
import type { Friendships } from './friendships.js';

/** An item that a test publishes. */
export interface WantedStoryItem {
  type: 'photo' | 'video';
  /** False: a video that never plays. */
  plays: boolean;
  closeFriends: boolean;
  /** How long ago it was taken, in ms. */
  ageMs: number;
}

type StoredItem = Omit<StoryItem, 'owner'>;

export interface StoredStories {
  published: [owner: string, items: StoredItem[]][];
  live: string[];
  muted: [visitor: string, owners: string[]][];
  /** Time of the newest item seen, in seconds since 1970, by `visitor:owner`. */
  seen: [pair: string, takenAt: number][];
  liked: string[];
  nextId: string;
}

const publishedIdBase = 4_200_000_000_000_000_000n;

/** Stories: the computed ones, those that tests publish, and what each visitor has seen. */
export class Stories {
  private readonly computed: ComputedStories;
  /** Stories that tests published, by the owner's `pk`; they replace the owner's computed ones. */
  private published = new Map<string, StoredItem[]>();
  private live = new Set<string>();
  private muted = new Map<string, Set<string>>();
  private seen = new Map<string, number>();
  /** `visitor:item` of every liked item. */
  private liked = new Set<string>();
  private nextId = 1n;

  constructor(
    private readonly accounts: Accounts,
    private readonly friendships: Friendships,
    private readonly clock: NetworkClock,
  ) {
    this.computed = new ComputedStories(accounts);
  }

  /** Replaces the stories of an account. */
  publish(owner: Account, wanted: readonly WantedStoryItem[]): StoryItem[] {
    const items = wanted
      .map(({ type, plays, closeFriends, ageMs }): StoredItem => ({
        pk: String(publishedIdBase + this.nextId++ * 1_000_003n),
        mediaType: type === 'video' ? 2 : 1,
        takenAt: this.now() - Math.floor(ageMs / 1_000),
        isForCloseFriends: closeFriends,
        plays,
      }))
      .sort((one, other) => one.takenAt - other.takenAt);
    this.published.set(owner.pk, items);
    return items.map((item) => ({ ...item, owner }));
  }

  setLive({ pk }: Account, isLive: boolean): void {
    if (isLive) this.live.add(pk);
    else this.live.delete(pk);
  }

  /** Sets whose stories the visitor has muted. */
  mute(visitor: Account, owners: readonly Account[]): void {
    this.muted.set(visitor.pk, new Set(owners.map(({ pk }) => pk)));
  }

  isMuted(visitor: Account, owner: Account): boolean {
    return this.muted.get(visitor.pk)?.has(owner.pk) ?? false;
  }

  /** Whether the account broadcasts live to the visitor now. */
  isLive(visitor: Account, owner: Account): boolean {
    return this.mayWatch(visitor, owner) && (this.live.has(owner.pk) || this.computed.isLive(owner, this.now()));
  }

  /** All items that the account shows now, oldest first, also those that only some visitors may see. */
  itemsOf(owner: Account): StoryItem[] {
    const now = this.now();
    const published = this.published.get(owner.pk);
    if (!published) return this.computed.activeAt(owner, now);
    return published.filter(({ takenAt }) => takenAt <= now && now < takenAt + storyLife).map((item) => ({ ...item, owner }));
  }

  /** When the newest item for everybody was taken, in seconds since 1970; 0 without one. */
  latestOf(owner: Account): number {
    return this.itemsOf(owner).findLast(({ isForCloseFriends }) => !isForCloseFriends)?.takenAt ?? 0;
  }

  /** The items that the visitor may see, oldest first. */
  shownTo(visitor: Account, owner: Account): StoryItem[] {
    if (!this.mayWatch(visitor, owner)) return [];
    const isCloseFriend = visitor.index === owner.index || this.isCloseFriend(visitor, owner);
    return this.itemsOf(owner).filter(({ isForCloseFriends }) => isCloseFriend || !isForCloseFriends);
  }

  /** The item with this id, if the visitor may see it now. */
  find(visitor: Account, pk: string): StoryItem | undefined {
    const owner = this.ownerOf(pk);
    return owner && this.shownTo(visitor, owner).find((item) => item.pk === pk);
  }

  /** When the newest item that the visitor has seen was taken, in seconds since 1970; 0 when none was seen. */
  seenAt(visitor: Account, owner: Account): number {
    return this.seen.get(`${visitor.pk}:${owner.pk}`) ?? 0;
  }

  see(visitor: Account, { owner, takenAt }: StoryItem): void {
    this.seen.set(`${visitor.pk}:${owner.pk}`, Math.max(takenAt, this.seenAt(visitor, owner)));
  }

  hasLiked(visitor: Account, { pk }: StoryItem): boolean {
    return this.liked.has(`${visitor.pk}:${pk}`);
  }

  like(visitor: Account, { pk }: StoryItem): void {
    this.liked.add(`${visitor.pk}:${pk}`);
  }

  store(): StoredStories {
    return {
      published: [...this.published],
      live: [...this.live],
      muted: [...this.muted].map(([visitor, owners]) => [visitor, [...owners]]),
      seen: [...this.seen],
      liked: [...this.liked],
      nextId: String(this.nextId),
    };
  }

  restore({ published, live, muted, seen, liked, nextId }: StoredStories): void {
    this.published = new Map(published);
    this.live = new Set(live);
    this.muted = new Map(muted.map(([visitor, owners]) => [visitor, new Set(owners)]));
    this.seen = new Map(seen);
    this.liked = new Set(liked);
    this.nextId = BigInt(nextId);
  }

  /** Items that tests publish for close friends are for every follower; of the computed ones the owners choose whom they are for. */
  private isCloseFriend(visitor: Account, owner: Account): boolean {
    if (!this.friendships.follows(visitor.index, owner.index)) return false;
    return this.published.has(owner.pk) || this.computed.areCloseFriends(owner, visitor);
  }

  private mayWatch(visitor: Account, owner: Account): boolean {
    if (owner.presence.startsWith('gone') || this.friendships.hasBlocked(owner.index, visitor.index)) return false;
    return visitor.index === owner.index || !owner.isPrivate || this.friendships.follows(visitor.index, owner.index);
  }

  private ownerOf(pk: string): Account | undefined {
    if (!/^\d{1,20}$/.test(pk)) return undefined;
    for (const [owner, items] of this.published) if (items.some((item) => item.pk === pk)) return this.accounts.byId(owner);
    return this.computed.byId(BigInt(pk))?.owner;
  }

  private now(): number {
    return Math.floor(this.clock.now() / 1_000);
  }
}
