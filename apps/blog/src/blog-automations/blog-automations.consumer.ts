import { blogAutomationDeleted, blogAutomationSaved, type PayloadOf } from '@decola/contracts';
import { EventContext } from '@decola/messaging';
import { Clock } from '@decola/service-kit';
import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { deleteBlogAutomation, storeBlogAutomation } from './blog-automation-copies.js';

/** Stores copies of the blog automations, which the service automations owns. */
@Controller()
export class BlogAutomationsConsumer {
  constructor(private readonly clock: Clock) {}

  @EventPattern<string>(blogAutomationSaved.type)
  async saved(@Payload() facts: PayloadOf<typeof blogAutomationSaved>, @Ctx() { manager }: EventContext): Promise<void> {
    await storeBlogAutomation(manager, facts);
  }

  @EventPattern<string>(blogAutomationDeleted.type)
  async deleted(@Payload() event: PayloadOf<typeof blogAutomationDeleted>, @Ctx() { manager }: EventContext): Promise<void> {
    await deleteBlogAutomation(manager, event.blogAutomationId, this.clock.now());
  }
}
