import { couponLimits, type PrizeCodesAnswer, type PrizeCoupon } from '@decola/contracts';
import { changedRows, type Database, rowOf, rowsOf } from '@decola/database';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { applyStock } from '../draws/apply-stock.js';
import { Draws } from '../draws/draws.service.js';
import { offeredPrizes } from '../draws/prizes.js';
import { refused } from '../refusals/function-refusal.js';
import { couponTexts, ownerTexts } from '../texts/texts.js';
import type { CodesBody } from './codes-body.js';

const pageRows = 1_000;

interface OwnWheel {
  is_draft: boolean;
  configuration: unknown;
}

interface SealedCoupon {
  /** HMAC by which it is found. */
  key: Buffer;
  sealed: string;
}

/** A prize that gives coupons. */
interface CouponPrize {
  automationId: string;
  prizeId: string;
}

/** Coupons that an owner pastes for a digital prize: each winner gets one of their own, and the prize has as many units as coupons. */
@Injectable()
export class PrizeCodes {
  constructor(
    private readonly draws: Draws,
    private readonly dataSource: DataSource,
  ) {}

  act(ownerId: string, { automationId, prizeId, action, codes, after }: CodesBody): Promise<PrizeCodesAnswer> {
    const prize = { automationId, prizeId };
    // Before the transaction: sealing thousands takes a while, and draws wait for it.
    const sealed = action === 'add' ? this.sealed(prize, codes ?? []) : [];
    return this.dataSource.transaction(async (manager): Promise<PrizeCodesAnswer> => {
      // An edit of the wheel waits, so that its stock and these coupons are counted one after the other.
      const wheel = await rowOf<OwnWheel>(
        manager,
        `select is_draft, configuration from wheels where automation_id = $1 and user_id = $2${action === 'list' ? '' : ' for no key update'}`,
        [automationId, ownerId],
      );
      if (!wheel) return refused(ownerTexts.unknownWheel, 'not_found');
      if (action === 'list') return this.answer(manager, prize, { after: Number(after ?? 0) });
      if (action === 'remove') return this.change(manager, wheel, prize, () => this.remove(manager, prize, codes ?? null));
      const offered = offeredPrizes(wheel.configuration).find(({ id }) => id === prizeId);
      if (!offered) return refused(couponTexts.unknownPrize, 'unknown_prize');
      if (offered.type !== 'digital') return refused(couponTexts.physical, 'physical');
      const { total } = await countOf(manager, prize);
      if (total + sealed.length > couponLimits.perPrize) return refused(couponTexts.tooMany(couponLimits.perPrize), 'too_many');
      return this.change(manager, wheel, prize, () => this.add(manager, prize, sealed));
    });
  }

  /** Changes the coupons of a prize, and its stock with them. */
  private async change(
    manager: EntityManager,
    { is_draft: isDraft, configuration }: OwnWheel,
    prize: CouponPrize,
    work: () => Promise<number>,
  ): Promise<PrizeCodesAnswer> {
    // Draws take coupons under this lock.
    await manager.query('select 1 from wheel_draws where automation_id = $1 for update', [prize.automationId]);
    const changed = await work();
    if (changed > 0 && !isDraft) await applyStock(manager, { automationId: prize.automationId, configuration }, this.draws.roundTools());
    return this.answer(manager, prize, { changed });
  }

  private sealed({ automationId, prizeId }: CouponPrize, codes: readonly string[]): SealedCoupon[] {
    const { coupons } = this.draws;
    return [...new Set(codes)]
      .filter((code) => code !== '')
      .map((code) => ({ key: coupons.keyOf(automationId, prizeId, code), sealed: coupons.seal(automationId, prizeId, code) }));
  }

  private async add(manager: EntityManager, { automationId, prizeId }: CouponPrize, coupons: readonly SealedCoupon[]): Promise<number> {
    if (coupons.length === 0) return 0;
    await manager.query('insert into coupon_prizes (automation_id, prize_id) values ($1, $2) on conflict do nothing', [
      automationId,
      prizeId,
    ]);
    const added = await rowsOf(
      manager,
      `insert into prize_codes (automation_id, prize_id, code_key, code_sealed)
       select $1, $2, c.key, c.sealed from unnest($3::bytea[], $4::text[]) with ordinality as c (key, sealed, n) order by c.n
       on conflict do nothing returning id`,
      [automationId, prizeId, coupons.map(({ key }) => key), coupons.map(({ sealed }) => sealed)],
    );
    return added.length;
  }

  /** @param codes null: all free coupons, and the prize goes on without coupons when none was won */
  private async remove(manager: EntityManager, { automationId, prizeId }: CouponPrize, codes: readonly string[] | null): Promise<number> {
    const keys = codes?.map((code) => this.draws.coupons.keyOf(automationId, prizeId, code)) ?? null;
    const removed = await changedRows(
      manager,
      `delete from prize_codes where automation_id = $1 and prize_id = $2 and participation_id is null
         and ($3::bytea[] is null or code_key = any($3::bytea[]))`,
      [automationId, prizeId, keys],
    );
    if (codes !== null) return removed;
    const ended = await changedRows(
      manager,
      `delete from coupon_prizes p where automation_id = $1 and prize_id = $2
         and not exists (select 1 from prize_codes c where c.automation_id = p.automation_id and c.prize_id = p.prize_id)`,
      [automationId, prizeId],
    );
    return removed + ended;
  }

  private async answer(
    db: Database,
    { automationId, prizeId }: CouponPrize,
    { changed = 0, after }: { changed?: number; after?: number },
  ): Promise<PrizeCodesAnswer> {
    const { total, free } = await countOf(db, { automationId, prizeId });
    const rows =
      after === undefined
        ? []
        : await rowsOf<{ id: string; code_sealed: string; number: string | null }>(
            db,
            `select c.id, c.code_sealed, p.number from prize_codes c left join prize_wheel_participations p on p.id = c.participation_id
             where c.automation_id = $1 and c.prize_id = $2 and c.id > $3 order by c.id limit ${pageRows}`,
            [automationId, prizeId, after],
          );
    const codes = rows.map(({ code_sealed: sealed, number }): PrizeCoupon => ({
      code: this.draws.coupons.open(automationId, prizeId, sealed),
      number: number === null ? null : Number(number),
    }));
    return { success: true, total, free, changed, codes, next: rows.length < pageRows ? null : (rows.at(-1)?.id ?? null) };
  }
}

async function countOf(db: Database, { automationId, prizeId }: CouponPrize): Promise<{ total: number; free: number }> {
  const row = await rowOf<{ total: number; free: number }>(
    db,
    `select count(*)::int as total, (count(*) filter (where participation_id is null))::int as free
     from prize_codes where automation_id = $1 and prize_id = $2`,
    [automationId, prizeId],
  );
  return row ?? { total: 0, free: 0 };
}
