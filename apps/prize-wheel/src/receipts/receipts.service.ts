import {
  formatPrizeCode,
  maskedHandle,
  type OwnerReceipt,
  type PrizeReceipt,
  type PrizeReceiptAnswer,
  readChainLine,
  wheelSettings,
} from '@decola/contracts';
import { type Caller, Clock } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Draws } from '../draws/draws.service.js';
import { LookupLimits } from '../limits/lookup-limits.service.js';
import { undoMs } from '../owners/redemption.service.js';
import { refused } from '../refusals/function-refusal.js';
import { receiptTexts } from '../texts/texts.js';
import { prizeOfCode, type PrizeOfCode, promotionOf } from './prize-of-code.js';

/** Receipts of prizes, for whoever has the code. The owner of the wheel sees more. */
@Injectable()
export class Receipts {
  constructor(
    private readonly draws: Draws,
    private readonly limits: LookupLimits,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** @param address the visitor's; null for requests that did not come through the gateway @throws Refusal 429 */
  async of(code: string, caller: Caller, address: string | null): Promise<PrizeReceiptAnswer> {
    const isCounted = await this.limits.count(address);
    const prize = await prizeOfCode(this.dataSource.manager, code, this.clock.now());
    if (!prize) return refused(receiptTexts.unknownCode, 'not_found');
    if (caller.role !== 'authenticated' || caller.userId !== prize.user_id)
      return { success: true, isOwner: false, receipt: this.receipt(prize) };
    // Owners look at many codes at their counter.
    if (isCounted) await this.limits.uncount(address);
    return { success: true, isOwner: true, receipt: this.ownerReceipt(prize) };
  }

  private receipt(prize: PrizeOfCode): PrizeReceipt {
    const isErased = prize.erased_at !== null;
    const isPublished = wheelSettings(prize.configuration).options.publishAudit && !prize.is_open;
    return {
      code: formatPrizeCode(prize.code),
      wheelName: prize.wheel_name,
      ...promotionOf(prize),
      prize: { name: prize.prize_won, type: prize.prize_type },
      number: Number(prize.number),
      drawnAt: prize.created_at.toISOString(),
      handle: isErased ? prize.instagram_handle : maskedHandle(prize.instagram_handle),
      state: prize.state,
      deliveredAt: prize.delivered_at?.toISOString() ?? null,
      validUntil: prize.valid_until?.toISOString() ?? null,
      coupon: prize.coupon_sealed === null ? null : this.draws.coupons.open(prize.automation_id, prize.prize_id, prize.coupon_sealed),
      hash: prize.entry_hash.toString('hex'),
      round: prize.round,
      commitment: prize.commitment,
      seed: seedOf(prize),
      audit: isPublished ? { automationId: prize.automation_id } : null,
      canErase: !isErased,
    };
  }

  private ownerReceipt(prize: PrizeOfCode): OwnerReceipt {
    const deliveredAt = prize.delivered_at?.getTime() ?? 0;
    const canUndo = prize.state === 'delivered' && deliveredAt + undoMs > this.clock.now().getTime();
    return {
      ...this.receipt(prize),
      handle: prize.instagram_handle,
      automationId: prize.automation_id,
      message: prize.prize_message || null,
      undoUntil: canUndo ? new Date(deliveredAt + undoMs).toISOString() : null,
      voidReason: prize.void_reason,
    };
  }
}

function seedOf({ close_line: text }: PrizeOfCode): string | null {
  const line = text === null ? undefined : readChainLine(text);
  return line?.[0] === 'close' ? line[2] : null;
}
