import { type PayloadOf, slotsChanged, userDeleted, userRegistered, userUpdated } from '@decola/contracts';
import { EventContext } from '@decola/messaging';
import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { AccountErasure } from './account-erasure.js';
import { BillingAccounts } from '../accounts/billing-accounts.js';
import { StripeClient } from '../stripe/stripe-client.js';
import { MissingAtStripeError } from '../stripe/stripe.errors.js';

/** Handles identity's events about users and automations' events about slots in use. */
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
    await this.accounts.updateContact(context.manager, userId, email, registeredAt);
  }

  /**
   * Updates e-mail address and name at Stripe, so that receipts reach the user. An event that a later one overtook is skipped, and so is one
   * that changes neither (only time zone or language).
   */
  @EventPattern<string>(userUpdated.type)
  async onUpdated(
    @Payload() { userId, email, fullName, updatedAt }: PayloadOf<typeof userUpdated>,
    @Ctx() context: EventContext,
  ): Promise<void> {
    const { customerId } = await this.accounts.lock(context.manager, userId);
    const isLatest = await this.accounts.updateContact(context.manager, userId, email, updatedAt);
    if (!customerId || !isLatest) return;
    if (!(await this.accounts.recordSentContact(context.manager, userId, { customerId, email, name: fullName }))) return;
    await this.client
      .request('customer', (stripe) => stripe.customers.update(customerId, { email, ...(fullName ? { name: fullName } : {}) }))
      .catch((error: unknown) => {
        if (!(error instanceof MissingAtStripeError)) throw error;
      });
  }

  @EventPattern<string>(userDeleted.type)
  async onDeleted(@Payload() { userId }: PayloadOf<typeof userDeleted>, @Ctx() context: EventContext): Promise<void> {
    await this.erasure.erase(context.manager, userId);
  }

  /** Idempotent, in any order: an older sequence changes nothing. */
  @EventPattern<string>(slotsChanged.type)
  async onSlotsChanged(@Payload() { userId, used, sequence }: PayloadOf<typeof slotsChanged>, @Ctx() context: EventContext): Promise<void> {
    // Nothing may be stored about a deleted account, however late the event arrives.
    if ((await this.accounts.lock(context.manager, userId)).deletedAt) return;
    await context.manager.query(
      `insert into slot_usage (user_id, used, sequence) values ($1, $2, $3)
       on conflict (user_id) do update set used = excluded.used, sequence = excluded.sequence where slot_usage.sequence < excluded.sequence`,
      [userId, used, sequence],
    );
  }
}
