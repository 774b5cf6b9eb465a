import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { Account, Accounts } from '../population/accounts.js';
import type { FollowerGraph } from '../population/follower-graph.js';
import { fraction, hash, keyOf, Permutation } from '../population/hashing.js';
import type { Friendships } from './friendships.js';

export type ListKind = 'followers' | 'following';

/** How one account's lists misbehave. */
export interface ListSettings {
  /** Share of rows in whose place a pass repeats an earlier row, so that the row itself is lost. Default: one in eight. */
  lossRate: number;
  /** Whether every pass has the same order. Default: each pass has an order of its own. */
  stableOrder: boolean;
  /** Delay before each page is answered, in ms. */
  pageDelayMs: number;
  /** Cuts the list after about 50 rows and says so. */
  limited: boolean;
  /**
   * Share of people whom the list never shows, so that it has fewer rows than the profile's count. Null: nobody in the lists of named
   * accounts, whose exact counts tests rely on, and one in 64 in all others.
   */
  hiddenShare: number | null;
}

const usualHiddenShare = 1 / 64;

export const usualListSettings: ListSettings = { lossRate: 1 / 8, stableOrder: false, pageDelayMs: 0, limited: false, hiddenShare: null };

export interface ListPage {
  rows: Account[];
  nextCursor: string | null;
  /** First place of the page in the pass. A page covers twelve places, some of which may have no row: cursors count places, not rows. */
  offset: number;
  pass: number;
  limited: boolean;
  /** The visitor never received this cursor, so the list began again. */
  cursorUnknown: boolean;
}

interface Reading {
  pass: number;
  /** People added by actions before the pass began; they come first. */
  added: number[];
  /** Plain-number cursors that the visitor received. */
  given: Set<number>;
}

export interface StoredReading {
  id: string;
  pass: number;
  added: string[];
  given: number[];
}

const placesPerPage = 12;
const limitedRows = 50;
/** A search reads at most this many rows. */
const maxSearchedRows = 10_000;
/** A repeated row was shown at most this many rows earlier. */
const repeatDistance = 36;
const maxSums = 1_000;

/**
 * Follower and following lists as the site serves them: pages of 12 places, of which sometimes only 7 or 11 have a row. A pass begins with a
 * request without cursor; each pass has another order, repeats some rows and loses others.
 */
export class Lists {
  private readonly readings = new Map<string, Reading>();
  private readonly settings = new Map<string, Partial<ListSettings>>();
  /** Number of rows before the place that was requested last, by the list's owner. */
  private readonly sums = new Map<number, { at: number; rows: number }>();
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

  /** Moves the settings to the account's new name. */
  renamed(from: string, to: string): void {
    const settings = this.settings.get(from);
    if (!settings) return;
    this.settings.delete(from);
    this.settings.set(to, settings);
  }

  allSettings(): Record<string, Partial<ListSettings>> {
    return Object.fromEntries(this.settings);
  }

  /**
   * Reads one page.
   * @param cursor null begins a new pass; both forms of cursor are accepted
   * @param longCursors gives out long cursors also for lists that usually have plain numbers
   */
  page(viewer: Account, target: Account, kind: ListKind, cursor: string | null, longCursors = false): ListPage {
    const settings = this.settingsOf(target.username);
    const id = `${viewer.pk}:${target.pk}:${kind}`;
    const hasLongCursor = longCursors || (kind === 'followers' && viewer.index === target.index);
    let reading = this.readings.get(id);
    let offset = 0;
    let cursorUnknown = false;
    if (cursor !== null) {
      const plain = /^\d{1,9}$/.test(cursor) && reading?.given.has(Number(cursor)) ? Number(cursor) : null;
      const known = this.openCursor(cursor, id) ?? plain;
      if (known !== null && reading) offset = known;
      else cursorUnknown = true;
    }
    if (!reading || cursor === null) {
      reading = { pass: (reading?.pass ?? 0) + 1, added: this.friendships.added(target.index, kind), given: reading?.given ?? new Set() };
      this.readings.set(id, reading);
    }
    const computed = kind === 'followers' ? this.graph.followerCount(target.index) : this.graph.followingCount(target.index);
    const whole = reading.added.length + computed;
    const total = settings.limited ? Math.min(limitedRows, whole) : whole;
    const firstRow = this.rowsBefore(target, offset);
    const end = Math.min(total, firstRow + this.rowsOfPage(target, offset));
    const rankKey = hash(this.key, keyOf(id), settings.stableOrder ? 0 : reading.pass);
    const ranking = computed > 0 ? new Permutation(computed, rankKey) : undefined;
    const rows: Account[] = [];
    for (let row = firstRow; row < end; row++) {
      const other = this.rowAt(target, kind, reading, ranking, this.shownAt(row, hash(rankKey, reading.pass), settings.lossRate));
      if (other !== undefined) rows.push(this.accounts.at(other));
    }
    const next = offset + placesPerPage;
    const nextCursor = end < total ? (hasLongCursor ? this.sealCursor(next, id) : String(next)) : null;
    if (nextCursor !== null && !hasLongCursor) reading.given.add(next);
    return { rows, nextCursor, offset, pass: reading.pass, limited: settings.limited && whole > limitedRows, cursorUnknown };
  }

  /** Up to 12 people whose name begins with `typed`. A search gives out no cursor and begins no pass. */
  search(target: Account, kind: ListKind, typed: string): Account[] {
    const wanted = typed.trim().toLowerCase();
    const found: Account[] = [];
    let looked = 0;
    for (const account of this.people(target, kind)) {
      if (++looked > maxSearchedRows || found.length === placesPerPage) break;
      if (account.listedUsername.startsWith(wanted) || account.fullName.toLowerCase().startsWith(wanted)) found.push(account);
    }
    return found;
  }

  /** Everybody whom the list shows over enough passes, without repeats. */
  *people(target: Account, kind: ListKind): Generator<Account> {
    const added = new Set(this.friendships.added(target.index, kind));
    for (const account of this.friendships.all(target.index, kind))
      if (added.has(account.index) || !this.isHidden(target, account.index)) yield account;
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
    this.defaults = { ...usualListSettings, ...defaults };
  }

  /** Number of rows of the page at a place. It depends on the place alone, so that pages join without gaps in every pass. */
  private rowsOfPage(target: Account, place: number): number {
    const roll = hash(this.key, target.index, place, 1) % 16;
    return roll === 0 ? 7 : roll === 1 ? 11 : placesPerPage;
  }

  /** Number of rows before a place. Lists are read page by page, so the sum of the last request is continued. */
  private rowsBefore(target: Account, place: number): number {
    const last = this.sums.get(target.index);
    let { at, rows } = last && last.at <= place ? last : { at: 0, rows: 0 };
    for (; at < place; at += placesPerPage) rows += this.rowsOfPage(target, at);
    if (this.sums.size >= maxSums) this.sums.clear();
    this.sums.set(target.index, { at, rows });
    return rows;
  }

  /** Whether this list hides this person for good. People added by actions are never hidden. */
  isHidden(target: Account, other: number): boolean {
    const share = this.settingsOf(target.username).hiddenShare ?? (this.accounts.isNamed(target.index) ? 0 : usualHiddenShare);
    return share > 0 && fraction(this.key, target.index, other, 5) < share;
  }

  /** The row to show at a place: its own, or a repeated earlier one. */
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
    return stands && (isAdded || !this.isHidden(target, other)) ? other : undefined;
  }

  /** A long cursor of 120 random-looking characters, as for the visitor's own followers; it is valid for this list only. */
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
