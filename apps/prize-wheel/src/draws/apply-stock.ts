import { unitsLeft, wheelSettings } from '@decola/contracts';
import { type Database, rowsOf } from '@decola/database';
import { firstHash } from './chain-head.js';
import { freeCoupons } from './coupons.js';
import { changeWheel } from './locked-wheel.js';
import { offeredPrizes, prizeColumns, type PrizeRow, sameOffer, stockAfter } from './prizes.js';
import { addStock, closeRound, mayOpen, openRound, type RoundTools } from './rounds.js';
import { stockLevel } from './stock-level.js';

/**
 * Takes over the prizes of a published wheel, in the transaction that stored its new configuration. Draws of the wheel wait meanwhile, so none sees half
 * of an edit. A prize that the owner removed keeps its count of won units, and goes on with it when its id comes back.
 */
export async function applyStock(
  db: Database,
  { automationId, configuration }: { automationId: string; configuration: unknown },
  tools: RoundTools,
): Promise<void> {
  await db.query(`insert into wheel_draws (automation_id, head) values ($1, $2) on conflict do nothing`, [
    automationId,
    firstHash(automationId),
  ]);
  await changeWheel(db, automationId, async (wheel) => {
    const known = await rowsOf<PrizeRow & { retired: boolean }>(
      db,
      `select ${prizeColumns}, retired_at is not null as retired from wheel_prizes where automation_id = $1 order by position`,
      [automationId],
    );
    const before = known.filter(({ retired }) => !retired);
    const coupons = await freeCoupons(db, automationId);
    const after = stockAfter(offeredPrizes(configuration), new Map(known.map((prize) => [prize.id, prize])), coupons);
    await storePrizes(db, automationId, after, tools.now);
    const { promotion, options } = wheelSettings(configuration);
    wheel.endsAt = promotion.endsAt === null ? null : new Date(promotion.endsAt);
    wheel.validDays = options.validDays;
    const left = unitsLeft(after);
    if (totalOf(before) !== totalOf(after)) wheel.announced = stockLevel({ total: totalOf(after), remaining: left });
    if (mayOpen(wheel, tools.now) && left > 0) await openRound(db, wheel, after, tools);
    else if (wheel.isOpen && !sameOffer(before, after)) await addStock(db, wheel, after);
    if (wheel.isOpen && left === 0) await closeRound(db, wheel, tools);
  });
}

const totalOf = (prizes: readonly PrizeRow[]): number => prizes.reduce((sum, { total }) => sum + total, 0);

async function storePrizes(db: Database, automationId: string, prizes: readonly PrizeRow[], now: Date): Promise<void> {
  await db.query(
    `update wheel_prizes set retired_at = $3, remaining = 0 where automation_id = $1 and retired_at is null and not prize_id = any($2::text[])`,
    [automationId, prizes.map(({ id }) => id), now],
  );
  await db.query(
    `insert into wheel_prizes (automation_id, prize_id, position, name, type, message, total, remaining, announced, has_coupons)
     select $1, p.id, p.position, p.name, p.type, p.message, p.total, p.remaining, p.announced, p."hasCoupons"
     from jsonb_to_recordset($2::jsonb) as p (id text, position integer, name text, type text, message text, total integer, remaining integer,
       announced smallint, "hasCoupons" boolean)
     on conflict (automation_id, prize_id) do update set position = excluded.position, name = excluded.name, type = excluded.type,
       message = excluded.message, total = excluded.total, remaining = greatest(excluded.total - wheel_prizes.given, 0), retired_at = null,
       announced = excluded.announced, has_coupons = excluded.has_coupons`,
    [automationId, JSON.stringify(prizes)],
  );
}
