import { type Account, type Accounts, captionOf } from './accounts.js';
import { choose, fraction, hash, keyOf, Permutation } from './hashing.js';
import { popularTags } from './names.js';

export interface Post {
  pk: string;
  code: string;
  owner: Account;
  /** 0 is the newest. */
  number: number;
  /** 1 photo, 2 video, 8 album. */
  mediaType: 1 | 2 | 8;
  /** Seconds since 1970. */
  takenAt: number;
  caption: string;
  likeCount: number;
  commentCount: number;
  /** Nobody may comment, and no comment is shown. */
  commentsDisabled: boolean;
  /** Comments are shown, but the visitor may not write any. */
  commentsLimited: boolean;
  /** The owner hides every comment. */
  commentsHidden: boolean;
  /** The owner hides the number of likes, and who they are. */
  likesHidden: boolean;
  /** Accounts that publish the post together with its owner. */
  coauthors: Account[];
  isAd: boolean;
}

const idBase = 3_400_000_000_000_000_000n;
const idStep = 1_000_003n;
const postsPerAccount = 4_096n;
/** Numbers of an account's posts: up to 2,000 computed ones, then advertisements, then those that tests publish. */
export const adNumbers = { first: 3_000, count: 8 } as const;
export const publishedNumbers = { first: 3_500 } as const;
export const maxPosts = Number(postsPerAccount);
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The short form of a media id: the number in base 64. */
export function codeOfId(pk: bigint): string {
  let code = '';
  for (let rest = pk; rest > 0n; rest /= 64n) code = (alphabet[Number(rest % 64n)] ?? '') + code;
  return code;
}

/** @returns null when the text is not a shortcode. */
export function idOfCode(code: string): bigint | null {
  let pk = 0n;
  // A longer code carries a private suffix; its first eleven characters identify the post.
  for (const character of code.length > 28 ? code.slice(0, 11) : code) {
    const digit = alphabet.indexOf(character);
    if (digit < 0) return null;
    pk = pk * 64n + BigInt(digit);
  }
  return pk;
}

/** Posts and hashtags, computed from the seed. A post in a hashtag's grid has that hashtag in its caption, by whichever route it is read. */
export class Posts {
  private readonly key: number;
  private readonly order = new Map<string, Permutation>();
  /** Requested tags that are not popular; the number is limited. */
  private readonly asked = new Set<string>();

  constructor(private readonly accounts: Accounts) {
    this.key = keyOf(`posts:${accounts.seed}`);
  }

  /** @returns undefined when the account has no such post. */
  of(owner: Account, number: number): Post | undefined {
    if (number >= publishedNumbers.first && number < maxPosts) return this.published(owner, number);
    const isAd = number >= adNumbers.first && number < adNumbers.first + adNumbers.count;
    if (number < 0 || (number >= owner.mediaCount && !isAd)) return undefined;
    const { index } = owner;
    const isNamed = this.accounts.isNamed(index);
    const pk = idBase + (BigInt(index) * postsPerAccount + BigInt(number)) * idStep;
    const kind = fraction(this.key, index, number, 1);
    const day = 86_400;
    // Each owner posts at a pace of their own; the newest post is up to three weeks old when the clock starts.
    const pace = day * (0.3 + 6 * fraction(this.key, index, 2));
    const tags = this.tagsOf(owner, number);
    const likes = Math.floor(3 + 900 * fraction(this.key, index, 3) ** 4 * (0.4 + fraction(this.key, index, number, 4)));
    return {
      pk: String(pk),
      code: codeOfId(pk),
      owner,
      number,
      mediaType: kind < 0.55 ? 1 : kind < 0.8 ? 2 : 8,
      takenAt: Math.floor(
        epoch - 21 * day * fraction(this.key, index, 5) - pace * ((isAd ? 0 : number) + fraction(this.key, index, number, 6)),
      ),
      caption: [captionOf(this.key, index, number), tags.map((tag) => `#${tag}`).join(' ')].filter(Boolean).join('\n'),
      likeCount: likes,
      commentCount: Math.floor(likes * 0.3 * fraction(this.key, index, number, 7)),
      // A named account has what its test gives it.
      commentsDisabled: !isNamed && fraction(this.key, index, number, 8) < 0.03,
      commentsLimited: !isNamed && fraction(this.key, index, number, 12) < 0.02,
      commentsHidden: false,
      likesHidden: !isNamed && fraction(this.key, index, number, 13) < 0.03,
      coauthors: !isNamed && !isAd && fraction(this.key, index, number, 14) < 0.03 ? this.coauthorsOf(index, number) : [],
      isAd,
    };
  }

  /** A post that a test publishes: nobody has liked it or written a comment. */
  published(owner: Account, number: number): Post {
    const pk = idBase + (BigInt(owner.index) * postsPerAccount + BigInt(number)) * idStep;
    return {
      pk: String(pk),
      code: codeOfId(pk),
      owner,
      number,
      mediaType: 1,
      takenAt: epoch,
      caption: '',
      likeCount: 0,
      commentCount: 0,
      commentsDisabled: false,
      commentsLimited: false,
      commentsHidden: false,
      likesHidden: false,
      coauthors: [],
      isAd: false,
    };
  }

  /** Whether the post is still in grids but cannot be opened any more. */
  isDeleted({ owner, number }: Post): boolean {
    return !this.accounts.isNamed(owner.index) && fraction(this.key, owner.index, number, 11) < 0.01;
  }

  byCode(code: string): Post | undefined {
    const pk = idOfCode(code);
    return pk === null ? undefined : this.byId(pk);
  }

  byId(pk: bigint): Post | undefined {
    const offset = pk - idBase;
    if (offset < 0n || offset % idStep !== 0n) return undefined;
    const place = offset / idStep;
    const index = place / postsPerAccount;
    if (index >= BigInt(this.accounts.count)) return undefined;
    return this.of(this.accounts.at(Number(index)), Number(place % postsPerAccount));
  }

  /** How many posts a hashtag has; zero for a tag that nobody uses. */
  tagCount(tag: string): number {
    const popularity = (popularTags as readonly string[]).indexOf(tag);
    if (popularity >= 0) return Math.floor(this.accounts.size / (8 + popularity * 2));
    if (!/^[\p{L}\p{N}_]{2,60}$/u.test(tag) || tag.startsWith('zz')) return 0;
    return Math.min(this.accounts.size, 40 + (hash(this.key, keyOf(tag)) % 900));
  }

  /** The post at a rank of the hashtag's grid; undefined where it is private, deleted or does not exist. */
  ofTag(tag: string, rank: number): Post | undefined {
    this.remember(tag);
    const owner = this.accounts.at(this.orderOf(tag).at(rank));
    if (owner.isPrivate || owner.presence.startsWith('gone')) return undefined;
    return this.of(owner, this.numberInTag(tag, owner));
  }

  private coauthorsOf(index: number, number: number): Account[] {
    const other = this.accounts.at(hash(this.key, index, number, 15) % this.accounts.size);
    return other.presence === 'present' && other.index !== index ? [other] : [];
  }

  private tagsOf(owner: Account, number: number): string[] {
    if (this.accounts.isNamed(owner.index)) return [choose(popularTags, this.key, owner.index, number, 9)];
    return [...popularTags, ...this.asked].filter(
      (tag) =>
        this.numberInTag(tag, owner) === number && this.orderOf(tag).indexOf(owner.index) < this.tagCount(tag) && owner.mediaCount > 0,
    );
  }

  private numberInTag(tag: string, owner: Account): number {
    return owner.mediaCount === 0 ? 0 : hash(this.key, owner.index, keyOf(tag), 10) % Math.min(owner.mediaCount, 9);
  }

  private orderOf(tag: string): Permutation {
    let order = this.order.get(tag);
    if (!order) {
      order = new Permutation(this.accounts.size, hash(this.key, keyOf(`tag:${tag}`)));
      this.order.set(tag, order);
    }
    return order;
  }

  private remember(tag: string): void {
    if ((popularTags as readonly string[]).includes(tag) || this.asked.has(tag)) return;
    if (this.asked.size >= 300) {
      const oldest = this.asked.values().next().value ?? '';
      this.asked.delete(oldest);
      this.order.delete(oldest);
    }
    this.asked.add(tag);
  }
}

/** The population's newest posts are dated up to this moment, 21 November 2026, in seconds since 1970. */
const epoch = Date.UTC(2026, 10, 21) / 1000;
