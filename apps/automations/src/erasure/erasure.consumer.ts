import { type PayloadOf, userDeleted } from '@decola/contracts';
import { EventContext } from '@decola/messaging';
import { Clock } from '@decola/service-kit';
import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { AutomationEvents } from '../automation-state/automation-events.service.js';
import { SessionVault } from '../sessions/session-vault.service.js';
import { eraseUser } from './erase-user.js';

/** Erases customers whose account was deleted. */
@Controller()
export class ErasureConsumer {
  constructor(
    private readonly events: AutomationEvents,
    private readonly vault: SessionVault,
    private readonly clock: Clock,
  ) {}

  @EventPattern<string>(userDeleted.type)
  async deleted(@Payload() event: PayloadOf<typeof userDeleted>, @Ctx() { manager }: EventContext): Promise<void> {
    await eraseUser(manager, this.events, this.vault, event.userId, this.clock.now());
  }
}
