import { listResume, type PayloadOf, personName, runFinished, runPage, slotTargets } from '@decola/contracts';
import { EventContext } from '@decola/messaging';
import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, MessagePattern, Payload } from '@nestjs/microservices';
import type { z } from 'zod';
import { ListsService } from './lists.service.js';
import { TargetsService } from './targets.service.js';

/** Events and requests of browser workers. Each event is handled in one transaction with its inbox row. */
@Controller()
export class ListsConsumer {
  constructor(
    private readonly lists: ListsService,
    private readonly targets: TargetsService,
  ) {}

  @EventPattern<string>(runPage.type)
  async page(@Payload() event: PayloadOf<typeof runPage>, @Ctx() { manager }: EventContext): Promise<void> {
    await this.lists.storePage(manager, event);
  }

  @EventPattern<string>(runFinished.type)
  async finished(@Payload() event: PayloadOf<typeof runFinished>, @Ctx() { manager }: EventContext): Promise<void> {
    await this.lists.endRun(manager, event);
  }

  @MessagePattern(listResume.type)
  resume(@Payload() request: z.infer<typeof listResume.request>): Promise<z.infer<typeof listResume.reply>> {
    return this.lists.resume(request);
  }

  @MessagePattern(slotTargets.type)
  nextTargets(@Payload() request: z.infer<typeof slotTargets.request>): Promise<z.infer<typeof slotTargets.reply>> {
    return this.targets.nextTargets(request);
  }

  @MessagePattern(personName.type)
  findUsername(@Payload() request: z.infer<typeof personName.request>): Promise<z.infer<typeof personName.reply>> {
    return this.targets.findUsername(request);
  }
}
