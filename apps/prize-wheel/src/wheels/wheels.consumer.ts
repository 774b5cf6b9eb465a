import { automationCreated, automationDeleted, automationUpdated, type PayloadOf, userDeleted } from '@decola/contracts';
import { AutomationCopies, EventContext } from '@decola/messaging';
import { Clock } from '@decola/service-kit';
import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import type { EntityManager } from 'typeorm';
import { keepConsentTexts } from '../consent/consents.js';
import { applyStock } from '../draws/apply-stock.js';
import { Draws } from '../draws/draws.service.js';

/** Wheels are copies of the automations of type `prize-extractor`. Participations reference them and are deleted with them. */
const wheels = new AutomationCopies({
  table: 'wheels',
  types: ['prize-extractor'],
  columns: ({ name, isDraft, isActive, configuration }) => ({
    name,
    is_draft: isDraft,
    is_active: isActive && !isDraft,
    configuration: JSON.stringify(configuration),
  }),
});

/** Keeps the wheels current. */
@Controller()
export class WheelsConsumer {
  constructor(
    private readonly draws: Draws,
    private readonly clock: Clock,
  ) {}

  @EventPattern<string>(automationCreated.type)
  async created(@Payload() event: PayloadOf<typeof automationCreated>, @Ctx() { manager }: EventContext): Promise<void> {
    await this.store(manager, event);
  }

  @EventPattern<string>(automationUpdated.type)
  async updated(@Payload() event: PayloadOf<typeof automationUpdated>, @Ctx() { manager }: EventContext): Promise<void> {
    await this.store(manager, event);
  }

  @EventPattern<string>(automationDeleted.type)
  async deleted(@Payload() event: PayloadOf<typeof automationDeleted>, @Ctx() { manager }: EventContext): Promise<void> {
    await wheels.delete(manager, event, this.clock.now());
  }

  @EventPattern<string>(userDeleted.type)
  async userDeleted(@Payload() event: PayloadOf<typeof userDeleted>, @Ctx() { manager }: EventContext): Promise<void> {
    await wheels.deleteOfUser(manager, event.userId, this.clock.now());
  }

  /** Stores the copy; a published wheel's prizes become the stock that is drawn from. */
  private async store(manager: EntityManager, event: PayloadOf<typeof automationCreated>): Promise<void> {
    const stored = await wheels.store(manager, event);
    if (!stored || event.isDraft) return;
    await applyStock(manager, event, this.draws.roundTools());
    await keepConsentTexts(manager, event, this.clock.now());
  }
}
