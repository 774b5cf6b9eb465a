import type { PlanKey } from '@decola/contracts';
import { rowOf } from '@decola/database';
import { CONFIG } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type Stripe from 'stripe';
import { DataSource } from 'typeorm';
import { BillingAccounts } from '../accounts/billing-accounts.js';
import type { BillingConfig } from '../config/config.js';
import { noBillingAccount, portalNotConfigured } from './portal.errors.js';
import { StripeClient } from '../stripe/stripe-client.js';
import { BillingMisconfiguredError, MissingAtStripeError, ProviderUnavailableError } from '../stripe/stripe.errors.js';
import { liveStatuses } from '../subscriptions/state.js';
import { listSubscriptions } from '../subscriptions/subscription-rows.js';

/** Stripe's customer portal: card, invoices, cancellation, upgrades. */
@Injectable()
export class PortalService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly accounts: BillingAccounts,
    private readonly client: StripeClient,
    @Inject(CONFIG) private readonly config: BillingConfig,
  ) {}

  /**
   * Creates a short-lived link to the portal with the configuration of the customer's plan.
   * @param flow opens the portal at one task, for example confirming a plan change; default: its home page.
   * @throws Refusal `no_billing_account` before the first purchase, `portal_not_configured`; ProviderUnavailableError.
   */
  async open(userId: string, flow?: Stripe.BillingPortal.SessionCreateParams.FlowData): Promise<string> {
    const account = await this.accounts.find(userId);
    const customer = account?.customerId;
    if (!customer) throw noBillingAccount();
    const configuration = await this.configurationFor(userId);
    try {
      const session = await this.client.request('billing_portal.session', (stripe) =>
        stripe.billingPortal.sessions.create({
          customer,
          return_url: `${this.config.SITE_URL.replace(/\/$/, '')}/adm`,
          locale: 'pt-BR',
          ...(configuration ? { configuration } : {}),
          ...(flow ? { flow_data: flow } : {}),
        }),
      );
      return session.url;
    } catch (error) {
      if (error instanceof MissingAtStripeError) throw noBillingAccount();
      if (!(error instanceof BillingMisconfiguredError)) throw error;
      // Stripe has no error code for this; its message is the only sign.
      const sentence = /No configuration provided.*/.exec(error.reason)?.[0];
      if (!sentence) throw new ProviderUnavailableError(error.reason);
      this.client.alert('the customer portal is not configured');
      throw portalNotConfigured(sentence);
    }
  }

  private async configurationFor(userId: string): Promise<string | undefined> {
    const subscription = (await listSubscriptions(this.dataSource.manager, userId)).find(({ status }) => liveStatuses.includes(status));
    const plan: PlanKey = subscription?.planKey ?? 'starter';
    const configured = {
      starter: this.config.STRIPE_PORTAL_CONFIG_STARTER,
      pro: this.config.STRIPE_PORTAL_CONFIG_PRO,
      premium: this.config.STRIPE_PORTAL_CONFIG_PREMIUM,
    }[plan];
    if (configured) return configured;
    const row = await rowOf<{ configuration_id: string }>(
      this.dataSource,
      'select configuration_id from portal_configurations where app_key = $1',
      [`portal_${plan}`],
    );
    return row?.configuration_id;
  }
}
