import { type Database, rowsOf } from '@decola/database';
import { RecentMap } from '@decola/service-kit';
import type { LockedWheel } from './locked-wheel.js';
import type { PrizeRow } from './prizes.js';

/** What a replica knows of a wheel whose lock it held: good as long as no other replica drew and no owner edited, which the lock's row shows. */
export interface KnownWheel {
  seq: number;
  stockVersion: number;
  userId: string;
  stock: PrizeRow[];
  seed: Buffer;
}

const mostWheels = 1_000;

/** Wheels that this replica's lane drew from last. */
export class StockCache {
  private readonly wheels = new RecentMap<string, KnownWheel>(mostWheels);

  get({ id, seq, stockVersion }: LockedWheel): KnownWheel | undefined {
    const known = this.wheels.get(id);
    return known?.seq === seq && known.stockVersion === stockVersion ? known : undefined;
  }

  set(automationId: string, known: KnownWheel): void {
    this.wheels.set(automationId, known);
  }

  clear(): void {
    this.wheels.clear();
  }
}

/** Reads stock, owner and sealed seed of locked wheels, in one statement. Wheels without an open round have a null seed. */
export const readWheels = (
  db: Database,
  automationIds: readonly string[],
): Promise<{ automation_id: string; user_id: string; seed_sealed: string | null; stock: PrizeRow[] }[]> =>
  rowsOf(
    db,
    `select w.automation_id, w.user_id, r.seed_sealed,
       coalesce((select json_agg(json_build_object('id', p.prize_id, 'position', p.position, 'name', p.name, 'type', p.type,
           'message', p.message, 'total', p.total, 'given', p.given, 'remaining', p.remaining,
           'announced', p.announced, 'hasCoupons', p.has_coupons) order by p.position)
         from wheel_prizes p where p.automation_id = w.automation_id and p.retired_at is null), '[]'::json) as stock
     from wheels w left join wheel_rounds r on r.automation_id = w.automation_id and r.closed_at is null
     where w.automation_id = any($1::uuid[])`,
    [automationIds],
  );
