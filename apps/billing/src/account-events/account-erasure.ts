import { deleteOutboxMessagesAbout } from '@decola/messaging';
import { Clock, Logger } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { StripeClient } from '../stripe/stripe-client.js';
import { findMarkedCustomers } from '../stripe/customers.js';
import { BillingMisconfiguredError, MissingAtStripeError } from '../stripe/stripe.errors.js';
import { SubscriptionPublisher } from '../subscriptions/subscription-publisher.js';
import { BillingAccounts } from '../accounts/billing-accounts.js';

/** Erases a deleted account here and at Stripe. Every step is idempotent: a missing object counts as deleted. */
@Injectable()
export class AccountErasure {
  constructor(
    private readonly accounts: BillingAccounts,
    private readonly client: StripeClient,
    private readonly publisher: SubscriptionPublisher,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /**
   * At Stripe: cancels subscriptions, expires checkout pages and deletes customers, including those that no account links to. Here: deletes
   * personal data, also in stored events and messages. Amounts and ids stay for the fiscal period, trial hashes to prevent fraud.
   */
  async erase(manager: EntityManager, userId: string): Promise<void> {
    const account = await this.accounts.lock(manager, userId);
    if (account.deletedAt) return;
    const marked = await findMarkedCustomers(this.client, userId, account.contactEmail, { exhaustive: true });
    for (const customer of new Set([...(account.customerId ? [account.customerId] : []), ...marked])) await this.eraseAtStripe(customer);
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
      'update billing_accounts set deleted_at = $2, stripe_customer_id = null, contact_email = null, contact_at = null, contact_told = null where user_id = $1',
      [userId, now],
    );
    await deleteOutboxMessagesAbout(manager, [userId]);
    account.deletedAt = now;
    await this.publisher.publish(manager, account, { cause: 'account_deleted', always: true });
  }

  /** Drops stored events of the user's customers: their bodies hold an e-mail address, and the objects they name are deleted. */
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
      .request('list', (stripe) => stripe.subscriptions.list({ customer, status: 'all', limit: 100 }))
      .catch(emptyIfMissing);
    for (const { id, status } of subscriptions.data)
      if (status !== 'canceled' && status !== 'incomplete_expired')
        await this.client
          .request('subscription', (stripe) => stripe.subscriptions.cancel(id, { invoice_now: false, prorate: false }))
          .catch(ignoreMissing);
    // Deleting the customer removes both; removing them first closes open pages earlier, so a failure here does not stop the erasure.
    await this.tryStep('open sessions could not be closed', () => this.closeSessions(customer));
    await this.tryStep('payment methods could not be detached', () => this.detachMethods(customer));
    await this.client.request('customer', (stripe) => stripe.customers.del(customer)).catch(ignoreMissing);
  }

  private async closeSessions(customer: string): Promise<void> {
    const sessions = await this.client
      .request('list', (stripe) => stripe.checkout.sessions.list({ customer, status: 'open', limit: 100 }))
      .catch(emptyIfMissing);
    for (const { id } of sessions.data)
      await this.client
        .request('checkout.session', (stripe) => stripe.checkout.sessions.expire(id))
        .catch((error: unknown) => {
          // No longer open: its subscription, if any, is canceled with the customer.
          if (!(error instanceof BillingMisconfiguredError)) ignoreMissing(error);
        });
  }

  private async detachMethods(customer: string): Promise<void> {
    const methods = await this.client
      .request('list', (stripe) => stripe.customers.listPaymentMethods(customer, { limit: 100 }))
      .catch(emptyIfMissing);
    for (const { id } of methods.data)
      await this.client.request('payment_method', (stripe) => stripe.paymentMethods.detach(id)).catch(ignoreMissing);
  }

  private async tryStep(failure: string, step: () => Promise<void>): Promise<void> {
    await step().catch((error: unknown) => this.logger.warn({ err: error }, `${failure}; the customer is deleted all the same`));
  }
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof MissingAtStripeError)) throw error;
}

function emptyIfMissing(error: unknown): { data: never[] } {
  if (error instanceof MissingAtStripeError) return { data: [] };
  throw error;
}
