import type { ChainLine } from '@decola/contracts';
import { type Database, rowOf } from '@decola/database';
import type { LockedWheel } from './locked-wheel.js';
import type { PrizeRow } from './prizes.js';
import type { Seeds } from './seeds.js';

/** What a round needs when it begins or ends. */
export interface RoundTools {
  seeds: Seeds;
  now: Date;
}

/** Stores a line that is no draw, after the last draw. */
export async function addEntry(db: Database, wheel: LockedWheel, line: ChainLine): Promise<void> {
  const entry = wheel.chain.add(line);
  await db.query(`insert into wheel_entries (automation_id, after_number, line, hash) values ($1, $2, $3, $4)`, [
    wheel.id,
    wheel.drawn,
    entry.line,
    entry.hash,
  ]);
}

export const addStock = (db: Database, wheel: LockedWheel, stock: readonly PrizeRow[]): Promise<void> =>
  addEntry(db, wheel, ['stock', stock.map(({ id, name, total, remaining }) => [id, name, total, remaining])]);

/** Whether a round may begin by itself: its owner did not end the last one, and the promotion goes on. */
export const mayOpen = ({ isOpen, isEnded, endsAt }: LockedWheel, now: Date): boolean =>
  !isOpen && !isEnded && (endsAt === null || endsAt > now);

/** Begins the next round: its commitment is public from here on, and its seed decides the draws. */
export async function openRound(db: Database, wheel: LockedWheel, stock: readonly PrizeRow[], { seeds, now }: RoundTools): Promise<void> {
  wheel.round += 1;
  wheel.isOpen = true;
  const seed = seeds.create(wheel.id, wheel.round);
  await db.query(`insert into wheel_rounds (automation_id, round, seed_sealed, commitment, opened_at) values ($1, $2, $3, $4, $5)`, [
    wheel.id,
    wheel.round,
    seed.sealed,
    seed.commitment,
    now,
  ]);
  await addEntry(db, wheel, ['open', wheel.round, seed.commitment]);
  await addStock(db, wheel, stock);
}

/** Ends the open round and shows its seed, so that everybody can compute its draws again. */
export async function closeRound(db: Database, wheel: LockedWheel, { seeds, now }: RoundTools): Promise<void> {
  const round = await rowOf<{ seed_sealed: string }>(
    db,
    `update wheel_rounds set closed_at = $3 where automation_id = $1 and round = $2 returning seed_sealed`,
    [wheel.id, wheel.round, now],
  );
  if (!round) throw new Error(`wheel ${wheel.id} has no round ${wheel.round}`);
  wheel.isOpen = false;
  await addEntry(db, wheel, ['close', wheel.round, seeds.open(round.seed_sealed, wheel.id, wheel.round).toString('hex')]);
}
