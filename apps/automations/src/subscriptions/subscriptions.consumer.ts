import { type PayloadOf, subscriptionChanged } from '@decola/contracts';
import { yieldToPeople } from '@decola/database';
import { EventContext } from '@decola/messaging';
import { Clock } from '@decola/service-kit';
import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { AutomationPauses } from '../automation-state/automation-pauses.service.js';
import { pauseBlogsForPlan, resumeBlogs } from '../blog/blog-schedule.service.js';
import { isErased } from '../customers/erased-customers.js';
import { fitToPlan, lockEntitlement, type SlotHolder, slotHolders } from '../entitlements/entitlements.js';
import { CustomerNotices } from '../notices/customer-notices.service.js';

/** Copies a customer's slots from billing, and switches automations off and on so that what is on fits the plan. */
@Controller()
export class SubscriptionsConsumer {
  constructor(
    private readonly pauses: AutomationPauses,
    private readonly notices: CustomerNotices,
    private readonly clock: Clock,
  ) {}

  /** Idempotent, and safe out of order: an older sequence changes nothing. */
  @EventPattern<string>(subscriptionChanged.type)
  async changed(@Payload() event: PayloadOf<typeof subscriptionChanged>, @Ctx() { manager }: EventContext): Promise<void> {
    const now = this.clock.now();
    const userId = event.user_id;
    await yieldToPeople(manager);
    if (await isErased(manager, userId)) return;
    const entitlement = await lockEntitlement(manager, userId);
    if (event.sequence <= entitlement.sequence) return;
    const maxSlots = event.state.subscribed ? event.state.max_slots : 0;
    await manager.query(`update entitlements set max_slots = $2, sequence = $3 where user_id = $1`, [userId, maxSlots, event.sequence]);

    const { off, on } = fitToPlan(await slotHolders(manager, userId), maxSlots);
    await this.pauses.pauseForPlan(manager, idsOf('automation', off), now);
    await this.pauses.resume(manager, idsOf('automation', on), now);
    await pauseBlogsForPlan(manager, idsOf('blog', off), now);
    await resumeBlogs(manager, idsOf('blog', on), now);
    await this.notices.planShrank(manager, userId, off.length, now);
  }
}

function idsOf(kind: SlotHolder['kind'], holders: readonly SlotHolder[]): string[] {
  return holders.filter((holder) => holder.kind === kind).map(({ id }) => id);
}
