import { type Account, type Accounts, captionOf } from './accounts.js';
import { popularTags } from './names.js';
import { choose, fraction, hash, keyOf, Permutation } from './numbers.js';

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
  commentsDisabled: boolean;
}

const idBase = 3_400_000_000_000_000_000n;
const idStep = 1_000_003n;
const postsPerAccount = 4_096n;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The short form of a media id: the number in base 64. */
export function codeOfId(pk: bigint): string {
  let code = '';
  for (let rest = pk; rest > 0n; rest /= 64n) code = (alphabet[Number(rest % 64n)] ?? '') + code;
  return code;
}

/** @returns null when the text is no code. */
export function idOfCode(code: string): bigint | null {
  let pk = 0n;
  // A longer code carries a private suffix; the first eleven characters name the post.
  for (const character of code.length > 28 ? code.slice(0, 11) : code) {
    const digit = alphabet.indexOf(character);
    if (digit < 0) return null;
    pk = pk * 64n + BigInt(digit);
  }
  return pk;
}

/** Posts and hashtags, computed. A post that a hashtag shows names that hashtag in its caption wherever it is read. */
export class Posts {
  private readonly key: number;
  private readonly order = new Map<string, Permutation>();
  /** Tags beyond the popular ones that somebody asked for; bounded. */
  private readonly asked = new Set<string>();

  constructor(private readonly accounts: Accounts) {
    this.key = keyOf(`posts:${accounts.seed}`);
  }

  /** @returns undefined when the account has no such post. */
  of(owner: Account, number: number): Post | undefined {
    if (number < 0 || number >= owner.mediaCount) return undefined;
    const { index } = owner;
    const pk = idBase + (BigInt(index) * postsPerAccount + BigInt(number)) * idStep;
    const kind = fraction(this.key, index, number, 1);
    const day = 86_400;
    // Posts follow each other at the owner's own pace; the first is up to three weeks old when the clock starts.
    const pace = day * (0.3 + 6 * fraction(this.key, index, 2));
    const tags = this.tagsOf(owner, number);
    const likes = Math.floor(3 + 900 * fraction(this.key, index, 3) ** 4 * (0.4 + fraction(this.key, index, number, 4)));
    return {
      pk: String(pk),
      code: codeOfId(pk),
      owner,
      number,
      mediaType: kind < 0.55 ? 1 : kind < 0.8 ? 2 : 8,
      takenAt: Math.floor(epoch - 21 * day * fraction(this.key, index, 5) - pace * (number + fraction(this.key, index, number, 6))),
      caption: [captionOf(this.key, index, number), tags.map((tag) => `#${tag}`).join(' ')].filter(Boolean).join('\n'),
      likeCount: likes,
      commentCount: Math.floor(likes * 0.3 * fraction(this.key, index, number, 7)),
      commentsDisabled: fraction(this.key, index, number, 8) < 0.03,
    };
  }

  /** A few posts still stand in grids but are gone when somebody opens them. */
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

  /** How many posts a hashtag shows; zero for a tag that nobody uses. */
  tagCount(tag: string): number {
    const popularity = (popularTags as readonly string[]).indexOf(tag);
    if (popularity >= 0) return Math.floor(this.accounts.size / (8 + popularity * 2));
    if (!/^[\p{L}\p{N}_]{2,60}$/u.test(tag) || tag.startsWith('zz')) return 0;
    return Math.min(this.accounts.size, 40 + (hash(this.key, keyOf(tag)) % 900));
  }

  /** Post at a rank of the hashtag's grid; undefined where the post was private, deleted or never there. */
  ofTag(tag: string, rank: number): Post | undefined {
    this.remember(tag);
    const owner = this.accounts.at(this.orderOf(tag).at(rank));
    if (owner.isPrivate || owner.presence.startsWith('gone')) return undefined;
    return this.of(owner, this.numberInTag(tag, owner));
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

/** When the population's newest posts are dated: 21 November 2026. */
const epoch = Date.UTC(2026, 10, 21) / 1000;
