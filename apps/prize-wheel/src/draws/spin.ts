import type { PrizeState } from '@decola/contracts';
import { type Database, rowsOf } from '@decola/database';
import type { GivenConsent } from '../consent/consents.js';
import type { ClosedByDate } from '../promotion/promotion-dates.js';
import type { Coupons } from './coupons.js';
import type { PrizeType } from './prizes.js';

/** A visitor's wish to spin, checked already: the wheel is published, its token was right, and the fields fit. */
export interface Spin {
  automationId: string;
  /** `@handle`, lower case. */
  handle: string;
  /** SHA-256 of the visitor's key of this spin; null for clients that send none. */
  spinKeyHash: Buffer | null;
  /** Answers to the wheel's lead fields, by the field's name. */
  fields: Record<string, string>;
  /** What the visitor agreed to; null where the wheel asks nothing. */
  consent: GivenConsent | null;
  /** The promotion's dates keep new handles from winning. */
  closed: ClosedByDate;
  /** Digests of what may take part once only; null where the owner does not ask for it. */
  emailKey: Buffer | null;
  phoneKey: Buffer | null;
  /** The e-mail address is of a service that the owner does not allow. */
  hasThrowawayEmail: boolean;
  /** Digest of the visitor's network; null when it is unknown. */
  networkKey: Buffer | null;
}

/** A spin of a wheel without consent, options and dates, from an unknown network. */
export const plainSpin = {
  consent: null,
  closed: null,
  emailKey: null,
  phoneKey: null,
  hasThrowawayEmail: false,
  networkKey: null,
} as const satisfies Partial<Spin>;

/** A participation as its winner sees it. */
export interface Participation {
  number: number;
  drawnAt: string;
  state: PrizeState;
  prize: { id: string; name: string; type: PrizeType; message: string };
  /** As it is stored, without hyphens. */
  code: string;
  /** The winner's own coupon; null when the prize has none. */
  coupon: string | null;
}

/**
 * `drawn`: this spin won the participation. `repeated`: the handle had played before; `isOwn` when this visitor's key is the one that drew.
 * `none_left`: every unit is won. `not_started`, `ended`: by the promotion's dates. `email_taken`, `phone_taken`, `throwaway_email`: by the owner's options. `erased`: the handle's data were erased. `gone`: the wheel was deleted meanwhile.
 */
export type SpinOutcome =
  | { kind: 'drawn'; participation: Participation }
  | { kind: 'repeated'; participation: Participation; isOwn: boolean }
  | { kind: 'none_left' }
  | { kind: Exclude<ClosedByDate, null> }
  | { kind: 'email_taken' | 'phone_taken' | 'throwaway_email' }
  | { kind: 'erased' }
  | { kind: 'gone' };

const participationColumns = `p.automation_id, p.instagram_handle, p.number, p.created_at, p.prize_id, p.prize_won, p.prize_type, p.prize_message, p.code,
  p.spin_key_hash, p.state, (select c.code_sealed from prize_codes c where c.participation_id = p.id) as coupon_sealed`;

export interface ParticipationRow {
  automation_id: string;
  instagram_handle: string;
  /** `bigint`, and so are `number`s in text. */
  number: string;
  created_at: Date;
  prize_id: string;
  prize_won: string;
  prize_type: PrizeType;
  prize_message: string;
  code: string;
  spin_key_hash: Buffer | null;
  state: PrizeState;
  coupon_sealed: string | null;
}

/** The participations that keep these handles from spinning these wheels again. */
export const earlierParticipations = (db: Database, spins: readonly Pick<Spin, 'automationId' | 'handle'>[]): Promise<ParticipationRow[]> =>
  rowsOf<ParticipationRow>(
    db,
    // `limit 1` makes PostgreSQL look up each handle in the index. It would read the whole table of a small wheel's service, for every batch.
    `select e.* from unnest($1::uuid[], $2::text[]) as s (automation_id, handle) cross join lateral (
       select ${participationColumns} from prize_wheel_participations p
       where p.blocks and p.automation_id = s.automation_id and p.instagram_handle = s.handle limit 1) e`,
    [spins.map(({ automationId }) => automationId), spins.map(({ handle }) => handle)],
  );

export const participationOf = (row: ParticipationRow, coupons: Coupons): Participation => ({
  number: Number(row.number),
  drawnAt: row.created_at.toISOString(),
  state: row.state,
  prize: { id: row.prize_id, name: row.prize_won, type: row.prize_type, message: row.prize_message },
  code: row.code,
  coupon: row.coupon_sealed === null ? null : coupons.open(row.automation_id, row.prize_id, row.coupon_sealed),
});

/** The outcome for a handle that has played. The code and the message are for the visitor whose key drew: anybody can type anybody's handle. */
export const repeatedOutcome = (
  row: ParticipationRow,
  spinKeyHash: Buffer | null,
  coupons: Coupons,
): Extract<SpinOutcome, { kind: 'repeated' }> => ({
  kind: 'repeated',
  participation: participationOf(row, coupons),
  isOwn: spinKeyHash !== null && row.spin_key_hash !== null && row.spin_key_hash.equals(spinKeyHash),
});
