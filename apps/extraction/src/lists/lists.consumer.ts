import { type PayloadOf, runFinished, runPage, slotTargets } from '@decola/contracts';
import { EventContext } from '@decola/messaging';
import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, MessagePattern, Payload } from '@nestjs/microservices';
import type { z } from 'zod';
import { ListsService } from './lists.service.js';

/** What browser workers report and ask. Each event is one transaction with its inbox row. */
@Controller()
export class ListsConsumer {
  constructor(private readonly lists: ListsService) {}

  @EventPattern<string>(runPage.type)
  async page(@Payload() event: PayloadOf<typeof runPage>, @Ctx() { manager }: EventContext): Promise<void> {
    await this.lists.storePage(manager, event);
  }

  @EventPattern<string>(runFinished.type)
  async finished(@Payload() event: PayloadOf<typeof runFinished>, @Ctx() { manager }: EventContext): Promise<void> {
    await this.lists.endRun(manager, event);
  }

  @MessagePattern(slotTargets.type)
  targets(@Payload() request: z.infer<typeof slotTargets.request>): Promise<z.infer<typeof slotTargets.reply>> {
    return this.lists.nextTargets(request);
  }
}
