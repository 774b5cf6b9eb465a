import { forgetMessages } from '@decola/messaging';
import { Clock } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { StripeClient } from '../stripe/stripe-client.js';
import { BillingMisconfiguredError, MissingAtStripeError } from '../stripe/stripe.errors.js';
import { SubscriptionPublisher } from '../subscriptions/subscription-publisher.js';
import { BillingAccounts } from './billing-accounts.js';

/** The end of an account. Every step may run again: what is gone already is a success. */
@Injectable()
export class AccountErasure {
  constructor(
    private readonly accounts: BillingAccounts,
    private readonly client: StripeClient,
    private readonly publisher: SubscriptionPublisher,
    private readonly clock: Clock,
  ) {}

  /**
   * Cancels, closes and deletes at Stripe, then forgets here: bodies of events and messages too. Amounts and ids stay for the fiscal
   * period, trial hashes against fraud.
   */
  async erase(manager: EntityManager, userId: string): Promise<void> {
    const account = await this.accounts.lock(manager, userId);
    if (account.deletedAt) return;
    if (account.customerId) await this.eraseAtStripe(account.customerId);
    await this.forgetEvents(manager, userId);
    const now = this.clock.now();
    await manager.query(
      `update billing_subscriptions set status = 'canceled', canceled_at = coalesce(canceled_at, $2), ended_at = coalesce(ended_at, $2), fetched_at = $2
       where user_id = $1 and status not in ('canceled', 'incomplete_expired')`,
      [userId, now],
    );
    for (const table of ['checkout_intents', 'change_intents', 'notices', 'slot_usage', 'subscriptions'])
      await manager.query(`delete from ${table} where user_id = $1`, [userId]);
    await manager.query(
      'update billing_accounts set deleted_at = $2, stripe_customer_id = null, contact_email = null, contact_at = null where user_id = $1',
      [userId, now],
    );
    await forgetMessages(manager, [userId]);
    account.deletedAt = now;
    await this.publisher.publish(manager, account, { cause: 'account_deleted', always: true });
  }

  /** Events of Stripe that wait to be worked through hold the person's address; what they point at is gone. */
  private async forgetEvents(manager: EntityManager, userId: string): Promise<void> {
    await manager.query(
      `update stripe_events e set status = 'ignored', body = null, error = null, processed_at = $2
       from (select stripe_customer_id as id from billing_accounts where user_id = $1 and stripe_customer_id is not null
             union select stripe_customer_id from billing_subscriptions where user_id = $1) c
       where e.body is not null and c.id in (e.body #>> '{data,object,id}', e.body #>> '{data,object,customer}')`,
      [userId, this.clock.now()],
    );
  }

  private async eraseAtStripe(customer: string): Promise<void> {
    const subscriptions = await this.client
      .ask('list', (stripe) => stripe.subscriptions.list({ customer, status: 'all', limit: 100 }))
      .catch(emptyIfMissing);
    for (const { id, status } of subscriptions.data)
      if (status !== 'canceled' && status !== 'incomplete_expired')
        await this.client
          .ask('subscription', (stripe) => stripe.subscriptions.cancel(id, { invoice_now: false, prorate: false }))
          .catch(nothingIfMissing);
    const sessions = await this.client
      .ask('list', (stripe) => stripe.checkout.sessions.list({ customer, status: 'open', limit: 100 }))
      .catch(emptyIfMissing);
    for (const { id } of sessions.data)
      await this.client
        .ask('checkout.session', (stripe) => stripe.checkout.sessions.expire(id))
        .catch((error: unknown) => {
          // Not open any more: what it became is cancelled with the customer.
          if (!(error instanceof BillingMisconfiguredError)) nothingIfMissing(error);
        });
    const methods = await this.client
      .ask('list', (stripe) => stripe.customers.listPaymentMethods(customer, { limit: 100 }))
      .catch(emptyIfMissing);
    for (const { id } of methods.data)
      await this.client.ask('payment_method', (stripe) => stripe.paymentMethods.detach(id)).catch(nothingIfMissing);
    await this.client.ask('customer', (stripe) => stripe.customers.del(customer)).catch(nothingIfMissing);
  }
}

function nothingIfMissing(error: unknown): void {
  if (!(error instanceof MissingAtStripeError)) throw error;
}

function emptyIfMissing(error: unknown): { data: never[] } {
  if (error instanceof MissingAtStripeError) return { data: [] };
  throw error;
}
