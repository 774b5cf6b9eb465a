import { type PayloadOf, subscriptionChanged, userDeleted } from '@decola/contracts';
import { EventContext } from '@decola/messaging';
import { Clock } from '@decola/service-kit';
import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { AccountPauses } from '../accounts/account-pauses.js';
import { Announcer } from '../automations/announcer.js';
import { resumeBlogs } from '../blog/blog-schedule.service.js';
import { rowsOf, yieldToPeople } from '../rows.js';
import { fitToPlan, lockEntitlement, slotHolders } from './entitlements.js';
import { eraseUser, isErased } from './erasure.js';
import { pauseReason } from '../accounts/stops.js';

/** Keeps the copy of what a customer may use, and keeps what is on within it. */
@Controller()
export class EntitlementsConsumer {
  constructor(
    private readonly pauses: AccountPauses,
    private readonly announcer: Announcer,
    private readonly clock: Clock,
  ) {}

  /** Safe to run twice and out of order: an older sequence changes nothing. */
  @EventPattern<string>(subscriptionChanged.type)
  async changed(@Payload() event: PayloadOf<typeof subscriptionChanged>, @Ctx() { manager }: EventContext): Promise<void> {
    const now = this.clock.now();
    await yieldToPeople(manager);
    if (await isErased(manager, event.user_id)) return;
    const entitlement = await lockEntitlement(manager, event.user_id);
    if (event.sequence <= entitlement.sequence) return;
    const maxSlots = event.state.subscribed ? event.state.max_slots : 0;
    await manager.query(`update entitlements set max_slots = $2, sequence = $3 where user_id = $1`, [
      event.user_id,
      maxSlots,
      event.sequence,
    ]);

    const { off, on } = fitToPlan(await slotHolders(manager, event.user_id), maxSlots);
    const automations = (holders: typeof off) => holders.filter(({ kind }) => kind === 'automation').map(({ id }) => id);
    const blogs = (holders: typeof off) => holders.filter(({ kind }) => kind === 'blog').map(({ id }) => id);
    await this.pauses.pauseForPlan(manager, automations(off), now);
    await this.pauses.resume(manager, automations(on), now);
    await rowsOf(manager, `update blog_automations set is_active = false, pause_cause = 'plan', pause_reason = $2 where id = any($1)`, [
      blogs(off),
      pauseReason('plan', now, null),
    ]);
    await resumeBlogs(manager, blogs(on), now);
  }

  @EventPattern<string>(userDeleted.type)
  async deleted(@Payload() event: PayloadOf<typeof userDeleted>, @Ctx() { manager }: EventContext): Promise<void> {
    await eraseUser(manager, this.announcer, event.userId, this.clock.now());
  }
}
