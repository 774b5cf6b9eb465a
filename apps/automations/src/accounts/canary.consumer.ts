import { canaryPassed, type PayloadOf } from '@decola/contracts';
import { yieldToPeople } from '@decola/database';
import { EventContext } from '@decola/messaging';
import { Clock } from '@decola/service-kit';
import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { endKindPause } from './kind-pauses.js';

/** Ends pauses of kinds of runs for everybody when an operator's canary found every screen that these runs need. */
@Controller()
export class CanaryConsumer {
  constructor(private readonly clock: Clock) {}

  @EventPattern<string>(canaryPassed.type)
  async passed(@Payload() { kinds, at }: PayloadOf<typeof canaryPassed>, @Ctx() { manager }: EventContext): Promise<void> {
    await yieldToPeople(manager);
    for (const kind of kinds) await endKindPause(manager, kind, new Date(at), this.clock.now());
  }
}
