import type { Account, Accounts } from './accounts.js';
import { hash, keyOf, Permutation } from './hashing.js';
import type { Post } from './posts.js';

/** How many likers of a post the site shows at most; there is no second page. */
const maxShown = { withClaim: [55, 98], withoutClaim: 13 } as const;

const keyFor = (accounts: Accounts, { pk }: Post): number => keyOf(`likers:${accounts.seed}:${pk}`);
/** A post may have more likes than the network has people. */
const countOf = (accounts: Accounts, { likeCount }: Post): number => Math.min(likeCount, accounts.size);

/** The computed likers of a post, completely. */
export function* likersOf(accounts: Accounts, post: Post): Generator<Account> {
  const order = new Permutation(accounts.size, keyFor(accounts, post));
  for (let place = 0; place < countOf(accounts, post); place++) yield accounts.at(order.at(place));
}

export function isLiker(accounts: Accounts, post: Post, index: number): boolean {
  if (accounts.isNamed(index)) return false;
  return new Permutation(accounts.size, keyFor(accounts, post)).indexOf(index) < countOf(accounts, post);
}

/**
 * The computed part of the sample of likers that the site shows for a post. A call that carries a claim from an earlier answer gets more
 * of them.
 */
export function shownLikers(accounts: Accounts, post: Post, hasClaim: boolean): { most: number; computed: Account[] } {
  const key = keyFor(accounts, post);
  const [least, most] = maxShown.withClaim;
  const bound = hasClaim ? least + (hash(key, 1) % (most - least + 1)) : maxShown.withoutClaim;
  const order = new Permutation(accounts.size, key);
  const computed = Array.from({ length: Math.min(countOf(accounts, post), bound) }, (_, place) => accounts.at(order.at(place))).filter(
    ({ presence }) => !presence.startsWith('gone'),
  );
  return { most: bound, computed };
}
