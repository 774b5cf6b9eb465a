import { type PayloadOf, prizeStockLow, wheelNews } from '@decola/contracts';
import { rowOf } from '@decola/database';
import { EventContext, Outbox } from '@decola/messaging';
import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';

/** Tells owners, by mail, when the units of their wheel run out. Single prizes do not: a wheel may have a hundred with one unit each. */
@Controller()
export class StockNewsConsumer {
  constructor(private readonly outbox: Outbox) {}

  @EventPattern<string>(prizeStockLow.type)
  async stockLow(@Payload() event: PayloadOf<typeof prizeStockLow>, @Ctx() { manager }: EventContext): Promise<void> {
    const { automationId, userId, prizeId, kind, remaining, total, at } = event;
    if (prizeId !== null) return;
    const wheel = await rowOf<{ name: string }>(manager, 'select name from automations where automation_id = $1 and user_id = $2', [
      automationId,
      userId,
    ]);
    if (!wheel) return;
    await this.outbox.add(
      manager,
      wheelNews,
      { kind, userId, automationId, wheel: wheel.name, remaining, total, at },
      { subject: automationId },
    );
  }
}
