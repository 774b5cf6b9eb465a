import { slotsChanged, userDeleted, userRegistered, userUpdated } from '@decola/contracts';
import { AccountExportModule, DatabaseModule } from '@decola/database';
import { connectMessaging, MessagingModule } from '@decola/messaging';
import type { ServiceOptions } from '@decola/service-kit';
import { TableApiModule } from '@decola/table-api';
import { type DynamicModule, Module } from '@nestjs/common';
import { accountExport } from './account-export.js';
import { AccountErasure } from './accounts/account-erasure.js';
import { AccountEventsConsumer } from './accounts/account-events.consumer.js';
import { BillingAccounts } from './accounts/billing-accounts.js';
import { subscriptionPlansTable, subscriptionsTable } from './catalogue/tables.js';
import { CheckoutService } from './checkout/checkout.service.js';
import { type BillingConfig, configSchema } from './config.js';
import { EventProcessor } from './events/event-processor.js';
import { EventStore } from './events/event-store.js';
import { Reconciliation } from './events/reconciliation.js';
import { Sweep } from './events/sweep.js';
import { WebhookController } from './events/webhook.controller.js';
import { FunctionsController } from './functions.controller.js';
import { Notices } from './payments/notices.js';
import { Payments } from './payments/payments.js';
import { PortalService } from './portal/portal.service.js';
import { StripeClient } from './stripe/stripe-client.js';
import { BoundaryJob } from './subscriptions/boundary-job.js';
import { ChangePlanService } from './subscriptions/change-plan.service.js';
import { CheckSubscriptionService } from './subscriptions/check-subscription.service.js';
import { SubscriptionPublisher } from './subscriptions/subscription-publisher.js';
import { SubscriptionSync } from './subscriptions/subscription-sync.js';

@Module({})
export class AppModule {
  static forRoot(config: BillingConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        DatabaseModule.forRoot({ url: config.DATABASE_URL, entities: [], applicationName: 'billing' }),
        AccountExportModule.forRoot(accountExport),
        MessagingModule.forRoot({
          url: config.RABBITMQ_URL,
          service: 'billing',
          events: [userRegistered, userUpdated, userDeleted, slotsChanged],
        }),
        TableApiModule.forRoot({ signingKey: config.INTERNAL_SIGNING_KEY, tables: [subscriptionPlansTable, subscriptionsTable] }),
      ],
      controllers: [FunctionsController, WebhookController, AccountEventsConsumer],
      providers: [
        AccountErasure,
        BillingAccounts,
        BoundaryJob,
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
        Sweep,
      ],
    };
  }
}

/** Billing, for its own process and for tests. */
export const billingService: ServiceOptions<typeof configSchema> = {
  name: 'billing',
  configSchema,
  module: (config) => AppModule.forRoot(config),
  configure: connectMessaging,
  rawBody: true,
};
