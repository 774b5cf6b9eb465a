import type { Accounts } from './accounts.js';
import { fraction, hash, keyOf, Permutation } from './hashing.js';

const { floor, ceil, min } = Math;

/** Follower counts repeat with this period along the circle. That makes the followed accounts computable too. */
const period = 1_000;
/** Largest number of followers of a computed account, as a share of the population. */
const maxFollowerShare = 0.3;

/**
 * Who follows whom before anybody acts. Nothing is stored: every account has a place on two circles (`target` as a followed account,
 * `source` as a follower), and b follows a exactly when the place of a is less than `reach(a)` steps after that of b. So the followers
 * of a are `reach(a)` neighbours on the source circle: a count, one row and one membership test take constant time, and both
 * directions agree. Each named account has a permutation of its own, so that its counts are exactly those that the test wanted.
 */
export class FollowerGraph {
  private readonly source: Permutation;
  private readonly target: Permutation;
  private readonly key: number;
  /** Number of followers by place modulo the period, before `reach` varies it. */
  private readonly base: Float64Array;
  private readonly namedPermutations = new Map<string, Permutation>();
  private readonly recentFollowings = new Map<number, Int32Array>();

  constructor(private readonly accounts: Accounts) {
    this.key = keyOf(`graph:${accounts.seed}`);
    this.source = new Permutation(accounts.size, hash(this.key, 1));
    this.target = new Permutation(accounts.size, hash(this.key, 2));
    // A heavy tail: half of the people have fewer than 200 followers, one in a hundred more than 5,000.
    this.base = Float64Array.from({ length: period }, (_, place) => {
      const rank = fraction(this.key, place, 3);
      return rank < 0.01 ? 0 : min(accounts.size * 0.12, 60 / (1.004 - rank) ** 0.9);
    });
  }

  followerCount(index: number): number {
    const named = this.accounts.namedAt(index);
    if (named) return named.followers ?? 120;
    const reach = this.reach(this.target.at(index));
    return reach - (this.ownStep(index) < reach ? 1 : 0) + this.namedFollowersOf(index).length;
  }

  /** Follower number `row` in a fixed order, 0 <= row < followerCount. */
  follower(index: number, row: number): number {
    if (this.accounts.isNamed(index)) return this.permutationOf(index, 'followers').at(row);
    const place = this.target.at(index);
    const own = this.ownStep(index);
    const computed = this.reach(place) - (own < this.reach(place) ? 1 : 0);
    if (row >= computed) {
      const named = this.namedFollowersOf(index)[row - computed];
      if (named === undefined) throw new RangeError(`account ${index} has no follower ${row}`);
      return named;
    }
    const step = row >= own ? row + 1 : row;
    return this.source.indexOf(this.wrap(place - step));
  }

  followingCount(index: number): number {
    const named = this.accounts.namedAt(index);
    return named ? (named.following ?? 80) : this.followings(index).length;
  }

  /** Followed account number `row` in a fixed order, 0 <= row < followingCount. */
  following(index: number, row: number): number {
    if (this.accounts.isNamed(index)) return this.permutationOf(index, 'following').at(row);
    const followed = this.followings(index)[row];
    if (followed === undefined) throw new RangeError(`account ${index} follows no number ${row}`);
    return followed;
  }

  follows(follower: number, followed: number): boolean {
    if (follower === followed) return false;
    const followedByName = this.accounts.namedAt(followed);
    if (followedByName)
      return (
        !this.accounts.isNamed(follower) && this.permutationOf(followed, 'followers').indexOf(follower) < (followedByName.followers ?? 120)
      );
    const followerByName = this.accounts.namedAt(follower);
    if (followerByName) return this.permutationOf(follower, 'following').indexOf(followed) < (followerByName.following ?? 80);
    const place = this.target.at(followed);
    return this.wrap(place - this.source.at(follower)) < this.reach(place);
  }

  /** Drops cached permutations after a named account changed. */
  namedAccountsChanged(): void {
    this.recentFollowings.clear();
  }

  /** Number of followers of the account at a place of the target circle: they are at most this many steps before it. */
  private reach(place: number): number {
    // Varies by neighbourhood, so that some people follow twenty accounts and some a thousand.
    const local = 0.06 + 3.4 * fraction(this.key, floor(place / period), 4) ** 2.2;
    const own = 0.85 + 0.3 * fraction(this.key, place, 5);
    return min(floor(this.accounts.size * maxFollowerShare), floor((this.base[place % period] ?? 0) * local * own));
  }

  private greatestReach(place: number): number {
    return min(floor(this.accounts.size * maxFollowerShare), ceil((this.base[place] ?? 0) * 3.46 * 1.15));
  }

  private ownStep(index: number): number {
    return this.wrap(this.target.at(index) - this.source.at(index));
  }

  private followings(index: number): Int32Array {
    const known = this.recentFollowings.get(index);
    if (known) return known;
    const start = this.source.at(index);
    const found: number[] = [];
    for (let residue = 0; residue < period; residue++) {
      const greatest = this.greatestReach(residue);
      for (let step = (((residue - start) % period) + period) % period; step < greatest; step += period) {
        const place = this.wrap(start + step);
        if (step >= this.reach(place)) continue;
        const followed = this.target.indexOf(place);
        if (followed !== index) found.push(followed);
      }
    }
    this.accounts.namedAccounts.forEach((_, position) => {
      const named = this.accounts.size + position;
      if (this.follows(index, named)) found.push(named);
    });
    const followings = Int32Array.from(found);
    if (this.recentFollowings.size >= 200) this.recentFollowings.delete(this.recentFollowings.keys().next().value ?? -1);
    this.recentFollowings.set(index, followings);
    return followings;
  }

  private namedFollowersOf(index: number): number[] {
    const found: number[] = [];
    for (let position = 0; position < this.accounts.namedAccounts.length; position++) {
      const named = this.accounts.size + position;
      if (this.follows(named, index)) found.push(named);
    }
    return found;
  }

  private permutationOf(index: number, direction: 'followers' | 'following'): Permutation {
    const name = this.accounts.namedAt(index)?.username ?? '';
    const id = `${direction}:${name}`;
    let permutation = this.namedPermutations.get(id);
    if (!permutation) {
      permutation = new Permutation(this.accounts.size, hash(this.key, keyOf(id)));
      this.namedPermutations.set(id, permutation);
    }
    return permutation;
  }

  private wrap(place: number): number {
    const { size } = this.accounts;
    return ((place % size) + size) % size;
  }
}
