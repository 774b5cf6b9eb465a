import type { Account, Accounts } from '../population/accounts.js';
import type { FollowerGraph } from '../population/follower-graph.js';
import { fraction, keyOf } from '../population/hashing.js';
import type { NetworkClock } from './clock.js';

/** State of (follower, followed). `blocking`: the follower blocked the followed account, which then sees nothing of the follower. */
export type TieState = 'following' | 'requested' | 'blocking' | 'none';

interface Tie {
  state: TieState;
  /** Network time of the last change. */
  at: number;
}

/** A pair's state as the site's answers show it. */
export interface FriendshipStatus {
  following: boolean;
  blocking: boolean;
  followed_by: boolean;
  outgoing_request: boolean;
  incoming_request: boolean;
  is_restricted: boolean;
  is_bestie: boolean;
  is_feed_favorite: boolean;
  muting: boolean;
}

export interface StoredTie {
  from: string;
  to: string;
  state: TieState;
  at: number;
}

const hour = 3_600_000;

/** The current follower graph: the computed one with the changes by actions. Only the changes are stored. */
export class Friendships {
  private readonly outgoing = new Map<number, Map<number, Tie>>();
  private readonly incoming = new Map<number, Map<number, Tie>>();

  constructor(
    private readonly accounts: Accounts,
    private readonly graph: FollowerGraph,
    private readonly clock: NetworkClock,
  ) {}

  follows(follower: number, followed: number): boolean {
    return this.state(follower, followed) === 'following';
  }

  /** State of a pair now. The owner of a private account accepts a request within two days or never. */
  state(follower: number, followed: number): TieState {
    const tie = this.outgoing.get(follower)?.get(followed);
    if (!tie) return this.graph.follows(follower, followed) ? 'following' : 'none';
    if (tie.state === 'requested' && this.clock.now() >= tie.at + this.patience(follower, followed)) return 'following';
    return tie.state;
  }

  status(viewer: number, other: number): FriendshipStatus {
    const state = this.state(viewer, other);
    return {
      following: state === 'following',
      blocking: state === 'blocking',
      followed_by: this.follows(other, viewer),
      outgoing_request: state === 'requested',
      incoming_request: this.state(other, viewer) === 'requested',
      is_restricted: false,
      is_bestie: false,
      is_feed_favorite: false,
      muting: false,
    };
  }

  /** Whether `owner` blocked `visitor`: by a stored tie, or because the pair is in the small fixed share of blocked pairs. */
  hasBlocked(owner: number, visitor: number): boolean {
    if (this.state(owner, visitor) === 'blocking') return true;
    return owner !== visitor && !this.accounts.isNamed(owner) && fraction(keyOf(`block:${this.accounts.seed}`), owner, visitor) < 0.004;
  }

  /** Changes a pair. A block also ends a follow or request in the other direction. */
  change(follower: number, followed: number, state: TieState): void {
    if (state === 'blocking' && this.state(followed, follower) !== 'blocking') this.change(followed, follower, 'none');
    const tie = { state, at: this.clock.now() };
    ensureMap(this.outgoing, follower).set(followed, tie);
    ensureMap(this.incoming, followed).set(follower, tie);
  }

  /** Resets the pair to its computed state. */
  forget(follower: number, followed: number): void {
    this.outgoing.get(follower)?.delete(followed);
    this.incoming.get(followed)?.delete(follower);
  }

  followerCount(index: number): number {
    let count = this.graph.followerCount(index);
    for (const follower of this.incoming.get(index)?.keys() ?? [])
      count += Number(this.follows(follower, index)) - Number(this.graph.follows(follower, index));
    return count;
  }

  followingCount(index: number): number {
    let count = this.graph.followingCount(index);
    for (const followed of this.outgoing.get(index)?.keys() ?? [])
      count += Number(this.follows(index, followed)) - Number(this.graph.follows(index, followed));
    return count;
  }

  /** People added by actions, newest first. The computed rows of the graph do not contain them. */
  added(index: number, kind: 'followers' | 'following'): number[] {
    const ties = [...((kind === 'followers' ? this.incoming : this.outgoing).get(index) ?? [])];
    return ties
      .filter(([other]) => {
        const [follower, followed] = kind === 'followers' ? [other, index] : [index, other];
        return this.follows(follower, followed) && !this.graph.follows(follower, followed);
      })
      .sort(([, one], [, other]) => other.at - one.at)
      .map(([other]) => other);
  }

  *all(index: number, kind: 'followers' | 'following'): Generator<Account> {
    for (const other of this.added(index, kind)) yield this.accounts.at(other);
    const count = kind === 'followers' ? this.graph.followerCount(index) : this.graph.followingCount(index);
    for (let row = 0; row < count; row++) {
      const other = kind === 'followers' ? this.graph.follower(index, row) : this.graph.following(index, row);
      if (kind === 'followers' ? this.follows(other, index) : this.follows(index, other)) yield this.accounts.at(other);
    }
  }

  clear(): void {
    this.outgoing.clear();
    this.incoming.clear();
  }

  store(): StoredTie[] {
    return [...this.outgoing].flatMap(([from, ties]) =>
      [...ties].map(([to, tie]) => ({ from: this.accounts.at(from).pk, to: this.accounts.at(to).pk, ...tie })),
    );
  }

  restore(ties: readonly StoredTie[]): void {
    for (const { from, to, state, at } of ties) {
      const [follower, followed] = [this.accounts.byId(from), this.accounts.byId(to)];
      if (!follower || !followed) continue;
      const tie = { state, at };
      ensureMap(this.outgoing, follower.index).set(followed.index, tie);
      ensureMap(this.incoming, followed.index).set(follower.index, tie);
    }
  }

  private patience(follower: number, followed: number): number {
    const mood = fraction(keyOf(`accept:${this.accounts.seed}`), follower, followed);
    return mood < 0.5 ? hour + mood * 2 * 47 * hour : Infinity;
  }
}

function ensureMap(maps: Map<number, Map<number, Tie>>, index: number): Map<number, Tie> {
  let map = maps.get(index);
  if (!map) {
    map = new Map<number, Tie>();
    maps.set(index, map);
  }
  return map;
}
