import { slotsChanged, userDeleted, userRegistered, userUpdated } from '@decola/contracts';
import { AccountExportModule, DatabaseModule, findMissingMigrations } from '@decola/database';
import { connectMessaging, MessagingModule } from '@decola/messaging';
import type { ServiceOptions } from '@decola/service-kit';
import { TableApiModule } from '@decola/table-api';
import { type DynamicModule, Module } from '@nestjs/common';
import { AccountErasure } from './account-events/account-erasure.js';
import { AccountEventsConsumer } from './account-events/account-events.consumer.js';
import { BillingAccounts } from './accounts/billing-accounts.js';
import { subscriptionPlansTable } from './catalogue/plans.table.js';
import { CheckoutController } from './checkout/checkout.controller.js';
import { CheckoutService } from './checkout/checkout.service.js';
import { type BillingConfig, configSchema } from './config/config.js';
import { accountExport } from './export/account-export.js';
import { migrations } from './migrations/index.js';
import { Payments } from './payments/payments.js';
import { ChangePlanController } from './plan-changes/change-plan.controller.js';
import { ChangePlanService } from './plan-changes/change-plan.service.js';
import { PortalController } from './portal/portal.controller.js';
import { PortalService } from './portal/portal.service.js';
import { Reconciliation } from './reconciliation/reconciliation.js';
import { SubscriptionComparison } from './reconciliation/subscription-comparison.js';
import { EventProcessor } from './stripe-events/event-processor.js';
import { EventStore } from './stripe-events/event-store.js';
import { WebhookController } from './stripe-events/webhook.controller.js';
import { StripeClient } from './stripe/stripe-client.js';
import { CheckSubscriptionController } from './subscription-check/check-subscription.controller.js';
import { CheckSubscriptionService } from './subscription-check/check-subscription.service.js';
import { AccessExpiryJob } from './subscriptions/access-expiry.job.js';
import { Notices } from './subscriptions/notices.js';
import { SubscriptionPublisher } from './subscriptions/subscription-publisher.js';
import { SubscriptionSync } from './subscriptions/subscription-sync.js';
import { subscriptionsTable } from './subscriptions/subscriptions.table.js';

@Module({})
export class AppModule {
  static forRoot(config: BillingConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        DatabaseModule.forService('billing', config),
        AccountExportModule.forRoot(accountExport),
        MessagingModule.forRoot({
          url: config.RABBITMQ_URL,
          service: 'billing',
          events: [userRegistered, userUpdated, userDeleted, slotsChanged],
        }),
        TableApiModule.forRoot({ signingKey: config.INTERNAL_SIGNING_KEY, tables: [subscriptionPlansTable, subscriptionsTable] }),
      ],
      controllers: [
        AccountEventsConsumer,
        ChangePlanController,
        CheckoutController,
        CheckSubscriptionController,
        PortalController,
        WebhookController,
      ],
      providers: [
        AccountErasure,
        BillingAccounts,
        AccessExpiryJob,
        ChangePlanService,
        CheckoutService,
        CheckSubscriptionService,
        EventProcessor,
        EventStore,
        Notices,
        Payments,
        PortalService,
        Reconciliation,
        StripeClient,
        SubscriptionPublisher,
        SubscriptionSync,
        SubscriptionComparison,
      ],
    };
  }
}

/** The service, started by `main.ts` and by tests. */
export const billingService: ServiceOptions<typeof configSchema> = {
  name: 'billing',
  configSchema,
  module: (config) => AppModule.forRoot(config),
  prerequisite: ({ DATABASE_URL }) => findMissingMigrations(DATABASE_URL, migrations),
  configure: connectMessaging,
  rawBody: true,
};
