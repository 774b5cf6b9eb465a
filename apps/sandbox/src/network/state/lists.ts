import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { Account, Accounts } from '../population/accounts.js';
import type { FollowerGraph } from '../population/graph.js';
import { fraction, hash, keyOf, Permutation } from '../population/numbers.js';
import type { Friendships } from './friendships.js';

export type ListKind = 'followers' | 'following';

/** How one account's lists misbehave. */
export interface ListSettings {
  /** Share of rows that a pass shows twice in place of another, which it loses. Default: one in eight. */
  lossRate: number;
  /** Whether every pass has the same order. Default: every pass is ranked anew. */
  stableOrder: boolean;
  /** Wait before each page is answered, in ms. */
  pageDelayMs: number;
  /** Cuts the list after about 50 rows and says so. */
  limited: boolean;
}

export const usualListSettings: ListSettings = { lossRate: 1 / 8, stableOrder: false, pageDelayMs: 0, limited: false };

export interface ListPage {
  rows: Account[];
  nextCursor: string | null;
  /** Place of the first row in the pass. */
  offset: number;
  pass: number;
  limited: boolean;
  /** The cursor was never given to this visitor; the list began anew. */
  cursorUnknown: boolean;
}

interface Reading {
  pass: number;
  /** Those who came by actions before the pass began; they lead the list. */
  added: number[];
  /** Cursors given out for lists whose cursor is a plain number. */
  given: Set<number>;
}

export interface StoredReading {
  id: string;
  pass: number;
  added: string[];
  given: number[];
}

const usualRows = 12;
const limitedRows = 50;
/** A search looks at so many rows and no further. */
const mostSearched = 10_000;
/** A repeated row was seen at most this many rows before. */
const repeatDistance = 36;

/**
 * Follower and following lists as the site hands them out: 12 rows at a time (sometimes 7 or 11), ranked anew for each
 * pass, some rows shown twice while others are missed. A pass begins with a request without cursor.
 */
export class Lists {
  private readonly readings = new Map<string, Reading>();
  private readonly settings = new Map<string, Partial<ListSettings>>();
  private readonly cursorKey: Buffer;
  private readonly key: number;
  defaults: ListSettings = { ...usualListSettings };

  constructor(
    private readonly accounts: Accounts,
    private readonly graph: FollowerGraph,
    private readonly friendships: Friendships,
  ) {
    this.key = keyOf(`lists:${accounts.seed}`);
    this.cursorKey = createHash('sha256').update(`cursor:${accounts.seed}`).digest();
  }

  settingsOf(username: string): ListSettings {
    return { ...this.defaults, ...this.settings.get(username) };
  }

  configure(username: string, settings: Partial<ListSettings>): void {
    this.settings.set(username, { ...this.settings.get(username), ...settings });
  }

  allSettings(): Record<string, Partial<ListSettings>> {
    return Object.fromEntries(this.settings);
  }

  page(viewer: Account, target: Account, kind: ListKind, cursor: string | null): ListPage {
    const settings = this.settingsOf(target.username);
    const id = `${viewer.pk}:${target.pk}:${kind}`;
    const hasLongCursor = kind === 'followers' && viewer.index === target.index;
    let reading = this.readings.get(id);
    let offset = 0;
    let cursorUnknown = false;
    if (cursor !== null) {
      const known = hasLongCursor ? this.openCursor(cursor, id) : /^\d{1,9}$/.test(cursor) ? Number(cursor) : null;
      if (known !== null && reading && (hasLongCursor || reading.given.has(known))) offset = known;
      else cursorUnknown = true;
    }
    if (!reading || cursor === null) {
      reading = { pass: (reading?.pass ?? 0) + 1, added: this.friendships.added(target.index, kind), given: reading?.given ?? new Set() };
      this.readings.set(id, reading);
    }
    const computed = kind === 'followers' ? this.graph.followerCount(target.index) : this.graph.followingCount(target.index);
    const whole = reading.added.length + computed;
    const total = settings.limited ? Math.min(limitedRows, whole) : whole;
    const size = this.sizeOfPage(target, offset);
    const end = Math.min(total, offset + size);
    const rankKey = hash(this.key, keyOf(id), settings.stableOrder ? 0 : reading.pass);
    const ranking = computed > 0 ? new Permutation(computed, rankKey) : undefined;
    const rows: Account[] = [];
    for (let place = offset; place < end; place++) {
      const other = this.rowAt(target, kind, reading, ranking, this.shownAt(place, hash(rankKey, reading.pass), settings.lossRate));
      if (other !== undefined) rows.push(this.accounts.at(other));
    }
    const nextCursor = end < total ? (hasLongCursor ? this.sealCursor(end, id) : String(end)) : null;
    if (nextCursor !== null && !hasLongCursor) reading.given.add(end);
    return { rows, nextCursor, offset, pass: reading.pass, limited: settings.limited && whole > limitedRows, cursorUnknown };
  }

  /** The few whose name begins with what was typed; a search hands out no cursor and is no pass. */
  search(target: Account, kind: ListKind, typed: string): Account[] {
    const wanted = typed.trim().toLowerCase();
    const found: Account[] = [];
    let looked = 0;
    for (const account of this.friendships.all(target.index, kind)) {
      if (++looked > mostSearched || found.length === usualRows) break;
      if (account.listedUsername.startsWith(wanted) || account.fullName.toLowerCase().startsWith(wanted)) found.push(account);
    }
    return found;
  }

  clear(): void {
    this.readings.clear();
    this.settings.clear();
    this.defaults = { ...usualListSettings };
  }

  store(): { readings: StoredReading[]; settings: Record<string, Partial<ListSettings>>; defaults: ListSettings } {
    return {
      readings: [...this.readings].map(([id, { pass, added, given }]) => ({
        id,
        pass,
        added: added.map((index) => this.accounts.at(index).pk),
        given: [...given],
      })),
      settings: this.allSettings(),
      defaults: this.defaults,
    };
  }

  restore({ readings, settings, defaults }: ReturnType<Lists['store']>): void {
    for (const { id, pass, added, given } of readings)
      this.readings.set(id, { pass, added: added.flatMap((pk) => this.accounts.byId(pk)?.index ?? []), given: new Set(given) });
    for (const [username, each] of Object.entries(settings)) this.settings.set(username, each);
    this.defaults = defaults;
  }

  /** Depends on the place alone, so that pages fit together in every pass. */
  private sizeOfPage(target: Account, offset: number): number {
    const roll = hash(this.key, target.index, offset, 1) % 16;
    return roll === 0 ? 7 : roll === 1 ? 11 : usualRows;
  }

  /** Which place's row is shown at a place: its own, or one that was shown a little before. */
  private shownAt(place: number, passKey: number, lossRate: number): number {
    if (place === 0 || fraction(passKey, place, 2) >= lossRate) return place;
    return place - 1 - (hash(passKey, place, 3) % Math.min(place, repeatDistance));
  }

  private rowAt(target: Account, kind: ListKind, { added }: Reading, ranking: Permutation | undefined, place: number): number | undefined {
    const isAdded = place < added.length;
    const row = isAdded ? 0 : (ranking?.at(place - added.length) ?? 0);
    const other = isAdded
      ? added[place]
      : kind === 'followers'
        ? this.graph.follower(target.index, row)
        : this.graph.following(target.index, row);
    if (other === undefined) return undefined;
    const stands = kind === 'followers' ? this.friendships.follows(other, target.index) : this.friendships.follows(target.index, other);
    return stands ? other : undefined;
  }

  /** The long random-looking cursor of one's own followers: 120 characters that only this list can read. */
  private sealCursor(offset: number, id: string): string {
    const plain = Buffer.alloc(62);
    plain.writeUInt32BE(offset);
    plain.writeUInt32BE(keyOf(id), 4);
    randomBytes(54).copy(plain, 8);
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.cursorKey, iv);
    return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString('base64url');
  }

  private openCursor(cursor: string, id: string): number | null {
    const sealed = Buffer.from(cursor, 'base64url');
    if (sealed.length !== 90) return null;
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.cursorKey, sealed.subarray(0, 12));
      decipher.setAuthTag(sealed.subarray(74));
      const plain = Buffer.concat([decipher.update(sealed.subarray(12, 74)), decipher.final()]);
      return plain.readUInt32BE(4) === keyOf(id) ? plain.readUInt32BE() : null;
    } catch {
      return null;
    }
  }
}
