import { type PayloadOf, subscriptionChanged } from '@decola/contracts';
import { EventContext } from '@decola/messaging';
import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';

/** Keeps the profile's copy of the subscription current. Safe to run twice and out of order: an older sequence changes nothing. */
@Controller()
export class SubscriptionConsumer {
  @EventPattern<string>(subscriptionChanged.type)
  async on(
    @Payload() { user_id, sequence, state }: PayloadOf<typeof subscriptionChanged>,
    @Ctx() { manager, event }: EventContext,
  ): Promise<void> {
    const toldAt = event.time || new Date().toISOString();
    if (state.plan_id !== null) {
      // The plans are everybody's: older news of one person must not undo newer news of another.
      await manager.query(
        `insert into subscription_plans (id, key, name, max_slots, told_at) values ($1, $2, $3, $4, $5)
         on conflict (id) do update set key = excluded.key, name = excluded.name, max_slots = excluded.max_slots, told_at = excluded.told_at
         where subscription_plans.told_at <= excluded.told_at`,
        [state.plan_id, state.plan_key, state.plan_name, state.max_slots, toldAt],
      );
    }
    await manager.query(
      `update profiles set subscription_status = $3, subscription_end = $4, current_plan_id = $5, last_subscription_check = $6, subscription_sequence = $2, updated_at = clock_timestamp()
       where user_id = $1 and subscription_sequence < $2`,
      [user_id, sequence, state.subscription_status, state.subscription_end, state.plan_id, toldAt],
    );
  }
}
