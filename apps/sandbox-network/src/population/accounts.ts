import { choose, fraction, hash, keyOf, Permutation } from './hashing.js';
import { captionLines, cities, firstNames, lastNames, personalLines, shopLines, trades } from './names.js';

/**
 * What a visitor of the profile finds. `gone_404` and `gone_200`: the account was deleted but lists still show it. `renamed`: the
 * account has another name than lists show.
 */
export type Presence = 'present' | 'gone_404' | 'gone_200' | 'renamed';

export interface Account {
  /** Position in the population: computed accounts first, then the named ones. */
  index: number;
  pk: string;
  fbid: string;
  /** Address of the profile. */
  username: string;
  /** Name that lists and grids show; differs from `username` only when renamed. */
  listedUsername: string;
  fullName: string;
  biography: string;
  isPrivate: boolean;
  isVerified: boolean;
  isBusiness: boolean;
  hasPicture: boolean;
  hasStory: boolean;
  mediaCount: number;
  presence: Presence;
}

/** An account that a test creates under a name of its choice. */
export interface NamedAccount {
  username: string;
  fullName?: string;
  /** Exact number of followers, taken from the computed population. Default: 120. */
  followers?: number;
  /** Exact number of accounts followed, taken from the computed population. Default: 80. */
  following?: number;
  /** Default: 24. */
  posts?: number;
  isPrivate?: boolean;
  isVerified?: boolean;
  presence?: Presence;
  /** The new name, when `presence` is `renamed`. */
  renamedTo?: string;
}

/** Fixed shares of the computed population. */
export const shares = {
  private: 0.3,
  verified: 0.006,
  withoutPosts: 0.08,
  withoutPicture: 0.1,
  withStory: 0.15,
  gone404: 0.004,
  gone200: 0.004,
  renamed: 0.005,
} as const;

const personCodes = firstNames.length * lastNames.length * 5;
const shopCodes = trades.length * firstNames.length * 2;
/** How many accounts can have distinct usernames. */
export const maxPopulation = personCodes + shopCodes;

const firstByHandle = new Map(firstNames.map(({ handle }, position) => [handle, position]));
const lastByHandle = new Map(lastNames.map(({ handle }, position) => [handle, position]));
const tradeByHandle = new Map(trades.map(({ handle }, position) => [handle, position]));

const computedIds = { first: 2_000_000_011, step: 7_919 };
const namedIds = { first: 70_000_000_000, range: 900_000_000 };

/** Computes the username of a code. People have five styles, shops two; `codeOf` reads every style back, so no table is needed. */
function handleOf(code: number): { username: string; fullName: string; isShop: boolean } {
  if (code < personCodes) {
    const style = code % 5;
    const pair = Math.floor(code / 5);
    const first = firstNames[pair % firstNames.length];
    const last = lastNames[Math.floor(pair / firstNames.length)];
    if (!first || !last) throw new RangeError(`no name for code ${code}`);
    const [a, b] = [first.handle, last.handle];
    const username = [`${a}.${b}`, `${a}_${b}`, `${b}.${a}`, `${a}.${b}${10 + (hash(code, 11) % 90)}`, `_${a}.${b}_`][style] ?? '';
    return { username, fullName: `${first.display} ${last.display}`, isShop: false };
  }
  const rest = code - personCodes;
  const style = rest % 2;
  const pair = Math.floor(rest / 2);
  const first = firstNames[pair % firstNames.length];
  const trade = trades[Math.floor(pair / firstNames.length)];
  if (!first || !trade) throw new RangeError(`no name for code ${code}`);
  return {
    username: style === 0 ? `${trade.handle}.da.${first.handle}` : `${first.handle}_${trade.handle}`,
    fullName: style === 0 ? `${trade.display} da ${first.display}` : `${first.display} ${trade.display}`,
    isShop: true,
  };
}

function codeOf(username: string): number | undefined {
  const person = (first: string, last: string, style: number): number | undefined => {
    const [a, b] = [firstByHandle.get(first), lastByHandle.get(last)];
    return a === undefined || b === undefined ? undefined : (b * firstNames.length + a) * 5 + style;
  };
  const shop = (trade: string, first: string, style: number): number | undefined => {
    const [a, b] = [firstByHandle.get(first), tradeByHandle.get(trade)];
    return a === undefined || b === undefined ? undefined : personCodes + (b * firstNames.length + a) * 2 + style;
  };
  const [, underscore, left = '', separator, right = '', digits, end] =
    /^(_?)([a-z]+)(\.da\.|[._])([a-z]+)(\d{2})?(_?)$/.exec(username) ?? [];
  if (!left) return undefined;
  const candidate =
    separator === '.da.'
      ? shop(left, right, 0)
      : separator === '_'
        ? (person(left, right, 1) ?? shop(right, left, 1))
        : underscore && end
          ? person(left, right, 4)
          : digits
            ? person(left, right, 3)
            : (person(left, right, 0) ?? person(right, left, 2));
  return candidate !== undefined && handleOf(candidate).username === username ? candidate : undefined;
}

/**
 * The people of the network: `size` accounts computed from a seed, and the named accounts of tests. Only the named ones are held in
 * memory. The same seed always gives the same people.
 */
export class Accounts {
  private readonly handles: Permutation;
  private readonly ids: Permutation;
  private readonly key: number;
  private readonly named: NamedAccount[] = [];
  private readonly namedByUsername = new Map<string, number>();
  private readonly namedById = new Map<string, number>();
  /** `pk` of each named account, in the order of creation. */
  private readonly namedIds: string[] = [];
  /** Names of accounts that were renamed while the network ran, by index, and the other way round. */
  private readonly newNames = new Map<number, string>();
  private readonly byNewName = new Map<string, number>();

  constructor(
    readonly seed: string,
    readonly size: number,
  ) {
    if (size < 1_000 || size % 1_000 !== 0 || size > maxPopulation)
      throw new RangeError(`a population is a multiple of 1000 up to ${maxPopulation}, not ${size}`);
    this.key = keyOf(`accounts:${seed}`);
    this.handles = new Permutation(maxPopulation, hash(this.key, 1));
    this.ids = new Permutation(size, hash(this.key, 2));
  }

  /** Number of all accounts, named ones included. */
  get count(): number {
    return this.size + this.named.length;
  }

  get namedAccounts(): readonly NamedAccount[] {
    return this.named;
  }

  isNamed(index: number): boolean {
    return index >= this.size;
  }

  namedAt(index: number): NamedAccount | undefined {
    return this.named[index - this.size];
  }

  /** Adds a named account, or updates it. @returns its index. */
  ensure(wanted: NamedAccount): number {
    const renamed = this.byNewName.get(wanted.username);
    const known = renamed !== undefined && this.isNamed(renamed) ? renamed : this.namedByUsername.get(wanted.username);
    const before = known === undefined ? undefined : this.named[known - this.size];
    if (known !== undefined && before) {
      // The name at creation is kept, because who follows whom is computed from it.
      this.named[known - this.size] = { ...before, ...wanted, username: before.username };
      this.rememberRename(known, wanted);
      return known;
    }
    const index = this.count;
    const pk = this.freeId(wanted.username);
    this.named.push({ ...wanted });
    this.namedIds.push(pk);
    this.namedByUsername.set(wanted.username, index);
    this.namedById.set(pk, index);
    this.rememberRename(index, wanted);
    return index;
  }

  /** Renames an account, in lists too. The old name becomes free. */
  rename(index: number, to: string): void {
    const before = this.newNames.get(index);
    if (before !== undefined) this.byNewName.delete(before);
    const named = this.namedAt(index);
    if (named && this.namedByUsername.get(named.username) === index) this.namedByUsername.delete(named.username);
    this.newNames.set(index, to);
    this.byNewName.set(to, index);
  }

  /** Accounts that were renamed while the network ran, with their new names. */
  get renamed(): [pk: string, name: string][] {
    return [...this.newNames].map(([index, name]) => [this.at(index).pk, name]);
  }

  at(index: number): Account {
    const named = this.namedAt(index);
    const account = named ? this.describeNamed(index, named) : this.compute(index);
    const name = this.newNames.get(index);
    return name === undefined ? account : { ...account, username: name, listedUsername: name };
  }

  byUsername(username: string): Account | undefined {
    const wanted = username.toLowerCase();
    const renamed = this.byNewName.get(wanted);
    if (renamed !== undefined) return this.at(renamed);
    const named = this.namedByUsername.get(wanted);
    if (named !== undefined) {
      const account = this.at(named);
      return account.username === wanted ? account : undefined;
    }
    const code = codeOf(wanted);
    if (code === undefined) return undefined;
    const index = this.handles.indexOf(code);
    if (index >= this.size) return undefined;
    const account = this.at(index);
    return account.username === wanted ? account : undefined;
  }

  /** Finds an account by the name that lists show, also when it was deleted or renamed. */
  byListedUsername(username: string): Account | undefined {
    const named = this.namedByUsername.get(username);
    if (named !== undefined) return this.at(named);
    const found = this.byUsername(username);
    if (found) return found;
    const current = /^(.*)_ant$/.exec(username)?.[1];
    const renamed = current ? this.byUsername(current) : undefined;
    return renamed?.listedUsername === username ? renamed : undefined;
  }

  byId(pk: string): Account | undefined {
    const named = this.namedById.get(pk);
    if (named !== undefined) return this.at(named);
    const offset = Number(pk) - computedIds.first;
    if (!/^\d{1,15}$/.test(pk) || offset < 0 || offset % computedIds.step !== 0) return undefined;
    const position = offset / computedIds.step;
    return position < this.size ? this.at(this.ids.indexOf(position)) : undefined;
  }

  private compute(index: number): Account {
    const { username, fullName, isShop } = handleOf(this.handles.at(index));
    const roll = fraction(this.key, index, 3);
    const presence: Presence =
      roll < shares.gone404
        ? 'gone_404'
        : roll < shares.gone404 + shares.gone200
          ? 'gone_200'
          : roll < shares.gone404 + shares.gone200 + shares.renamed
            ? 'renamed'
            : 'present';
    const pk = String(computedIds.first + this.ids.at(index) * computedIds.step);
    const hasPosts = fraction(this.key, index, 4) >= shares.withoutPosts;
    return {
      index,
      pk,
      fbid: fbidOf(pk),
      username,
      listedUsername: presence === 'renamed' ? `${username}_ant` : username,
      fullName,
      biography: this.biography(index, isShop),
      isPrivate: !isShop && fraction(this.key, index, 5) < shares.private / (personCodes / maxPopulation),
      isVerified: fraction(this.key, index, 6) < shares.verified,
      isBusiness: isShop,
      hasPicture: fraction(this.key, index, 7) >= shares.withoutPicture,
      hasStory: fraction(this.key, index, 8) < shares.withStory,
      // A heavy tail: most people have some dozens of posts, few a thousand.
      mediaCount: hasPosts ? Math.min(2_000, 1 + Math.floor(28 / (0.012 + fraction(this.key, index, 9)) - 24)) : 0,
      presence,
    };
  }

  private describeNamed(index: number, named: NamedAccount): Account {
    const pk = this.namedIds[index - this.size] ?? '';
    const presence = named.presence ?? 'present';
    return {
      index,
      pk,
      fbid: fbidOf(pk),
      username: presence === 'renamed' ? (named.renamedTo ?? `${named.username}_novo`) : named.username,
      listedUsername: named.username,
      fullName: named.fullName ?? named.username.replace(/[._]+/g, ' ').trim(),
      biography: this.biography(index, true),
      isPrivate: named.isPrivate ?? false,
      isVerified: named.isVerified ?? false,
      isBusiness: false,
      hasPicture: true,
      hasStory: false,
      mediaCount: named.posts ?? 24,
      presence,
    };
  }

  private biography(index: number, isShop: boolean): string {
    const city = choose(cities, this.key, index, 12);
    const line = choose<string>(isShop ? shopLines : personalLines, this.key, index, 13);
    return fraction(this.key, index, 14) < 0.15 ? '' : `${line}\n📍 ${city}`;
  }

  /** The `pk` of a name; the next free one when another account had the name before. */
  private freeId(username: string): string {
    let place = (keyOf(`${this.seed}:${username}`) * 7) % namedIds.range;
    while (this.namedById.has(String(namedIds.first + place))) place = (place + 1) % namedIds.range;
    return String(namedIds.first + place);
  }

  private rememberRename(index: number, { presence, renamedTo }: NamedAccount): void {
    if (presence === 'renamed' && renamedTo) this.namedByUsername.set(renamedTo, index);
  }
}

function fbidOf(pk: string): string {
  return `17841${pk.padStart(12, '0')}`;
}

/** The caption of a post; the same for the same numbers. */
export function captionOf(key: number, index: number, number: number): string {
  return choose(captionLines, key, index, number, 21);
}
