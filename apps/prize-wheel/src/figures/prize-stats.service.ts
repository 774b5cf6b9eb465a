import { type PrizeStats, prizeStatsDays, productTimeZone, sameNetworkFrom } from '@decola/contracts';
import { type Database, rowOf, rowsOf } from '@decola/database';
import { Clock } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type FunctionRefusal, refused } from '../refusals/function-refusal.js';
import { ownerTexts } from '../texts/texts.js';

const mostNetworks = 20;
const mostNumbers = 50;

/** The figures of a wheel, for its owner. Wheels of other people are not found. */
@Injectable()
export class PrizeStatsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** @param days how many days up to today the answer tells */
  async of(ownerId: string, automationId: string, days: number = prizeStatsDays.default): Promise<PrizeStats | FunctionRefusal> {
    const db = this.dataSource.manager;
    const owned = await rowOf(db, `select 1 from wheels where automation_id = $1 and user_id = $2`, [automationId, ownerId]);
    if (!owned) return refused(ownerTexts.unknownWheel, 'not_found');
    return {
      success: true,
      totals: await totalsOf(db, automationId),
      days: await daysOf(db, automationId, { days, now: this.clock.now() }),
      prizes: await prizesOf(db, automationId),
      round: await roundOf(db, automationId),
      sameNetwork: await networksOf(db, automationId),
    };
  }
}

/** Counts are cast to `float8`, which arrives as a number; `bigint` would arrive as text. */
async function totalsOf(db: Database, automationId: string): Promise<PrizeStats['totals']> {
  const row = await rowOf<PrizeStats['totals']>(
    db,
    `select v.views, v.continued, p.* from
       (select coalesce(sum(views), 0)::float8 as views, coalesce(sum(continued), 0)::float8 as continued
        from wheel_days where automation_id = $1) v,
       (select count(*)::float8 as spins, count(*) filter (where state = 'won')::float8 as won,
          count(*) filter (where state = 'delivered')::float8 as delivered, count(*) filter (where state = 'expired')::float8 as expired,
          count(*) filter (where state = 'voided')::float8 as voided
        from prize_wheel_participations where automation_id = $1) p`,
    [automationId],
  );
  if (!row) throw new Error('sums without a row');
  return row;
}

const daysOf = (db: Database, automationId: string, { days, now }: { days: number; now: Date }): Promise<PrizeStats['days']> =>
  rowsOf(
    db,
    `with span as (select ($2::timestamptz at time zone $4)::date as last),
       spins as (
         select (created_at at time zone $4)::date as day, count(*)::float8 as spins from prize_wheel_participations, span
         where automation_id = $1 and created_at >= (span.last - ($3::int - 1))::timestamp at time zone $4 group by 1)
     select to_char(d, 'YYYY-MM-DD') as day, coalesce(w.views, 0)::float8 as views, coalesce(w.continued, 0)::float8 as continued,
       coalesce(s.spins, 0) as spins
     from span, generate_series(span.last - ($3::int - 1), span.last, interval '1 day') d
     left join wheel_days w on w.automation_id = $1 and w.day = d::date left join spins s on s.day = d::date order by d`,
    [automationId, now, days, productTimeZone],
  );

const prizesOf = (db: Database, automationId: string): Promise<PrizeStats['prizes']> =>
  rowsOf(
    db,
    `select p.prize_id as id, p.name, p.type, p.total, p.given, p.remaining, coalesce(d.delivered, 0)::int as delivered,
       p.retired_at is not null as "isRemoved"
     from wheel_prizes p left join (
       select prize_id, count(*) as delivered from prize_wheel_participations where automation_id = $1 and state = 'delivered' group by 1) d
       using (prize_id)
     where p.automation_id = $1 and (p.retired_at is null or p.given > 0) order by p.retired_at is not null, p.position, p.prize_id`,
    [automationId],
  );

/** The seed of a closed round is read from the chain, where its end is public: the key that sealed it may be gone by then. */
async function roundOf(db: Database, automationId: string): Promise<PrizeStats['round']> {
  const row = await rowOf<{ number: number; closed: boolean; commitment: string; opened_at: Date; seed: string | null }>(
    db,
    `select r.round as number, r.closed_at is not null as closed, r.commitment, r.opened_at,
       (select e.line::json ->> 2 from wheel_entries e where e.automation_id = r.automation_id and e.line like '["close",' || r.round || ',%') as seed
     from wheel_rounds r where r.automation_id = $1 order by r.round desc limit 1`,
    [automationId],
  );
  if (!row) return null;
  const { number, closed, commitment, seed, opened_at: openedAt } = row;
  return { number, isOpen: !closed, commitment, seed: closed ? seed : null, openedAt: openedAt.toISOString() };
}

async function networksOf(db: Database, automationId: string): Promise<PrizeStats['sameNetwork']> {
  const rows = await rowsOf<{ spins: number; first_at: Date; last_at: Date; numbers: number[] }>(
    db,
    `select count(*)::int as spins, min(created_at) as first_at, max(created_at) as last_at,
       to_json((array_agg(number order by number desc))[1:${mostNumbers}]) as numbers
     from prize_wheel_participations where automation_id = $1 and network_key is not null
     group by network_key having count(*) >= $2 order by spins desc, last_at desc limit ${mostNetworks}`,
    [automationId, sameNetworkFrom],
  );
  return rows.map(({ spins, first_at: firstAt, last_at: lastAt, numbers }) => ({
    spins,
    firstAt: firstAt.toISOString(),
    lastAt: lastAt.toISOString(),
    numbers,
  }));
}
