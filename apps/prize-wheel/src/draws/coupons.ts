import { type Database, rowsOf, type SealedColumn } from '@decola/database';
import type { Sealer } from '@decola/service-kit';
import type { WheelKeys } from '../keys/wheel-keys.service.js';

/** Coupons of prizes: each winner gets one of their own. They are stored sealed, bound to their prize. */
export class Coupons {
  constructor(
    private readonly sealer: Sealer,
    private readonly keys: WheelKeys,
  ) {}

  seal(automationId: string, prizeId: string, code: string): string {
    return this.sealer.seal(code, purposeOf(automationId, prizeId));
  }

  /** @throws UnopenedEnvelopeError when the key ring lacks the key that sealed it: nothing is drawn or shown, and the same request succeeds later */
  open(automationId: string, prizeId: string, sealed: string): string {
    return this.sealer.open(sealed, purposeOf(automationId, prizeId));
  }

  /** By which a coupon is found without opening all. */
  keyOf(automationId: string, prizeId: string, code: string): Buffer {
    return this.keys.coupon(automationId, `${prizeId}|${code}`);
  }
}

const purposeOf = (automationId: string, prizeId: string): string => `prize-code|${automationId}|${prizeId}`;

/** For `keys.command.ts`. */
export const sealedCoupons: SealedColumn = {
  table: 'prize_codes',
  column: 'code_sealed',
  reseal: {
    key: { id: 'bigint' },
    bound: ['automation_id', 'prize_id'],
    additionalData: ({ automation_id: id, prize_id: prizeId }) => purposeOf(id!, prizeId!),
  },
};

/** Free coupons of each prize of a wheel that gives coupons. */
export async function freeCoupons(db: Database, automationId: string): Promise<Map<string, number>> {
  const rows = await rowsOf<{ prize_id: string; free: string }>(
    db,
    `select p.prize_id, (select count(*) from prize_codes c where c.automation_id = p.automation_id and c.prize_id = p.prize_id
         and c.participation_id is null) as free
     from coupon_prizes p where p.automation_id = $1`,
    [automationId],
  );
  return new Map(rows.map(({ prize_id: prizeId, free }) => [prizeId, Number(free)]));
}

/**
 * Gives participations the next free coupons of the prizes that they won, in their order. The locks of the wheels make this serial over all replicas.
 * @returns the sealed coupons by participation
 * @throws Error when a prize has fewer free coupons than participations: the stock is wrong, and nothing may be drawn from it
 */
export async function takeCoupons(
  db: Database,
  rows: readonly { id: string; automation_id: string; prize_id: string }[],
): Promise<Map<string, string>> {
  const taken = await rowsOf<{ participation_id: string; code_sealed: string }>(
    db,
    `with won as (
       select participation_id, automation_id, prize_id, row_number() over (partition by automation_id, prize_id order by n) as n
       from unnest($1::uuid[], $2::uuid[], $3::text[]) with ordinality as r (participation_id, automation_id, prize_id, n))
     update prize_codes c set participation_id = won.participation_id
     from (select automation_id, prize_id, count(*) as units from won group by automation_id, prize_id) p
     cross join lateral (
       select f.id, row_number() over (order by f.id) as n
       from (select id from prize_codes where automation_id = p.automation_id and prize_id = p.prize_id and participation_id is null
             order by id limit p.units) f) free
     join won on won.automation_id = p.automation_id and won.prize_id = p.prize_id and won.n = free.n
     where c.id = free.id returning c.participation_id, c.code_sealed`,
    [rows.map(({ id }) => id), rows.map(({ automation_id: wheel }) => wheel), rows.map(({ prize_id: prize }) => prize)],
  );
  const coupons = new Map(taken.map(({ participation_id: id, code_sealed: sealed }) => [id, sealed]));
  for (const { id, automation_id: wheel, prize_id: prize } of rows) {
    if (!coupons.has(id)) throw new Error(`wheel ${wheel} has too few coupons of prize ${prize}`);
  }
  return coupons;
}

/** Frees the coupon of a prize that was taken back, so that another winner gets it. */
export async function returnCoupon(db: Database, participationId: string): Promise<void> {
  await db.query('update prize_codes set participation_id = null where participation_id = $1', [participationId]);
}
