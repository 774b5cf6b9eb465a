import { type PayloadOf, subscriptionChanged } from '@decola/contracts';
import { EventContext } from '@decola/messaging';
import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';

/**
 * Keeps the profile's copy of the subscription current. Duplicates and events out of order are harmless: an event changes the profile only
 * when its sequence is higher than the stored one.
 */
@Controller()
export class SubscriptionConsumer {
  @EventPattern<string>(subscriptionChanged.type)
  async onSubscriptionChanged(
    @Payload() { user_id, sequence, state }: PayloadOf<typeof subscriptionChanged>,
    @Ctx() { manager, event }: EventContext,
  ): Promise<void> {
    const publishedAt = event.time || new Date().toISOString();
    if (state.plan_id !== null) {
      // A plan's row is shared by many people, and sequences are per person, so here the newer event wins.
      await manager.query(
        `insert into subscription_plans (id, key, name, max_slots, told_at) values ($1, $2, $3, $4, $5)
         on conflict (id) do update set key = excluded.key, name = excluded.name, max_slots = excluded.max_slots, told_at = excluded.told_at
         where subscription_plans.told_at <= excluded.told_at`,
        [state.plan_id, state.plan_key, state.plan_name, state.max_slots, publishedAt],
      );
    }
    await manager.query(
      `update profiles set subscription_status = $3, subscription_end = $4, current_plan_id = $5, last_subscription_check = $6, subscription_sequence = $2, updated_at = clock_timestamp()
       where user_id = $1 and subscription_sequence < $2`,
      [user_id, sequence, state.subscription_status, state.subscription_end, state.plan_id, publishedAt],
    );
  }
}
