import { type PayloadOf, slotsChanged, userDeleted, userRegistered, userUpdated } from '@decola/contracts';
import { EventContext } from '@decola/messaging';
import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { AccountErasure } from './account-erasure.js';
import { BillingAccounts } from './billing-accounts.js';
import { StripeClient } from '../stripe/stripe-client.js';
import { MissingAtStripeError } from '../stripe/stripe.errors.js';

/** What billing hears of people and of the slots they use. */
@Controller()
export class AccountEventsConsumer {
  constructor(
    private readonly accounts: BillingAccounts,
    private readonly erasure: AccountErasure,
    private readonly client: StripeClient,
  ) {}

  @EventPattern<string>(userRegistered.type)
  async onRegistered(
    @Payload() { userId, email, registeredAt }: PayloadOf<typeof userRegistered>,
    @Ctx() context: EventContext,
  ): Promise<void> {
    await this.accounts.lock(context.manager, userId);
    await this.accounts.noteContact(context.manager, userId, email, registeredAt);
  }

  /** Receipts follow the person to a new address. Safe out of order: one that was overtaken by a later change tells Stripe nothing. */
  @EventPattern<string>(userUpdated.type)
  async onUpdated(
    @Payload() { userId, email, fullName, updatedAt }: PayloadOf<typeof userUpdated>,
    @Ctx() context: EventContext,
  ): Promise<void> {
    const { customerId } = await this.accounts.lock(context.manager, userId);
    const isLatest = await this.accounts.noteContact(context.manager, userId, email, updatedAt);
    if (!customerId || !isLatest) return;
    await this.client
      .ask('customer', (stripe) => stripe.customers.update(customerId, { email, ...(fullName ? { name: fullName } : {}) }))
      .catch((error: unknown) => {
        if (!(error instanceof MissingAtStripeError)) throw error;
      });
  }

  @EventPattern<string>(userDeleted.type)
  async onDeleted(@Payload() { userId }: PayloadOf<typeof userDeleted>, @Ctx() context: EventContext): Promise<void> {
    await this.erasure.erase(context.manager, userId);
  }

  /** Safe to run twice and out of order: an older sequence changes nothing. */
  @EventPattern<string>(slotsChanged.type)
  async onSlotsChanged(@Payload() { userId, used, sequence }: PayloadOf<typeof slotsChanged>, @Ctx() context: EventContext): Promise<void> {
    // Of somebody who is gone nothing is kept, however late it comes.
    if ((await this.accounts.lock(context.manager, userId)).deletedAt) return;
    await context.manager.query(
      `insert into slot_usage (user_id, used, sequence) values ($1, $2, $3)
       on conflict (user_id) do update set used = excluded.used, sequence = excluded.sequence where slot_usage.sequence < excluded.sequence`,
      [userId, used, sequence],
    );
  }
}
