import type { Account, Accounts } from './accounts.js';
import { fraction, hash, keyOf } from './hashing.js';

/** One photo or video of a story. */
export interface StoryItem {
  pk: string;
  owner: Account;
  /** 1 photo, 2 video. */
  mediaType: 1 | 2;
  /** Seconds since 1970. */
  takenAt: number;
  /** Shown only to people on the owner's list of close friends. */
  isForCloseFriends: boolean;
  /** False: a video that never plays. */
  plays: boolean;
}

/** How long a story is shown after it was taken, in seconds. */
export const storyLife = 86_400;

const idBase = 3_900_000_000_000_000_000n;
const idStep = 1_000_003n;
const itemsPerDay = 8n;
const daysPerAccount = 65_536n;
/** Time between two items of one day, in seconds. */
const itemGap = 600;
const maxItems = 4;

/**
 * Stories of the computed people, computed from the seed and the network's time. Whoever has stories takes one to four items a day, from the
 * same time of the day on, so that at least one of them is always shown.
 */
export class ComputedStories {
  private readonly key: number;

  constructor(private readonly accounts: Accounts) {
    this.key = keyOf(`stories:${accounts.seed}`);
  }

  /** The items that are shown at this time (seconds since 1970), oldest first. */
  activeAt(owner: Account, now: number): StoryItem[] {
    if (!owner.hasStory) return [];
    const today = Math.floor(now / storyLife);
    return [today - 1, today]
      .flatMap((day) => this.itemsOf(owner, day))
      .filter(({ takenAt }) => takenAt <= now && now < takenAt + storyLife);
  }

  /** Undefined when the network has no computed item with this id. */
  byId(pk: bigint): StoryItem | undefined {
    const offset = pk - idBase;
    if (offset < 0n || offset % idStep !== 0n) return undefined;
    const place = offset / idStep;
    const day = Number((place / itemsPerDay) % daysPerAccount);
    const index = Number(place / itemsPerDay / daysPerAccount);
    if (index >= this.accounts.size) return undefined;
    const owner = this.accounts.at(index);
    return owner.hasStory ? this.itemsOf(owner, day)[Number(place % itemsPerDay)] : undefined;
  }

  /** A few of the people with stories broadcast live, each for an hour. `now` in seconds since 1970. */
  isLive({ index, hasStory }: Account, now: number): boolean {
    return hasStory && fraction(this.key, index, Math.floor(now / 3_600), 1) < 0.004;
  }

  /** Whether the owner counts the visitor among their close friends. */
  areCloseFriends(owner: Account, visitor: Account): boolean {
    return fraction(this.key, owner.index, visitor.index, 2) < 0.3;
  }

  private itemsOf(owner: Account, day: number): StoryItem[] {
    const { key } = this;
    const { index } = owner;
    const first = day * storyLife + (hash(key, index, 3) % (storyLife - maxItems * itemGap));
    return Array.from({ length: 1 + (hash(key, index, day, 4) % maxItems) }, (_, number) => {
      const pk = idBase + ((BigInt(index) * daysPerAccount + BigInt(day)) * itemsPerDay + BigInt(number)) * idStep;
      const isVideo = fraction(key, index, day, number, 5) < 0.25;
      return {
        pk: String(pk),
        owner,
        mediaType: isVideo ? 2 : 1,
        takenAt: first + number * itemGap,
        // Never the first item, so that everybody with a story has one that all visitors may see.
        isForCloseFriends: number > 0 && fraction(key, index, day, number, 6) < 0.08,
        plays: fraction(key, index, day, number, 7) >= 0.05,
      };
    });
  }
}
