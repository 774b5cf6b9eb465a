import { type Database, rowsOf } from '@decola/database';
import { ChainHead } from './chain-head.js';
import type { StockLevel } from './stock-level.js';

/** A wheel whose lock the transaction holds. What the transaction changes of it is written by `storeWheels`. */
export interface LockedWheel {
  readonly id: string;
  isOpen: boolean;
  /** By its owner: no round opens by itself. */
  isEnded: boolean;
  /** End of the promotion; null when it has none. No round is open after it. */
  endsAt: Date | null;
  /** Days after which a prize that nobody collected expires; null when prizes do not expire. */
  validDays: number | null;
  /** The level of the whole stock that the owner was told of. */
  announced: StockLevel;
  round: number;
  /** Number of the last batch of draws. */
  seq: number;
  /** Number of the last draw. */
  drawn: number;
  /** Number of the last change of the stock that was no draw. */
  stockVersion: number;
  readonly chain: ChainHead;
}

interface WheelRow {
  automation_id: string;
  is_open: boolean;
  is_ended: boolean;
  ends_at: Date | null;
  valid_days: number | null;
  announced: StockLevel;
  round: number;
  /** `bigint`, like the next two: as text. */
  seq: string;
  drawn: string;
  stock_version: string;
  head: Buffer;
}

/** Locks the wheels in the order of their ids; the locks end with the transaction. Wheels that were deleted are missing. */
export async function lockWheels(db: Database, automationIds: readonly string[]): Promise<LockedWheel[]> {
  const rows = await rowsOf<WheelRow>(
    db,
    `select automation_id, is_open, is_ended, ends_at, valid_days, announced, round, seq, drawn, stock_version, head from wheel_draws
     where automation_id = any($1::uuid[]) order by automation_id for update`,
    [automationIds],
  );
  return rows.map((row) => ({
    id: row.automation_id,
    isOpen: row.is_open,
    isEnded: row.is_ended,
    endsAt: row.ends_at,
    validDays: row.valid_days,
    announced: row.announced,
    round: row.round,
    seq: Number(row.seq),
    drawn: Number(row.drawn),
    stockVersion: Number(row.stock_version),
    chain: new ChainHead(row.head),
  }));
}

/** Stores what a transaction changed of wheels that it locked, in one statement. */
export async function storeWheels(db: Database, wheels: readonly LockedWheel[]): Promise<void> {
  await db.query(
    `update wheel_draws w set is_open = c.is_open, is_ended = c.is_ended, round = c.round, seq = c.seq, drawn = c.drawn,
       stock_version = c.stock_version, head = c.head, ends_at = c.ends_at, valid_days = c.valid_days, announced = c.announced
     from unnest($1::uuid[], $2::boolean[], $3::boolean[], $4::integer[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bytea[], $9::timestamptz[],
       $10::integer[], $11::smallint[])
       as c (automation_id, is_open, is_ended, round, seq, drawn, stock_version, head, ends_at, valid_days, announced)
     where w.automation_id = c.automation_id`,
    [
      wheels.map(({ id }) => id),
      wheels.map(({ isOpen }) => isOpen),
      wheels.map(({ isEnded }) => isEnded),
      wheels.map(({ round }) => round),
      wheels.map(({ seq }) => seq),
      wheels.map(({ drawn }) => drawn),
      wheels.map(({ stockVersion }) => stockVersion),
      wheels.map(({ chain }) => chain.hash),
      wheels.map(({ endsAt }) => endsAt),
      wheels.map(({ validDays }) => validDays),
      wheels.map(({ announced }) => announced),
    ],
  );
}

/**
 * Changes a wheel otherwise than by a draw, under its lock. Draws wait meanwhile, and read its stock anew.
 * @returns undefined when the wheel was never published, or was deleted
 */
export async function changeWheel<Result>(
  db: Database,
  automationId: string,
  change: (wheel: LockedWheel) => Promise<Result>,
): Promise<Result | undefined> {
  const [wheel] = await lockWheels(db, [automationId]);
  if (!wheel) return undefined;
  const result = await change(wheel);
  wheel.stockVersion += 1;
  await storeWheels(db, [wheel]);
  return result;
}
